/**
 * A claim → the pages that each way of searching finds, best first, and what it took. The searches are those of the stages
 * `retrieval-*` and `suggestion`; nothing of theirs is done anew here.
 */
import type { Hit } from '../../../shared/pipeline.ts';
import { canonicalUrl } from '../../../shared/url.ts';
import { encodeClaim } from '../../retrieval/dense/encode.ts';
import type { Expander } from '../../retrieval/expansion/expander.ts';
import { searchSparse } from '../../retrieval/sparse/retrieve.ts';
import { mergePages, mergeShards } from '../../suggestion/merge.ts';
import { type PassageRanker, rankScore } from '../../suggestion/rank.ts';
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
  return mergePages(answers, pageOf);
}

/** As the stage `suggestion` ranks the first of the union (judge-candidates.ts), but for what may not be suggested. The others stay behind. */
async function rank(
  { corpus: { generation }, ranker }: SearchDependencies,
  claim: Query['claim'],
  merged: readonly Hit[],
): Promise<Hit[]> {
  const scores = new Map(merged.map(({ passageId, score }) => [passageId, score]));
  const passages = generation.corpus.passages(merged.slice(0, RANKED).map(({ passageId }) => passageId));
  const opinions = await ranker.rank(claim, passages);
  const ranked = passages.flatMap(({ id: passageId }, at): Hit[] => {
    const opinion = opinions[at];
    return opinion === undefined ? [] : [{ passageId, score: rankScore(scores.get(passageId) ?? 0, opinion) }];
  });
  return [...ranked.sort((a, b) => b.score - a.score), ...merged];
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
const NEVER = new AbortController().signal;
