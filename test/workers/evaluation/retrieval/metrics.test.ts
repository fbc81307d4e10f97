import { rankOf, summarise } from '../../../../workers/evaluation/retrieval/metrics.ts';

const at = (rank: number | null, ms = 10) => ({ rank, ms, article: String(rank) });

test('ranks by hand give the figures by hand', () => {
  const { ci: _, ...figures } = summarise([at(1), at(2), at(5), at(6), at(20), at(100), at(150), at(null, 90)]);
  expect(figures).toEqual({
    p_at_1: 1 / 8,
    sr_at_5: 3 / 8,
    sr_at_20: 5 / 8,
    sr_at_100: 6 / 8,
    sr_at_200: 7 / 8,
    mrr: (1 + 1 / 2 + 1 / 5 + 1 / 6 + 1 / 20 + 1 / 100 + 1 / 150) / 8,
    ms: 20,
    p95_ms: 90,
    queries: 8,
  });
});

test('an interval holds its figure, and is a point where all queries fare alike', () => {
  const mixed = summarise(
    Array.from({ length: 40 }, (_, row) => ({ ...at(row % 4 === 0 ? null : 1), article: `${row}` })),
  );
  const [low = 1, high = 0] = mixed.ci.p_at_1 ?? [];
  expect(low).toBeLessThan(0.75);
  expect(high).toBeGreaterThan(0.75);
  expect(summarise([at(1), at(1)]).ci.p_at_1).toEqual([1, 1]);
});

test('queries of one article are drawn together', () => {
  const rows = Array.from({ length: 40 }, (_, row) => ({ ...at(row < 20 ? 1 : null), article: row < 20 ? 'a' : 'b' }));
  expect(summarise(rows).ci.p_at_1).toEqual([0, 1]);
});

test('any right page counts, and the first of them', () => {
  expect(rankOf(['a', 'b', 'c'], new Set(['c', 'b']))).toBe(2);
  expect(rankOf(['a'], new Set(['z']))).toBeNull();
  expect(rankOf([], new Set(['z']))).toBeNull();
});
