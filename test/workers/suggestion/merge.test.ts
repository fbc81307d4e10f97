import { mergeHits, toPages } from '../../../workers/suggestion/merge.ts';

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
});

test('a page stands where its best passage does', () => {
  const passages = ['b', 'a', 'b', 'c'].map((sourceKey) => ({ sourceKey }));
  expect(toPages(passages)).toEqual(['b', 'a', 'c']);
});
