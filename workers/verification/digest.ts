/**
 * A claim and the sentences that may matter → those that together say most of it, in page order, as one text. Evidence is
 * often spread: many a supported claim has no single passage with all of it. Judges nothing.
 */
import { type ReadSentence, textOf } from './select.ts';
import type { Terms } from './terms.ts';

const MAX_WORDS = 150;
/** What a term is worth once more sentences have it: a little, since they may say different things of it. */
const REPEATED = 0.3;
/** A sentence that adds less than this is left out. */
const LEAST_GAIN = 0.1;

interface Sentence {
  text: string;
  words: number;
  /** Those of the claim. */
  terms: string[];
  at: number;
}

/** At most 150 words, '' where no sentence shares a term with the claim. `sentences` in page order. */
export function digest(claim: Terms, sentences: readonly ReadSentence[]): string {
  const worth = weighTerms(claim);
  const read = sentences.map((sentence, at): Sentence => {
    const text = textOf(sentence);
    const terms = [...weighTerms(sentence.terms).keys()].filter((term) => worth.has(term));
    return { text, terms, words: text.split(/\s+/).length, at };
  });
  return chooseSentences(read, worth)
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join(' ');
}

/** The sentence that adds most, again and again, until there is no room or nothing to add. */
function chooseSentences(sentences: Sentence[], worth: Map<string, number>): Sentence[] {
  const chosen: Sentence[] = [];
  let room = MAX_WORDS;
  let left = sentences;
  for (;;) {
    left = left.filter(({ words }) => words <= room);
    const best = findBest(left, worth);
    if (best === null) return chosen;
    chosen.push(best);
    room -= best.words;
    for (const term of best.terms) worth.set(term, (worth.get(term) ?? 0) * REPEATED);
    left = left.filter((sentence) => sentence !== best);
  }
}

/** Null where none adds anything. Long sentences share more by chance: their gain counts a little less. */
function findBest(sentences: Sentence[], worth: Map<string, number>): Sentence | null {
  let best: Sentence | null = null;
  let most = LEAST_GAIN;
  for (const sentence of sentences) {
    const shared = sentence.terms.reduce((sum, term) => sum + (worth.get(term) ?? 0), 0);
    const gain = shared / Math.sqrt(1 + sentence.words / 20);
    if (gain > most) [best, most] = [sentence, gain];
  }
  return best;
}

/** Word order tells less than words, numbers and dates more. */
function weighTerms({ words, pairs, numbers, dates }: Terms): Map<string, number> {
  const weigh = (kind: string, terms: Set<string>, worth: number) =>
    [...terms].map((term): [string, number] => [`${kind} ${term}`, worth]);
  return new Map([
    ...weigh('word', words, 1),
    ...weigh('pair', pairs, 0.5),
    ...weigh('number', numbers, 1.5),
    ...weigh('date', dates, 1),
  ]);
}
