/**
 * Stage `suggestion`: a finding and what the retrievers found → the finding with a better source, if there is one that a reader can
 * open now, and with how much of the corpus was searched. What no part of the corpus answered is "not searched".
 */
import type { SearchCoverage, Suggestion } from '../../shared/citation.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Context, Handler, Input } from '../../shared/pipeline.ts';
import { type PassedOver, whyNotPage } from './candidates.ts';
import {
  type Candidate,
  type JudgeDependencies,
  judgeCandidates,
  type SearchedCorpus,
  type Tell,
} from './judge-candidates.ts';
import { mergePages } from './merge.ts';
import { type ReachDependencies, readNow } from './reach.ts';
import type { SiteLists } from './reliability/site-lists.ts';

export interface SuggestDependencies extends Omit<JudgeDependencies, 'exclusions'>, ReachDependencies {
  /** Null for a generation that is no longer there. */
  openCorpus(generation: string): Promise<SearchedCorpus | null>;
  /** As they stand now: one search goes by one state of the lists. */
  exclusions(): Promise<Exclusions>;
  log: Logger;
}

interface Exclusions {
  reliability: SiteLists;
  allowUserGenerated: boolean;
}

type SearchDependencies = Omit<SuggestDependencies, 'exclusions'> & { exclusions: Exclusions };

/** How much better P(supported) a suggestion must have than what is cited: deploy/decisions/suggestions.md. */
export const MARGIN = 0.15;

/** How many pages are looked up at their address: a search of a wiki's stream must not become a crawl. */
const REACHED = 3;

export function createSuggest(dependencies: SuggestDependencies): Handler<'suggestion'> {
  return async (input, context) => {
    const { finding, generation } = input;
    const { coverage } = context.gathered;
    const corpus = await dependencies.openCorpus(generation);
    const parts = { ...dependencies, exclusions: await dependencies.exclusions() };
    const suggestion = corpus === null ? null : await findSuggestion(input, corpus, parts, context);
    const searched = corpus === null ? nothingOf(coverage) : coverage;
    const next = { ...finding, suggestion, searched };
    const asked = input.request === undefined ? {} : { request: input.request };
    return { answer: null, next: [{ stage: 'review', input: { kind: 'finding', finding: next, ...asked } }] };
  };
}

/** Passages were found, but what they say is gone. */
function nothingOf({ shardsAsked, missing }: SearchCoverage): SearchCoverage {
  return { shardsAsked, shardsAnswered: 0, missing: [...missing, 'corpus'] };
}

async function findSuggestion(
  input: Input<'suggestion'>,
  corpus: SearchedCorpus,
  dependencies: SearchDependencies,
  { gathered, signal }: Context,
): Promise<Suggestion | null> {
  const { finding } = input;
  const log = dependencies.log.child({ page: finding.page.title, claim: finding.claim.hash });
  const counts: Partial<Record<PassedOver, number>> = {};
  const tell: Tell = (url, why) => {
    counts[why] = (counts[why] ?? 0) + 1;
    log.debug({ url, why }, 'not suggested');
  };
  const found = corpus.places(gathered.retrieval.flatMap(({ hits }) => hits.map(({ passageId }) => passageId)));
  const hits = mergePages(gathered.retrieval, new Map(found.map(({ id, pageId }) => [id, pageId])));
  const judged = await judgeCandidates(input, { corpus, hits }, dependencies, tell, signal);
  const suggestion = await chooseReachable(input, judged, dependencies, tell, signal);
  log.debug({ found: hits.length, judged: judged.length, passedOver: counts, url: suggestion?.url }, 'searched');
  return suggestion;
}

/** The best candidate that can be read now and is better by the margin as it stands there. */
async function chooseReachable(
  input: Input<'suggestion'>,
  judged: readonly Candidate[],
  dependencies: SearchDependencies,
  tell: Tell,
  signal: AbortSignal,
): Promise<Suggestion | null> {
  const beats = Math.max(dependencies.verifier.threshold, (input.finding.score ?? 0) + MARGIN);
  const better = judged.filter(({ score }) => score >= beats).slice(0, REACHED);
  for (const candidate of better) {
    signal.throwIfAborted();
    const suggestion = await asItStandsNow(input, candidate, dependencies, signal);
    if (typeof suggestion === 'string') tell(candidate.page.url, suggestion);
    else if (suggestion.score < beats) tell(candidate.page.url, 'not_better');
    else return suggestion;
  }
  return null;
}

/** Judged on the text that a reader would see, so that the quote stands in it. */
async function asItStandsNow(
  { finding, article }: Input<'suggestion'>,
  { page }: Candidate,
  dependencies: SearchDependencies,
  signal: AbortSignal,
): Promise<Suggestion | PassedOver> {
  const { verifier, exclusions } = dependencies;
  const source = await readNow(page.url, dependencies, signal);
  if (source.kind === 'unavailable') return 'unreachable';
  const why = whyNotPage(finding, article, source, exclusions);
  if (why !== null) return why;
  const { score, evidence } = await verifier.verify(finding.claim, [source]);
  if (evidence === null) return 'not_better';
  const { url, title, fetchedAt, publishedAt } = source;
  const dates = { fetchedAt, ...(publishedAt && { publishedAt }) };
  return { url, title, score, evidence, ...dates, reliability: exclusions.reliability.reliability(finding.wiki, url) };
}
