/**
 * A claim → the pages that each way of searching finds, best first, and what it took. The searches are those of the stages
 * `retrieval-*` and `suggestion`; nothing of theirs is done anew here.
 */
import type { Hit } from '../../../shared/pipeline.ts';
import { canonicalUrl } from '../../../shared/url.ts';
import type { CorpusPassage } from '../../retrieval/corpus/store.ts';
import { encodeClaim } from '../../retrieval/dense/encode.ts';
import type { Expander } from '../../retrieval/expansion/expander.ts';
import { searchSparse } from '../../retrieval/sparse/retrieve.ts';
import { mergePages, mergeShards, toPages } from '../../suggestion/merge.ts';
import type { PassageRanker } from '../../suggestion/rank.ts';
import { chanceOfSupport, measureSupport } from '../../suggestion/support.ts';
import { readClaim } from '../../verification/claim.ts';
import type { Opinion } from '../../verification/features.ts';
import type { Page } from '../../verification/passages.ts';
import { readPage } from '../../verification/select.ts';
import type { ClaimText, Judgement } from '../../verification/verifier.ts';
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
  expander: Expander;
  ranker: PassageRanker;
  verifier: { verify(claim: ClaimText, pages: readonly Page[]): Promise<Pick<Judgement, 'score'>> };
  arms: readonly Arm[];
}

/** `merged` takes as long as both arms one after the other, and `ranked` as long as that and the models. */
export function createSearch(dependencies: SearchDependencies): (query: Query) => Promise<Rankings> {
  const { corpus, arms } = dependencies;
  const needs = (...named: Arm[]) => named.some((arm) => arms.includes(arm));
  return async ({ claim }) => {
    const rankings: Rankings = {};
    const sparse = await timed(() => searchWords(dependencies, claim), needs('sparse', 'merged', 'ranked'));
    const dense = await timed(() => searchDense(corpus, claim), needs('dense', 'merged', 'ranked'));
    if (needs('sparse')) rankings.sparse = { pages: pagesOf(corpus, sparse.hits), ms: sparse.ms };
    if (needs('dense')) rankings.dense = { pages: pagesOf(corpus, dense.hits), ms: dense.ms };
    const merged = await timed(async () => merge(corpus, sparse.hits, dense.hits), needs('merged', 'ranked'));
    const mergedMs = sparse.ms + dense.ms + merged.ms;
    if (needs('merged')) rankings.merged = { pages: pagesOf(corpus, merged.hits), ms: mergedMs };
    if (!needs('ranked')) return rankings;
    const ranked = await timed(() => rank(dependencies, claim, merged.hits), true);
    return { ...rankings, ranked: { pages: pagesOf(corpus, ranked.hits), ms: mergedMs + ranked.ms } };
  };
}

async function searchWords(
  { corpus: { generation }, expander }: SearchDependencies,
  claim: Query['claim'],
): Promise<Hit[]> {
  const searched = { index: await generation.sparse(), corpus: generation.corpus, expander };
  return (await searchSparse(searched, claim, SEARCHED, NEVER)).hits;
}

async function searchDense({ generation, encoder }: EvaluationCorpus, claim: Query['claim']): Promise<Hit[]> {
  const vector = await encodeClaim(encoder, claim);
  const shards = generation.corpus.shards().map(({ shard }) => generation.dense(shard).search(vector, SEARCHED));
  const [merged] = mergeShards(
    shards.map((hits) => ({ arm: 'dense', hits })),
    SEARCHED,
  );
  return merged ?? [];
}

function merge({ generation: { corpus } }: EvaluationCorpus, sparse: readonly Hit[], dense: readonly Hit[]): Hit[] {
  const ids = [...sparse, ...dense].map(({ passageId }) => passageId);
  const pageOf = new Map(corpus.places(ids).map(({ id, pageId }) => [id, pageId]));
  const answers = [
    { arm: 'sparse', hits: sparse },
    { arm: 'dense', hits: dense },
  ] as const;
  return toHits(mergePages(answers, pageOf));
}

/**
 * As the stage `suggestion` does (judge-candidates.ts), but for what may not be suggested: passages by their support, and the first
 * pages of these by the verifier. The others stay behind them.
 */
async function rank(
  { corpus: { generation }, ranker, verifier }: SearchDependencies,
  claim: Query['claim'],
  merged: readonly Hit[],
): Promise<Hit[]> {
  const passages = generation.corpus.passages(merged.slice(0, RANKED).map(({ passageId }) => passageId));
  const supporting = orderBySupport(claim, passages, await ranker.rank(claim, passages));
  const judged: { id: number; score: number }[] = [];
  for (const { id, pageId } of toPages(supporting).slice(0, JUDGED)) {
    const page = generation.corpus.page(pageId);
    if (page !== null) judged.push({ id, score: (await verifier.verify(claim, [page])).score });
  }
  const first = judged.sort((a, b) => b.score - a.score).map(({ id }) => id);
  return [...toHits([...first, ...supporting.map(({ id }) => id)]), ...merged];
}

function orderBySupport(
  claim: Query['claim'],
  passages: readonly CorpusPassage[],
  opinions: readonly Opinion[],
): CorpusPassage[] {
  const read = readClaim(claim);
  const ranked = passages.flatMap((passage, at) => {
    const opinion = opinions[at];
    if (opinion === undefined) return [];
    return { passage, support: chanceOfSupport(measureSupport(read, opinion, readPage(passage).terms)) };
  });
  return ranked.sort((a, b) => b.support - a.support).map(({ passage }) => passage);
}

function toHits(ids: readonly number[]): Hit[] {
  return ids.map((passageId, at) => ({ passageId, score: -at }));
}

function pagesOf({ generation }: EvaluationCorpus, hits: readonly Hit[]): string[] {
  const places = generation.corpus.places(hits.map(({ passageId }) => passageId));
  return [...new Set(places.map(({ url }) => canonicalUrl(url) ?? url))];
}

async function timed(work: () => Promise<Hit[]>, isNeeded: boolean): Promise<{ hits: Hit[]; ms: number }> {
  const start = performance.now();
  const hits = isNeeded ? await work() : [];
  return { hits, ms: performance.now() - start };
}

/** Passages of an arm by itself: what a success rate at 200 needs. */
const SEARCHED = 200;
const RANKED = 30;
const JUDGED = 4;
const NEVER = new AbortController().signal;
