/** What the retrievers found → the passages of both arms in one order. Scores of different arms don't compare as they are. */
import { type Arm, type Hit, TOP } from '../../shared/pipeline.ts';

export interface Answer {
  arm: Arm;
  hits: readonly Hit[];
}

/**
 * The union of the arms, pages by score: what each arm gives to a page's best passage, as a share of what it gives to the best of
 * all; an arm that has not found the page gives it what it gives to its last. Best first, scores up to 1; the passages of a page
 * stand no higher than the page. `pageOf`: page by passage id; passages that it has not are left out. Measured best
 * (deploy/decisions/suggestions.md).
 */
export function mergePages(answers: readonly Answer[], pageOf: ReadonlyMap<number, number>): Hit[] {
  const arms = [...groupByArm(answers)].flatMap(([arm, hits]) => readArm(arm, hits, pageOf));
  const ids = [...new Set(arms.flatMap(({ ids }) => ids))];
  const pages = new Map<number, { score: number; passages: { id: number; score: number }[] }>();
  for (const id of ids) {
    const page = pageOf.get(id) ?? -1;
    const known = pages.get(page) ?? { score: sum(arms.map(({ ofPage }) => ofPage(page))), passages: [] };
    known.passages.push({ id, score: sum(arms.map(({ ofPassage }) => ofPassage(id))) });
    pages.set(page, known);
  }
  return [...pages.values()]
    .flatMap(({ score, passages }) => {
      const [best, ...rest] = passages.sort((a, b) => b.score - a.score);
      const others = rest.map(({ id, score: own }) => ({ passageId: id, score: Math.min(own, score) }));
      return best === undefined ? [] : [{ passageId: best.id, score }, ...others];
    })
    .sort((a, b) => b.score - a.score);
}

/** None for an arm that found nothing: the other stands alone. */
function readArm(arm: Arm, all: readonly Hit[], pageOf: ReadonlyMap<number, number>) {
  const hits = all.filter(({ passageId }) => pageOf.has(passageId));
  const [top, last] = [hits[0]?.score ?? 0, hits.at(-1)?.score ?? 0];
  if (top <= 0) return [];
  const passages = new Map(hits.map(({ passageId, score }) => [passageId, score]));
  const pages = new Map<number, number>();
  for (const { passageId, score } of hits) {
    const page = pageOf.get(passageId) ?? -1;
    if (!pages.has(page)) pages.set(page, score);
  }
  const shareOf = (score: number | undefined) => (SHARES[arm] * (score ?? last)) / top;
  return [
    {
      ids: [...passages.keys()],
      ofPassage: (id: number) => shareOf(passages.get(id)),
      ofPage: (page: number) => shareOf(pages.get(page)),
    },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Rankings by arm, best first: the shards of an arm are one ranking, by score, so that each arm has one voice. */
export function mergeShards(answers: readonly Answer[], top = TOP): Hit[][] {
  return [...groupByArm(answers, top).values()];
}

function groupByArm(answers: readonly Answer[], top = TOP): Map<Arm, Hit[]> {
  const arms = new Map<Arm, Hit[]>();
  for (const { arm, hits } of answers) arms.set(arm, [...(arms.get(arm) ?? []), ...hits]);
  // a shard's own order stands where scores are equal: sorting is stable
  return new Map([...arms].map(([arm, hits]) => [arm, hits.sort((a, b) => b.score - a.score).slice(0, top)]));
}

/**
 * The measured alternative: the union of the arms by reciprocal rank fusion, Σ 1 / (60 + rank) (Cormack, Clarke and Büttcher, SIGIR 2009). Passage ids,
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

/** The pages of passages that are ordered best first: a page stands where its best passage does, and has that one with it. */
export function toPages<P extends { pageId: number }>(passages: readonly P[]): P[] {
  const seen = new Set<number>();
  return passages.filter(({ pageId }) => !seen.has(pageId) && seen.add(pageId));
}

/** What each arm counts: from .6 to .8 for the words is as good (deploy/decisions/suggestions.md). */
const SHARES: Record<Arm, number> = { sparse: 0.6, dense: 0.4 };
const RANK_OFFSET = 60;
