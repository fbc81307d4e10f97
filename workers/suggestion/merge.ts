/** Rankings of the arms → one ranking of passages, one of pages. */
import type { Hit } from '../../shared/pipeline.ts';
import type { CorpusPassage } from '../retrieval/corpus/store.ts';

/**
 * The union of the rankings by reciprocal rank fusion, Σ 1 / (60 + rank) (Cormack, Clarke and Büttcher, SIGIR 2009): scores
 * of different arms don't compare. Passage ids, best first.
 */
export function mergeHits(rankings: readonly (readonly Hit[])[]): number[] {
  const fused = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [at, { passageId }] of ranking.entries()) {
      fused.set(passageId, (fused.get(passageId) ?? 0) + 1 / (RANK_OFFSET + at + 1));
    }
  }
  return [...fused].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

/** Keys of the passages' pages, each where its best passage stands. */
export function toPages(passages: readonly Pick<CorpusPassage, 'sourceKey'>[]): string[] {
  return [...new Set(passages.map((passage) => passage.sourceKey))];
}

const RANK_OFFSET = 60;
