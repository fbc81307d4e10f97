/**
 * A claim and the passages that were read for it → the words of the claim that nothing there supports. Tells where to look in a
 * claim that is not supported as a whole; whether it is says the verdict, not this file.
 */
import type { Passage, Span } from '../../shared/citation.ts';
import { WEIGHTS } from './missing-weights.ts';
import { type MeasuredWord, measureWords, WORD_FEATURES } from './word-support.ts';

/** In the order of the claim, apart from each other, in characters of it; the whole claim where there are no passages. */
export function findMissing(claim: string, passages: readonly Passage[]): Span[] {
  const words = measureWords(claim, passages);
  if (passages.length === 0) return join(claim, words);
  const marked = markPhrases(words, new Set(words.filter(isMissing)));
  const spans: MeasuredWord[][] = [];
  for (const [at, word] of words.entries()) {
    if (!marked.has(word)) continue;
    const last = spans.at(-1);
    const between = last === undefined ? [] : words.slice(words.indexOf(last.at(-1) ?? word) + 1, at);
    if (last !== undefined && isBridge(claim, between, last.at(-1), word)) last.push(...between, word);
    else spans.push([word]);
  }
  return spans.filter((span) => span.some(({ isContent }) => isContent)).flatMap((span) => join(claim, span));
}

/** What stands near the evidence, with the rest of its phrase, is never missing. */
function isMissing({ features }: MeasuredWord): boolean {
  if (features.nearby === 0 && features.phraseNearby === 0) return false;
  const weighed = WORD_FEATURES.reduce((sum, name) => sum + WEIGHTS.features[name] * features[name], WEIGHTS.intercept);
  return weighed >= WEIGHTS.threshold;
}

/** A phrase of which two words in three are missing is missing: "in Toronto" reads better than "Toronto". */
function markPhrases(words: readonly MeasuredWord[], missing: Set<MeasuredWord>): Set<MeasuredWord> {
  const isWhole = (phrase: number) => {
    const within = words.filter((word) => word.phrase === phrase);
    return within.filter((word) => missing.has(word)).length >= PHRASE_SHARE * within.length;
  };
  return new Set(words.filter((word) => missing.has(word) || isWhole(word.phrase)));
}

const PHRASE_SHARE = 0.66;

/** Neighbours, with nothing but function words between them; a comma parts a day and its year alone. */
function isBridge(claim: string, between: readonly MeasuredWord[], last: MeasuredWord | undefined, next: MeasuredWord) {
  const gap = claim.slice(last?.end ?? 0, next.start);
  return (
    between.length <= 2 &&
    between.every(({ isContent }) => !isContent) &&
    !/[;:()—]/.test(gap) &&
    (!gap.includes(',') || /^\d{4}$/.test(next.text))
  );
}

function join(claim: string, words: readonly MeasuredWord[]): Span[] {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  // the sign of "5%" belongs to it
  const tail = claim[last.end] === '%' ? 1 : 0;
  return [{ start: first.start, end: last.end + tail }];
}
