/**
 * Passages that retrieval found → the pages that deserve a judgement, and their judgements: passages are ranked one by one
 * (support.ts), the verifier judges the first pages as it would judge a cited one. Nothing is fetched.
 */
import type { Finding } from '../../shared/citation.ts';
import type { Hit } from '../../shared/pipeline.ts';
import type { Fingerprint } from '../../shared/shingles.ts';
import type { CorpusPassage, CorpusStore, StoredPage } from '../retrieval/corpus/store.ts';
import { readClaim } from '../verification/claim.ts';
import { readPage } from '../verification/select.ts';
import type { Verifier } from '../verification/verifier.ts';
import { type PassedOver, whyNotAddress, whyNotText } from './candidates.ts';
import { toPages } from './merge.ts';
import { type PassageRanker, rankScore } from './rank.ts';
import type { ExclusionOptions } from './reliability/exclusions.ts';
import { chanceOfSupport, measureSupport } from './support.ts';

/** How many passages the cross-encoder reads, and how many pages the verifier judges: deploy/decisions/suggestions.md. */
const RANKED = 30;
const JUDGED = 4;
/** Hardly a page whose best passage has less reaches the verifier's threshold. */
const LEAST_SUPPORT = 0.2;

export type SearchedCorpus = Pick<CorpusStore, 'places' | 'passages' | 'page'>;

export interface JudgeDependencies {
  verifier: Pick<Verifier, 'verify' | 'threshold'>;
  ranker: PassageRanker;
  exclusions: ExclusionOptions;
}

export interface Candidate {
  page: StoredPage;
  score: number;
}

export type Tell = (url: string, why: PassedOver) => void;

/** Best first. `tell`: of each page that is passed over. Throws the signal's reason when aborted. */
export async function judgeCandidates(
  { finding, article }: { finding: Finding; article: Fingerprint },
  found: { corpus: SearchedCorpus; hits: readonly Hit[] },
  dependencies: JudgeDependencies,
  tell: Tell,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const { verifier } = dependencies;
  const { corpus } = found;
  const passages = await rankPassages(finding, findPassages(finding, found, dependencies, tell), dependencies);
  const judged: Candidate[] = [];
  for (const { pageId } of toPages(passages)) {
    if (judged.length === JUDGED) break;
    signal.throwIfAborted();
    const page = corpus.page(pageId);
    if (page === null) continue; // replaced since it was found
    const why = whyNotText(finding, article, page.text);
    if (why !== null) tell(page.url, why);
    else judged.push({ page, score: (await verifier.verify(finding.claim, [page])).score });
  }
  return judged.sort((a, b) => b.score - a.score);
}

/** The first of those whose pages may be suggested. */
function findPassages(
  finding: Finding,
  { corpus, hits }: { corpus: SearchedCorpus; hits: readonly Hit[] },
  { exclusions }: JudgeDependencies,
  tell: Tell,
): Found[] {
  const places = corpus.places(hits.map(({ passageId }) => passageId));
  const excluded = new Set<string>();
  for (const url of new Set(places.map(({ url }) => url))) {
    const why = whyNotAddress(finding, url, exclusions);
    if (why === null) continue;
    excluded.add(url);
    tell(url, why);
  }
  const allowed = places.filter(({ url }) => !excluded.has(url)).slice(0, RANKED);
  const merged = new Map(hits.map(({ passageId, score }) => [passageId, score]));
  const passages = corpus.passages(allowed.map(({ id }) => id));
  return passages.map((passage) => ({ passage, merged: merged.get(passage.id) ?? 0 }));
}

/** `merged`: where retrieval puts it. */
interface Found {
  passage: CorpusPassage;
  merged: number;
}

/** Best first, without those that can hardly support the claim. */
async function rankPassages(
  { claim }: Finding,
  found: readonly Found[],
  { ranker }: JudgeDependencies,
): Promise<CorpusPassage[]> {
  const read = readClaim(claim);
  const opinions = await ranker.rank(
    claim,
    found.map(({ passage }) => passage),
  );
  const ranked = found.flatMap(({ passage, merged }, at) => {
    const opinion = opinions[at];
    if (opinion === undefined) return [];
    const support = chanceOfSupport(measureSupport(read, opinion, readPage(passage).terms));
    return support < LEAST_SUPPORT ? [] : [{ passage, score: rankScore(merged, opinion) }];
  });
  return ranked.sort((a, b) => b.score - a.score).map(({ passage }) => passage);
}
