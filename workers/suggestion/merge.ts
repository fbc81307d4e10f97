/** What the retrievers found → the passages of both arms in one order. Scores of different arms don't compare; ranks do. */
import type { Arm, Hit } from '../../shared/pipeline.ts';

/** How many passages an arm gives to the union, however many shards it has (SIDE, "Retrieval": 100 + 100). */
const TOP = 100;

/** Rankings by arm, best first: the shards of an arm are one ranking, by score, so that each arm has one voice. */
export function mergeShards(answers: readonly { arm: Arm; hits: readonly Hit[] }[], top = TOP): Hit[][] {
  const arms = new Map<Arm, Hit[]>();
  for (const { arm, hits } of answers) arms.set(arm, [...(arms.get(arm) ?? []), ...hits]);
  // a shard's own order stands where scores are equal: sorting is stable
  return [...arms.values()].map((hits) => hits.sort((a, b) => b.score - a.score).slice(0, top));
}

/**
 * The union of the arms by reciprocal rank fusion, Σ 1 / (60 + rank) (Cormack, Clarke and Büttcher, SIGIR 2009). Passage ids,
 * best first.
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

/** The union of the arms in turn: the first of each, the second of each, and so on. Passage ids, each once. */
export function uniteHits(rankings: readonly (readonly Hit[])[]): number[] {
  const longest = Math.max(0, ...rankings.map((ranking) => ranking.length));
  const united = Array.from({ length: longest }, (_, at) =>
    rankings.flatMap((ranking) => ranking[at]?.passageId ?? []),
  );
  return [...new Set(united.flat())];
}

/** The pages of passages that are ordered best first: a page stands where its best passage does, and has that one with it. */
export function toPages<P extends { pageId: number }>(passages: readonly P[]): P[] {
  const seen = new Set<number>();
  return passages.filter(({ pageId }) => !seen.has(pageId) && seen.add(pageId));
}

const RANK_OFFSET = 60;
