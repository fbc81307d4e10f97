/** A claim → its words and the phrases they stand in. By function words and punctuation alone: no parser. */
import type { Span } from '../../shared/citation.ts';

export interface Word extends Span {
  text: string;
  /** Whole number of the phrase that it stands in, from 0. */
  phrase: number;
}

/** Words and numbers in their order. A phrase begins at a preposition, conjunction, auxiliary or article and after punctuation. */
export function listWords(claim: string): Word[] {
  const words: Word[] = [];
  let phrase = 0;
  let isOpen = false;
  for (const { 0: text, index: start } of claim.matchAll(WORD)) {
    const last = words.at(-1);
    const lower = text.toLowerCase();
    const parts = last !== undefined && BREAK.test(claim.slice(last.end, start));
    const begins = OPENERS.has(lower) || AUXILIARIES.has(lower) || (ARTICLES.has(lower) && !isOpen);
    if (last !== undefined && (parts || begins)) phrase += 1;
    isOpen = OPENERS.has(lower);
    words.push({ text, start, end: start + text.length, phrase });
  }
  return words;
}

const WORD = /\p{N}+(?:[.,]\p{N}+)*\p{L}*|\p{L}[\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?/gu;
/** Not the hyphen, nor the point of "Dr." or the sign of "5 %". */
const BREAK = /[,;:()[\]"“”«»—–!?]/;

const ARTICLES = new Set('the a an his her its their this these those'.split(' '));
const AUXILIARIES = new Set(
  'is was were are be been has had have will would can could may might did does do'.split(' '),
);
const OPENERS = new Set(
  `in on at of for from by with to into after before during under over between through as among against via without within since
  until near about around across along despite upon toward towards onto off than alongside including like and but or while when
  where which who whom whose that because so although though if`.split(/\s+/),
);
