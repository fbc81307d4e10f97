/** A claim → the words to look for, and what an expansion adds to them. Which fields, as measured in deploy/decisions/retrieval-query.md. */
import type { Claim } from '../../../shared/citation.ts';
import { splitSentences } from '../../verification/passages.ts';

/** `word`: lower case, letters and digits only. `weight`: above 0; the word's share of BM25 is multiplied by it. */
export interface WeightedWord {
  word: string;
  weight: number;
}

/** The content words of the article's title and of the claim, lower case, each once; the first 64 of them. */
export function toWords(claim: Pick<Claim, 'text' | 'title'>): string[] {
  return [...new Set(splitWords(`${claim.title} ${claim.text}`))].slice(0, MAX_WORDS);
}

/**
 * What is looked for: the claim's words, and with less weight those of the sentence before it, which often names what the claim calls
 * "it" (deploy/decisions/retrieval-query.md).
 */
export function toQuery(claim: Pick<Claim, 'text' | 'title' | 'context'>): WeightedWord[] {
  const before = splitSentences(claim.context).at(-1);
  const words = before === undefined ? [] : splitWords(claim.context.slice(before.start, before.end));
  const added = [...new Set(words)].slice(0, MAX_WORDS).map((word) => ({ word, weight: BEFORE_WEIGHT }));
  return weigh(toWords(claim), added);
}

/** Content words of any text in their order, lower case, as often as they stand there. */
export function splitWords(text: string): string[] {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word));
}

/** The claim's own words, each of weight 1, and what is added to them; a word of both has the sum. At most 128. */
export function weigh(words: readonly string[], added: readonly WeightedWord[] = []): WeightedWord[] {
  return add(
    words.map((word) => ({ word, weight: 1 })),
    added,
  );
}

/** A word of both has the sum. At most 128. */
export function add(words: readonly WeightedWord[], added: readonly WeightedWord[]): WeightedWord[] {
  const weights = new Map(words.map(({ word, weight }) => [word, weight]));
  for (const { word, weight } of added) if (weight > 0) weights.set(word, (weights.get(word) ?? 0) + weight);
  return [...weights].slice(0, 2 * MAX_WORDS).map(([word, weight]) => ({ word, weight }));
}

const BEFORE_WEIGHT = 0.3;
/** A sentence has about 20; a table row or a pasted page must not make a search slow. */
const MAX_WORDS = 64;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const STOP_WORDS = new Set(
  `a about after all also an and any are as at be because been before being between both but by can could did do does
  during each few first for from had has have he her him his how i if in into is it its may me more most my no nor not of
  off on once one only or other our out over own s same she so some such t than that the their them then there these
  they this those through to too two under until up very was we were what when where which while who will with would you
  your`.split(/\s+/),
);
