/**
 * A claim and what the retrievers found → evidence in three columns: pages that support it, pages that say otherwise, others that
 * deal with it. Who asked the retrievers, directly or by queues, makes no difference. Judges by passages, not whole pages.
 */
import type { SearchCoverage } from '../../shared/citation.ts';
import type { Found, Row } from '../../shared/found.ts';
import type { Arm, Retrieved } from '../../shared/pipeline.ts';
import type { CorpusPassage, CorpusStore } from '../retrieval/corpus/store.ts';
import { whyNotAddress } from '../suggestion/candidates.ts';
import { mergePages } from '../suggestion/merge.ts';
import type { PassageRanker } from '../suggestion/rank.ts';
import type { ExclusionOptions } from '../suggestion/reliability/exclusions.ts';
import { type ClaimText, type ReadClaim, readClaim } from '../verification/claim.ts';
import { type Assessed, assess, toRow } from './assess.ts';
import { findDetails } from './details.ts';
import { keepNovel } from './novelty.ts';
import { bestOfPages, isRefuting, isSupporting, overallVerdict } from './verdict.ts';

/** What one arm, or one shard of it, answered. */
export type Answer = Retrieved & { arm: Arm };

export interface ArrangeParts {
  ranker: PassageRanker;
  corpus: Pick<CorpusStore, 'places' | 'passages'>;
  generation: string;
  /** For which is searched: what may not be suggested on it, a copy of it first of all, counts neither for nor against a claim. */
  wiki: string;
  exclusions: ExclusionOptions;
}

/** Where nothing answered nothing is known: `not_searched`. Throws what a model throws, and the signal's reason when aborted. */
export async function arrange(
  claim: ClaimText,
  { answers, searched }: { answers: readonly Answer[]; searched: SearchCoverage },
  parts: ArrangeParts,
  signal: AbortSignal,
): Promise<Found> {
  const { ranker, generation } = parts;
  const empty = { ...nothingFound(claim, 'not_searched', generation), searched };
  if (searched.shardsAnswered === 0) return empty;
  const noWordKnown = answers.some(({ arm }) => arm === 'sparse') && answers.every(isWithoutWord);
  const passages = choosePassages(parts, answers);
  signal.throwIfAborted();
  const columns = toColumns(readClaim(claim), passages, await ranker.rank(claim, passages));
  return { ...empty, ...columns, verdict: overallVerdict(columns), noWordKnown };
}

/** Of a search that did not take place. */
export function nothingFound(
  { text: claim }: Pick<ClaimText, 'text'>,
  verdict: 'not_searched' | 'unsupported_language',
  generation: string,
): Found {
  const searched = { shardsAsked: 0, shardsAnswered: 0, missing: [] };
  return { claim, verdict, supports: [], refutes: [], other: [], noWordKnown: false, generation, searched };
}

function isWithoutWord({ arm, hits, shards }: Answer): boolean {
  return arm === 'dense' || (hits.length === 0 && shards.answered === shards.asked);
}

/** The first of the union, without those that say the same again and those of pages that are ruled out. */
function choosePassages({ corpus, wiki, exclusions }: ArrangeParts, answers: readonly Answer[]): CorpusPassage[] {
  const found = corpus.places(answers.flatMap(({ hits }) => hits.map(({ passageId }) => passageId)));
  const places = found.filter(({ url }) => whyNotAddress({ wiki, citations: [] }, url, exclusions) === null);
  const hits = mergePages(answers, new Map(places.map(({ id, pageId }) => [id, pageId])));
  return keepNovel(corpus.passages(hits.slice(0, 2 * RANKED).map(({ passageId }) => passageId)), RANKED);
}

type Columns = Pick<Found, 'supports' | 'refutes' | 'other'>;

/** One row a page: its best passage. A page that supports the claim in one place is no page that refutes it. */
function toColumns(
  claim: ReadClaim,
  passages: readonly CorpusPassage[],
  opinions: Awaited<ReturnType<PassageRanker['rank']>>,
): Columns {
  const assessed = passages.flatMap((passage, at) => {
    const opinion = opinions[at];
    return opinion === undefined ? [] : [assess(claim, passage, opinion)];
  });
  const pages = bestOfPages(assessed);
  const details = findDetails(claim.said);
  const column = (of: Assessed[]): Row[] => of.slice(0, COLUMN).flatMap((one) => toRow(claim, details, one) ?? []);
  return {
    supports: column(pages.filter(isSupporting)),
    refutes: column(pages.filter(isRefuting)),
    other: column(pages.filter((page) => !isSupporting(page) && !isRefuting(page))),
  };
}

/** What the cross-encoder reads within a second on two cores: deploy/decisions/find.md. */
const RANKED = 24;
const COLUMN = 5;
