/** The nearest sentence → a verbatim quote of at most 50 words with its place in the page, or nothing. Writes no prose. */
import type { Evidence } from '../../shared/citation.ts';
import type { Near, Nearest, ReadClaim } from './nearest.ts';
import { containment } from './terms.ts';

const MAX_WORDS = 50;

/** Null where no sentence has a word, number or date of the claim. `page.text.slice(start, end) === quote`. */
export function quoteEvidence(claim: ReadClaim, { sentences }: Nearest): Evidence | null {
  const best = sentences.find((sentence) => touches(claim, sentence));
  if (best === undefined) return null;
  const { passage, start, end } = best;
  const quote = firstWords(passage.text.slice(start - passage.start, end - passage.start));
  return { quote, url: passage.url, title: passage.title, start, end: start + quote.length, passage: passage.text };
}

function touches({ terms }: ReadClaim, sentence: Near): boolean {
  return (['words', 'numbers', 'dates'] as const).some((kind) => containment(terms[kind], sentence.terms[kind], 0) > 0);
}

/** Of a longer sentence, the first 50 words. */
function firstWords(sentence: string): string {
  const words = [...sentence.matchAll(/\S+/g)];
  const last = words[MAX_WORDS - 1];
  return words.length <= MAX_WORDS || last === undefined ? sentence : sentence.slice(0, last.index + last[0].length);
}
