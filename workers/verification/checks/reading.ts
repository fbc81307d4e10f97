/** A claim or a passage → its sentences, each with words, dates and quantities. Nothing is compared here. */
import type { Passage } from '../../../shared/citation.ts';
import { splitSentences } from '../passages.ts';
import { type DateDetail, findDates } from './dates.ts';
import { findNames, type Name } from './names.ts';
import { findQuantities, type Quantity } from './quantities.ts';
import { findWords, type Word } from './words.ts';

export type Detail = Quantity | DateDetail;

/** Offsets of all parts are characters in `text`. */
export interface Sentence {
  text: string;
  /** Where `text` begins in the text it was cut from. */
  start: number;
  /** In order; a year stands among them as a word of its own. */
  words: Word[];
  details: Detail[];
  names: Name[];
  /** Stems of `words`. */
  stems: Set<string>;
}

export interface PageSentence extends Sentence {
  passage: Passage;
  /** Stems of the sentences before and after in the passage, and of the page's title. */
  around: Set<string>;
}

/** A passage has about 100 words: what is longer than this is no prose. */
const MAX_CHARACTERS = 6000;
/** A row of digits and commas is no sentence: what is compared grows with the square of this. */
const MAX_DETAILS = 24;

export function readSentence(text: string, start = 0): Sentence {
  const all = findWords(text);
  const dates = findDates(text);
  const details: Detail[] = [...findQuantities(text, dates), ...dates]
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_DETAILS);
  const plain = details.length === 0 ? all : all.filter((word) => !details.some((detail) => isInside(word, detail)));
  const words = [...plain, ...yearsOf(dates)].sort((a, b) => a.start - b.start);
  const stems = new Set(words.flatMap(({ stem }) => (stem === null ? [] : [stem])));
  return { text, start, words, details, names: findNames(text, all), stems };
}

export function readClaim(claim: string): Sentence {
  return readSentence(claim.slice(0, MAX_CHARACTERS));
}

export function readPassage(passage: Passage): PageSentence[] {
  const text = passage.text.slice(0, MAX_CHARACTERS);
  const sentences = splitSentences(text).map(({ start, end }) => readSentence(text.slice(start, end), start));
  const title = findWords(passage.title.slice(0, 300)).flatMap(({ stem }) => (stem === null ? [] : [stem]));
  return sentences.map((sentence, at) => {
    const around = new Set([...(sentences[at - 1]?.stems ?? []), ...(sentences[at + 1]?.stems ?? []), ...title]);
    return { ...sentence, passage, around };
  });
}

function isInside(word: Word, detail: Detail): boolean {
  return word.start >= detail.start && word.end <= detail.end;
}

function yearsOf(dates: readonly DateDetail[]): Word[] {
  return dates.flatMap(({ start, end, years, isPeriod }) => {
    if (years === null || years[0] !== years[1] || isPeriod) return [];
    return [{ start, end, text: '', plain: '', stem: `#${years[0]}`, skeleton: '' }];
  });
}
