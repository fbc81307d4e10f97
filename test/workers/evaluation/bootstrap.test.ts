import { bootstrapIntervals } from '../../../workers/evaluation/bootstrap.ts';

interface Row {
  cluster: string;
  value: number;
}

const mean = (rows: readonly Row[]) => ({ mean: rows.reduce((sum, { value }) => sum + value, 0) / rows.length });
const clusterOf = ({ cluster }: Row) => cluster;
/** A fair coin, 0 or 1 in turn: the mean's standard error is 0.5 / √n. */
const coins = (n: number): Row[] => Array.from({ length: n }, (_, at) => ({ cluster: `${at}`, value: at % 2 }));

test('the interval of a mean is as wide as theory says', () => {
  const [low = 0, high = 0] = bootstrapIntervals(coins(400), clusterOf, mean).mean ?? [];
  const half = (1.96 * 0.5) / Math.sqrt(400);
  expect(low).toBeGreaterThan(0.5 - 1.15 * half);
  expect(low).toBeLessThan(0.5 - 0.85 * half);
  expect(high).toBeGreaterThan(0.5 + 0.85 * half);
  expect(high).toBeLessThan(0.5 + 1.15 * half);
});

test('rows that say the same since they are of one article make no interval narrower', () => {
  const repeated = coins(100).flatMap((row) => [row, row, row, row]);
  const independent = repeated.map((row, at) => ({ ...row, cluster: `${at}` }));
  const width = (rows: Row[]) => {
    const [low = 0, high = 0] = bootstrapIntervals(rows, clusterOf, mean).mean ?? [];
    return high - low;
  };
  expect(width(repeated)).toBeCloseTo(width(coins(100)), 10);
  expect(width(repeated)).toBeGreaterThan(1.7 * width(independent));
});

test('the same rows give the same intervals', () => {
  expect(bootstrapIntervals(coins(50), clusterOf, mean)).toEqual(bootstrapIntervals(coins(50), clusterOf, mean));
});

test('a figure that some resamples lack is measured on the others, one that all lack is NaN', () => {
  const figures = (rows: readonly Row[]) => ({
    sometimes: rows.some(({ cluster }) => cluster === '0') ? 7 : Number.NaN,
    never: Number.NaN,
  });
  expect(bootstrapIntervals(coins(3), clusterOf, figures)).toEqual({
    sometimes: [7, 7],
    never: [Number.NaN, Number.NaN],
  });
});
