/**
 * A claim and the passages that share most with it → the sentences that together say most of it, in page order. Evidence is
 * often spread: no passage alone has all of it. Judges nothing.
 */
import type { Passage } from '../../shared/citation.ts';
import { type Span, splitSentences } from './passages.ts';
import { findTerms, type Terms } from './terms.ts';

const MAX_WORDS = 150;
/** What a term is worth once more sentences have it: a little, since they may say different things of it. */
const REPEATED = 0.3;
/** A sentence that adds less than this is left out. */
const LEAST_GAIN = 0.1;

interface Sentence extends Span {
  text: string;
  words: number;
  terms: string[];
  /** Of the passage in the order of its pages. */
  at: number;
}

/** At most 150 words, '' where no sentence shares a term with the claim. */
export function digest(claim: Terms, passages: readonly Passage[]): string {
  const wanted = listTerms(claim);
  const sentences = passages.flatMap((passage, at) => readSentences(passage, wanted, at));
  return chooseSentences(sentences, wanted)
    .sort((a, b) => a.at - b.at || a.start - b.start)
    .map(({ text }) => text)
    .join(' ');
}

function chooseSentences(sentences: Sentence[], wanted: Map<string, number>): Sentence[] {
  const worth = new Map(wanted);
  const chosen: Sentence[] = [];
  let room = MAX_WORDS;
  let left = sentences;
  while (left.length > 0) {
    left = left.filter(({ words }) => words <= room);
    const best = findBest(left, worth);
    if (best === null) break;
    chosen.push(best);
    room -= best.words;
    for (const term of best.terms) worth.set(term, (worth.get(term) ?? 0) * REPEATED);
    left = left.filter((sentence) => sentence !== best);
  }
  return chosen;
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

function readSentences(passage: Passage, wanted: Map<string, number>, at: number): Sentence[] {
  return splitSentences(passage.text).map(({ start, end }) => {
    const text = passage.text.slice(start, end);
    const terms = [...listTerms(findTerms(text)).keys()].filter((term) => wanted.has(term));
    return { text, terms, words: text.split(/\s+/).length, start: passage.start + start, end: passage.start + end, at };
  });
}

/** Each term with what it is worth: word order tells less than words, numbers and dates more. */
function listTerms({ words, pairs, numbers, dates }: Terms): Map<string, number> {
  const weigh = (kind: string, terms: Set<string>, worth: number) =>
    [...terms].map((term): [string, number] => [`${kind} ${term}`, worth]);
  return new Map([
    ...weigh('word', words, 1),
    ...weigh('pair', pairs, 0.5),
    ...weigh('number', numbers, 1.5),
    ...weigh('date', dates, 1),
  ]);
}
