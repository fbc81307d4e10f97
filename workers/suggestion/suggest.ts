/**
 * Stage `suggestion`: a finding and what the retrievers found → the finding with a better source, if there is one, and with
 * how much of the corpus was searched. Every candidate is judged as a cited page would be: by its whole text.
 */
import type { Finding, ReadableSource, Source, Suggestion } from '../../shared/citation.ts';
import type { Context, Handler, Input } from '../../shared/pipeline.ts';
import type { CorpusStore } from '../retrieval/corpus/store.ts';
import type { Verifier } from '../verification/verifier.ts';
import { isCandidate } from './candidates.ts';
import { mergeHits, toPages } from './merge.ts';

export interface SuggestDependencies {
  verifier: Pick<Verifier, 'verify' | 'threshold'>;
  corpus: Pick<CorpusStore, 'passages'>;
  store: { get(key: string): Promise<Source | null> };
}

/** How much better P(supported) a suggestion must have than what is cited: deploy/decisions/suggestions.md. */
export const MARGIN = 0.1;

/** How many pages are judged; the right one is hardly ever further down: deploy/decisions/suggestions.md. */
const JUDGED = 10;

export function createSuggest(dependencies: SuggestDependencies): Handler<'suggestion'> {
  return async ({ finding, article }, context) => {
    const candidates = await findCandidates(dependencies, { finding, article }, context);
    const best = await findBest(dependencies.verifier, finding, candidates, context.signal);
    const beats = Math.max(dependencies.verifier.threshold, (finding.score ?? 0) + MARGIN);
    const suggestion = best !== null && best.score >= beats ? best : null;
    const searched = context.gathered.coverage;
    const next = { ...finding, suggestion, searched };
    return { answer: null, next: [{ stage: 'review', input: { kind: 'finding', finding: next } }] };
  };
}

/** The pages of the best passages that may be suggested and can be read, best first. */
async function findCandidates(
  { corpus, store }: SuggestDependencies,
  { finding, article }: Input<'suggestion'>,
  { gathered }: Context,
): Promise<ReadableSource[]> {
  const ids = mergeHits(gathered.retrieval.map((answer) => answer.hits));
  const candidates: ReadableSource[] = [];
  for (const key of toPages(corpus.passages(ids))) {
    const page = await store.get(key);
    if (page?.kind === 'readable' && isCandidate(finding, article, page)) candidates.push(page);
    if (candidates.length === JUDGED) break;
  }
  return candidates;
}

/** The page with the highest score among those with a sentence to show. */
async function findBest(
  verifier: SuggestDependencies['verifier'],
  { claim }: Finding,
  candidates: ReadableSource[],
  signal: AbortSignal,
): Promise<Suggestion | null> {
  let best: Suggestion | null = null;
  for (const page of candidates) {
    signal.throwIfAborted();
    const { score, evidence } = await verifier.verify(claim, [page]);
    if (evidence !== null && score > (best?.score ?? -1)) best = { url: page.url, title: page.title, score, evidence };
  }
  return best;
}
