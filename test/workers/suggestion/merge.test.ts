import { mergeHits, mergeShards, toPages, uniteHits } from '../../../workers/suggestion/merge.ts';

/** Scores that don't compare between arms. */
function aRanking(scale: number, ...ids: number[]) {
  return ids.map((passageId, rank) => ({ passageId, score: scale / (rank + 1) }));
}

test('a passage that both arms found stands before those that one found', () => {
  expect(mergeHits([aRanking(40, 1, 2, 3), aRanking(1, 4, 3)])).toEqual([3, 1, 4, 2]);
});

test('the scores of the arms are not compared', () => {
  expect(mergeHits([aRanking(1000, 1, 2), aRanking(0.1, 2, 1)]).sort()).toEqual([1, 2]);
  expect(mergeHits([aRanking(1000, 5, 6), aRanking(0.1, 6, 7)])[0]).toBe(6);
});

test('no arm answered: nothing', () => {
  expect(mergeHits([])).toEqual([]);
  expect(uniteHits([])).toEqual([]);
  expect(mergeShards([])).toEqual([]);
});

test('in the plain union the arms take turns, and what both found counts once', () => {
  expect(uniteHits([aRanking(40, 1, 2, 3), aRanking(1, 4, 1)])).toEqual([1, 4, 2, 3]);
});

test('the shards of an arm are one ranking, by score, so that many shards have no more say than one index', () => {
  const sparse = { arm: 'sparse' as const, hits: aRanking(30, 1, 2) };
  const shards = [aRanking(0.9, 7, 8), aRanking(0.8, 9)].map((hits) => ({ arm: 'dense' as const, hits }));
  const merged = mergeShards([sparse, ...shards]);
  expect(merged.map((hits) => hits.map(({ passageId }) => passageId))).toEqual([
    [1, 2],
    [7, 9, 8],
  ]);
});

test('an arm gives no more than its share, however many shards it has', () => {
  const shards = [aRanking(0.9, 7, 8), aRanking(0.8, 9)].map((hits) => ({ arm: 'dense' as const, hits }));
  expect(mergeShards(shards, 2)[0]?.map(({ passageId }) => passageId)).toEqual([7, 9]);
});

test('a page stands where its best passage does', () => {
  const passages = [2, 1, 2, 3].map((pageId, at) => ({ pageId, id: at }));
  expect(toPages(passages)).toEqual([
    { pageId: 2, id: 0 },
    { pageId: 1, id: 1 },
    { pageId: 3, id: 3 },
  ]);
});
