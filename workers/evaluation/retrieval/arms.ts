/**
 * A claim → the pages that each way of searching finds, best first, and what it took. The searches are those of the stages
 * `retrieval-*` and `suggestion`; nothing of theirs is done anew here.
 */
import type { Hit } from '../../../shared/pipeline.ts';
import { canonicalUrl } from '../../../shared/url.ts';
import { encodeClaim } from '../../retrieval/dense/encode.ts';
import { toWords } from '../../retrieval/sparse/query.ts';
import { mergeHits } from '../../suggestion/merge.ts';
import type { Verifier } from '../../verification/verifier.ts';
import type { EvaluationCorpus } from './corpus.ts';
import type { Arm } from './names.ts';
import type { Query } from './queries.ts';

/** Pages by canonical URL, each where its best passage stands. */
export interface Ranking {
  pages: string[];
  ms: number;
}

export type Rankings = Partial<Record<Arm, Ranking>>;

export interface SearchDependencies {
  corpus: EvaluationCorpus;
  verifier: Pick<Verifier, 'verify'>;
  arms: readonly Arm[];
}

/** `merged` takes as long as both arms one after the other, and `ranked` as long as that and the verifier. */
export function createSearch({ corpus, verifier, arms }: SearchDependencies): (query: Query) => Promise<Rankings> {
  const toPages = (ids: number[]) => pagesOf(corpus, ids);
  return async ({ claim }) => {
    const needs = (...named: Arm[]) => named.some((arm) => arms.includes(arm));
    const rankings: Rankings = {};
    const sparse = await timed(async () => (needs('sparse', 'merged', 'ranked') ? searchSparse(corpus, claim) : []));
    const dense = await timed(async () => (needs('dense', 'merged', 'ranked') ? searchDense(corpus, claim) : []));
    if (needs('sparse')) rankings.sparse = { pages: toPages(idsOf(sparse.value)), ms: sparse.ms };
    if (needs('dense')) rankings.dense = { pages: toPages(idsOf(dense.value)), ms: dense.ms };
    if (!needs('merged', 'ranked')) return rankings;
    const both = [sparse.value, dense.value].map((hits) => hits.slice(0, MERGED));
    const merged = await timed(async () => toPages(mergeHits(both)));
    const mergedMs = sparse.ms + dense.ms + merged.ms;
    if (needs('merged')) rankings.merged = { pages: merged.value, ms: mergedMs };
    if (!needs('ranked')) return rankings;
    const ranked = await timed(() => rank(corpus, verifier, claim, merged.value));
    return { ...rankings, ranked: { pages: ranked.value, ms: mergedMs + ranked.ms } };
  };
}

function searchSparse({ sparse }: EvaluationCorpus, claim: Query['claim']): Promise<Hit[]> {
  return sparse.search(toWords(claim), SEARCHED);
}

async function searchDense({ dense, encoder }: EvaluationCorpus, claim: Query['claim']): Promise<Hit[]> {
  return dense.search(await encodeClaim(encoder, claim), SEARCHED);
}

async function rank(
  corpus: EvaluationCorpus,
  verifier: Pick<Verifier, 'verify'>,
  claim: Query['claim'],
  pages: string[],
): Promise<string[]> {
  const judged: { page: string; score: number }[] = [];
  for (const page of pages.slice(0, JUDGED)) {
    const { score } = await verifier.verify(claim, [await corpus.page(page)]);
    judged.push({ page, score });
  }
  const best = judged.sort((a, b) => b.score - a.score).map(({ page }) => page);
  return [...best, ...pages.slice(JUDGED)];
}

function pagesOf({ corpus }: EvaluationCorpus, ids: number[]): string[] {
  return [...new Set(corpus.passages(ids).map(({ url }) => canonicalUrl(url) ?? url))];
}

function idsOf(hits: readonly Hit[]): number[] {
  return hits.map(({ passageId }) => passageId);
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

/** Passages of an arm by itself: what a success rate at 200 needs. */
const SEARCHED = 200;
/** Passages that each arm gives to the union, as in SIDE ("Retrieval": 100 + 100). */
const MERGED = 100;
/** Pages that the verifier judges: suggest.ts. */
const JUDGED = 10;
