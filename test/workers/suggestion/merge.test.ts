import { type Answer, mergeHits, mergePages, mergeShards, toPages } from '../../../workers/suggestion/merge.ts';

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
  expect(mergeShards([])).toEqual([]);
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

describe('pages by score', () => {
  const hits = (...scored: [number, number][]) => scored.map(([passageId, score]) => ({ passageId, score }));
  /** Passages 10 to 19 are of page 1, and so on. */
  const pageOf = new Map([10, 11, 20, 21, 30].map((id) => [id, Math.floor(id / 10)]));
  const merge = (...answers: Answer[]) => mergePages(answers, pageOf).map(({ passageId }) => passageId);

  test('a page that both arms found in different passages stands before one that an arm found', () => {
    const sparse = { arm: 'sparse' as const, hits: hits([20, 8], [10, 7.6], [30, 1]) };
    const dense = { arm: 'dense' as const, hits: hits([11, 0.9], [30, 0.4]) };
    expect(toPages(merge(sparse, dense).map((id) => ({ pageId: pageOf.get(id) ?? 0 })))[0]?.pageId).toBe(1);
  });

  test('what an arm has not found counts as its last, not as nothing', () => {
    const dense = { arm: 'dense' as const, hits: hits([10, 0.5], [20, 0.45]) };
    const level = { arm: 'sparse' as const, hits: hits([20, 10], [30, 9.9]) };
    expect(merge(level, dense)[0]).toBe(10);
    const steep = { arm: 'sparse' as const, hits: hits([20, 10], [30, 5]) };
    expect(merge(steep, dense)[0]).toBe(20);
  });

  test('the scale of an arm does not matter', () => {
    const sparse = hits([20, 8], [10, 4]);
    const dense = { arm: 'dense' as const, hits: hits([10, 0.9], [30, 0.8]) };
    const scaled = sparse.map(({ passageId, score }) => ({ passageId, score: 1000 * score }));
    expect(mergePages([{ arm: 'sparse', hits: scaled }, dense], pageOf)).toEqual(
      mergePages([{ arm: 'sparse', hits: sparse }, dense], pageOf),
    );
  });

  test('one arm alone keeps its order, and so do shards of one', () => {
    const shards = [hits([10, 0.9], [20, 0.2]), hits([30, 0.5])].map((of) => ({ arm: 'dense' as const, hits: of }));
    expect(merge(...shards)).toEqual([10, 30, 20]);
    expect(merge(...shards, { arm: 'sparse', hits: [] })).toEqual([10, 30, 20]);
  });

  test('passages that the corpus no longer has are left out, each other one stands once', () => {
    const dense = { arm: 'dense' as const, hits: hits([99, 0.9], [10, 0.8], [11, 0.7]) };
    const sparse = { arm: 'sparse' as const, hits: hits([11, 3], [10, 2]) };
    expect(merge(dense, sparse).toSorted()).toEqual([10, 11]);
    expect(merge()).toEqual([]);
  });
});

test('a page that is first in both arms has the score 1', () => {
  const pageOf = new Map([[10, 1]]);
  const hits = [{ passageId: 10, score: 7 }];
  expect(
    mergePages(
      [
        { arm: 'sparse', hits },
        { arm: 'dense', hits },
      ],
      pageOf,
    ),
  ).toEqual([{ passageId: 10, score: 1 }]);
});
