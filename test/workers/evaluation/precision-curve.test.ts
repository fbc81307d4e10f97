import { precisionCurve, wilsonInterval } from '../../../workers/evaluation/precision-curve.ts';

test('each distinct score is a threshold, with the precision and recall of what it takes', () => {
  const curve = precisionCurve([
    { score: 0.4, positive: true },
    { score: 0.9, positive: true },
    { score: 0.4, positive: false },
    { score: 0.2, positive: false },
  ]);
  expect(curve.map(({ low, high, ...point }) => point)).toEqual([
    { threshold: 0.9, precision: 1, recall: 0.5, n: 1 },
    { threshold: 0.4, precision: 2 / 3, recall: 1, n: 3 },
    { threshold: 0.2, precision: 0.5, recall: 1, n: 4 },
  ]);
  for (const { low, precision, high } of curve) {
    expect(low).toBeLessThan(precision);
    expect(high).toBeGreaterThanOrEqual(precision);
  }
});

test('the interval is that of scipy.stats: binomtest(k, n).proportion_ci(method="wilson")', () => {
  const [low, high] = wilsonInterval(18, 20);
  expect(low).toBeCloseTo(0.6989663547715128, 12);
  expect(high).toBeCloseTo(0.9721335187862319, 12);
  const [none, some] = wilsonInterval(0, 5);
  expect(none).toBeCloseTo(0, 12);
  expect(some).toBeCloseTo(0.43448246478317476, 12);
});

test('nothing counted may be anything', () => {
  expect(wilsonInterval(0, 0)).toEqual([0, 1]);
  expect(precisionCurve([])).toEqual([]);
});
