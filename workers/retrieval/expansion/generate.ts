/** A claim → the words of the titles that a model predicts for the page to look for (SIDE: Petroni et al. 2023, "Retrieval"). */
import { ModelFailure, TransientError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { splitWords, type WeightedWord } from '../sparse/query.ts';
import type { Expander } from './expander.ts';
import type { Title, TitleWriter } from './title-writer.ts';

/** As measured in deploy/decisions/query-expansion.md. `weight`: of a word that stands in every title. */
export const GENERATION = { beam: 3, weight: 0.3 };

export function createGeneratedExpander(
  writer: Pick<TitleWriter, 'write'>,
  log: Pick<Logger, 'warn'>,
  { beam, weight } = GENERATION,
): Expander {
  return {
    name: 'generated',
    async expand({ claim, words }, signal) {
      if (signal.aborted) throw new TransientError('stopped while a query was being expanded');
      try {
        return wordsOfTitles(await writer.write(claim, beam), weight, words);
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        log.warn({ code: error.code, err: error }, 'query not expanded');
        return [];
      }
    },
  };
}

/**
 * Each word weighs as much as the titles it stands in are likely. The claim's own are left out: to count them twice raises the
 * article's name above what is said, which finds other pages about it.
 */
export function wordsOfTitles(titles: readonly Title[], weight: number, own: readonly string[] = []): WeightedWord[] {
  const shares = new Map<string, number>();
  for (const { text, share } of titles) {
    for (const word of new Set(splitWords(text))) shares.set(word, (shares.get(word) ?? 0) + share);
  }
  for (const word of own) shares.delete(word);
  return [...shares].map(([word, share]) => ({ word, weight: share * weight }));
}
