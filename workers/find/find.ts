/**
 * A free claim → evidence in three columns, now: both arms are asked directly, without queues, and an arm that gives no answer is
 * named. `stage.ts` asks through the queues, so that shards on other hosts answer too. Fetches nothing.
 */
import type { SearchCoverage } from '../../shared/citation.ts';
import { RefuseToStart, TransientError } from '../../shared/errors.ts';
import type { Found } from '../../shared/found.ts';
import type { Arm, Retrieved } from '../../shared/pipeline.ts';
import type { ClaimText } from '../verification/claim.ts';
import { isForeign } from '../verification/language.ts';
import { type Answer, type ArrangeParts, arrange, nothingFound } from './arrange.ts';

/** One arm, or one shard of it. */
export interface Retriever {
  arm: Arm;
  /** Named where it gives no answer: `retrieval-dense-3`. */
  name: string;
  search(claim: ClaimText, signal: AbortSignal): Promise<Retrieved>;
}

export interface FindParts extends ArrangeParts {
  retrievers: readonly Retriever[];
}

/** `claim.title`: of the article it stands in, or ''. Throws what a model throws, and the signal's reason when aborted. */
export async function find(claim: ClaimText, parts: FindParts, signal: AbortSignal): Promise<Found> {
  if (isForeign(claim.text)) return nothingFound(claim, 'unsupported_language', parts.generation);
  return arrange(claim, await askAll(claim, parts.retrievers, signal), parts, signal);
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
