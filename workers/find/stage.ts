/**
 * Stage `find`: a sentence → what the corpus has for and against it, through the queues, so that shards on other hosts answer. The
 * first job chooses a generation and comes again as parent of its retrievers; the second arranges what they found. Shards that are
 * lost give a partial answer that says so. Fetches nothing.
 */
import type { Found } from '../../shared/found.ts';
import type { Context, Handler, Input, Next } from '../../shared/pipeline.ts';
import type { PassageRanker } from '../suggestion/rank.ts';
import type { ExclusionOptions } from '../suggestion/reliability/exclusions.ts';
import { isForeign } from '../verification/language.ts';
import type { SearchedGeneration } from '../verification/verify.ts';
import { type ArrangeParts, arrange, nothingFound } from './arrange.ts';

export interface FindDependencies {
  /** Null where there is no corpus yet. */
  current(): Promise<SearchedGeneration | null>;
  /** Null for a generation that is no longer there. */
  openCorpus(generation: string): Promise<ArrangeParts['corpus'] | null>;
  ranker: PassageRanker;
  /** As they stand now. */
  exclusions(): Promise<ExclusionOptions>;
}

export function createFind({ current, openCorpus, ranker, exclusions }: FindDependencies): Handler<'find'> {
  return async (input, context) => {
    const { claim, generation } = input;
    if (generation !== undefined) return tell(input, await arrangeAnswers(input, generation, context));
    if (isForeign(claim.text)) return tell(input, nothingFound(claim, 'unsupported_language', ''));
    const chosen = await current();
    if (chosen === null) return tell(input, nothingFound(claim, 'not_searched', ''));
    return { answer: null, next: [searchIn(chosen, input)] };
  };

  async function arrangeAnswers(
    { claim, wiki }: Input<'find'>,
    generation: string,
    { gathered, signal }: Context,
  ): Promise<Found> {
    const { retrieval: answers, coverage } = gathered;
    const corpus = await openCorpus(generation);
    if (corpus !== null) {
      const parts = { ranker, corpus, generation, wiki, exclusions: await exclusions() };
      return arrange(claim, { answers, searched: coverage }, parts, signal);
    }
    const { shardsAsked, missing } = coverage;
    const searched = { shardsAsked, shardsAnswered: 0, missing: [...missing, 'corpus'] };
    return { ...nothingFound(claim, 'not_searched', generation), searched };
  }
}

function tell({ request }: Input<'find'>, found: Found) {
  return { answer: null, next: [{ stage: 'review' as const, input: { kind: 'found' as const, request, found } }] };
}

/** Every arm of one generation, whatever becomes the current one meanwhile. */
function searchIn({ generation, shards }: SearchedGeneration, { wiki, claim, request }: Input<'find'>): Next {
  const asked = { wiki, claim, request, generation };
  const dense = shards.map(({ shard }): Next => ({ stage: 'retrieval-dense', input: { ...asked, shard } }));
  return { stage: 'find', input: asked, children: [{ stage: 'retrieval-sparse', input: asked }, ...dense] };
}
