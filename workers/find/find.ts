/**
 * A free claim → evidence in three columns: pages that support it, pages that say otherwise, others that deal with it. Both arms are
 * asked directly, without queues; an arm that gives no answer is named. Fetches nothing and judges by passages, not whole pages.
 */
import type { SearchCoverage } from '../../shared/citation.ts';
import { RefuseToStart, TransientError } from '../../shared/errors.ts';
import type { Found, Row } from '../../shared/found.ts';
import type { Arm, Retrieved } from '../../shared/pipeline.ts';
import type { CorpusPassage, CorpusStore } from '../retrieval/corpus/store.ts';
import { mergePages } from '../suggestion/merge.ts';
import type { PassageRanker } from '../suggestion/rank.ts';
import { type ClaimText, type ReadClaim, readClaim } from '../verification/claim.ts';
import { isForeign } from '../verification/language.ts';
import { type Assessed, assess, toRow } from './assess.ts';
import { findDetails } from './details.ts';
import { keepNovel } from './novelty.ts';
import { bestOfPages, isRefuting, isSupporting, overallVerdict } from './verdict.ts';

/** One arm, or one shard of it. */
export interface Retriever {
  arm: Arm;
  /** Named where it gives no answer: `retrieval-dense-3`. */
  name: string;
  search(claim: ClaimText, signal: AbortSignal): Promise<Retrieved>;
}

export interface FindParts {
  retrievers: readonly Retriever[];
  ranker: PassageRanker;
  corpus: Pick<CorpusStore, 'places' | 'passages'>;
  generation: string;
}

/** What the cross-encoder reads within a second on two cores: deploy/decisions/find.md. */
const RANKED = 24;
const COLUMN = 5;

/** `claim.title`: of the article it stands in, or ''. Throws what a model throws, and the signal's reason when aborted. */
export async function find(claim: ClaimText, parts: FindParts, signal: AbortSignal): Promise<Found> {
  if (isForeign(claim.text)) return { ...nothing(claim, parts), verdict: 'unsupported_language' };
  const { answers, searched } = await askAll(claim, parts.retrievers, signal);
  const noWordKnown = answers.some(({ arm }) => arm === 'sparse') && answers.every(isWithoutWord);
  if (searched.shardsAnswered === 0) return { ...nothing(claim, parts), searched };
  const passages = choosePassages(parts.corpus, answers);
  signal.throwIfAborted();
  const columns = arrange(readClaim(claim), passages, await parts.ranker.rank(claim, passages));
  return { ...nothing(claim, parts), ...columns, verdict: overallVerdict(columns), noWordKnown, searched };
}

function nothing({ text: claim }: ClaimText, { generation }: FindParts): Found {
  const searched = { shardsAsked: 0, shardsAnswered: 0, missing: [] };
  const columns = { supports: [], refutes: [], other: [] };
  return { claim, verdict: 'not_searched', ...columns, noWordKnown: false, generation, searched };
}

type Answer = Retrieved & { arm: Arm };

function isWithoutWord({ arm, hits, shards }: Answer): boolean {
  return arm === 'dense' || (hits.length === 0 && shards.answered === shards.asked);
}

/** An arm that is down or not on this host costs its passages, not the answer. */
async function askAll(
  claim: ClaimText,
  retrievers: readonly Retriever[],
  signal: AbortSignal,
): Promise<{ answers: Answer[]; searched: SearchCoverage }> {
  const searched: SearchCoverage = { shardsAsked: 0, shardsAnswered: 0, missing: [] };
  const asked = retrievers.map(async ({ arm, name, search }): Promise<Answer | null> => {
    const answer = await search(claim, signal).catch((error: unknown) => {
      if (error instanceof RefuseToStart || (error instanceof TransientError && !signal.aborted)) return null;
      throw error;
    });
    searched.shardsAsked += answer?.shards.asked ?? 1;
    searched.shardsAnswered += answer?.shards.answered ?? 0;
    if (answer === null) searched.missing.push(name);
    return answer === null ? null : { ...answer, arm };
  });
  const answers = (await Promise.all(asked)).filter((answer) => answer !== null);
  return { answers, searched };
}

/** The first of the union, without those that say the same again. */
function choosePassages(corpus: FindParts['corpus'], answers: readonly Answer[]): CorpusPassage[] {
  const places = corpus.places(answers.flatMap(({ hits }) => hits.map(({ passageId }) => passageId)));
  const hits = mergePages(answers, new Map(places.map(({ id, pageId }) => [id, pageId])));
  return keepNovel(corpus.passages(hits.slice(0, 2 * RANKED).map(({ passageId }) => passageId)), RANKED);
}

type Columns = Pick<Found, 'supports' | 'refutes' | 'other'>;

/** One row a page: its best passage. A page that supports the claim in one place is no page that refutes it. */
function arrange(
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
