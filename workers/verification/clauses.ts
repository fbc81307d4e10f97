/**
 * A claim → its words, its phrases, and the stretches that can be dropped from it and leave a sentence. By function words and
 * punctuation alone: no parser, so that a stretch may be cut a little short or long.
 */
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

/**
 * Stretches that can be dropped, in the order of their beginnings, longest first; they may lie within each other. Each runs from
 * a preposition, a conjunction, a relative pronoun or a comma to the end of its phrase or clause. None is the whole claim.
 */
export function listClauses(claim: string): Span[] {
  const words = listWords(claim);
  const found = new Map<string, Span>();
  for (const [at, { start, phrase, text }] of words.entries()) {
    const rest = words.slice(at);
    const ends = OPENERS.has(text.toLowerCase())
      ? [endOfPhrase(rest, phrase), endOfClause(claim, rest)]
      : [endOfClause(claim, rest)];
    for (const end of isCut(claim, words, at) ? ends : []) {
      if (isPhrase(claim, start, end)) found.set(`${start} ${end}`, { start, end });
    }
  }
  return [...found.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** "of" and "than" hang on what is before them; behind "In 1894, " comes what can't be dropped. */
function isCut(claim: string, words: readonly Word[], at: number): boolean {
  const [first, before, word] = [words[0], words[at - 1], words[at]];
  if (word === undefined || HANGING.has(word.text.toLowerCase())) return false;
  if (OPENERS.has(word.text.toLowerCase())) return true;
  if (first === undefined || before === undefined || !BREAK.test(claim.slice(before.end, word.start))) return false;
  return !OPENERS.has(first.text.toLowerCase()) || BREAK.test(claim.slice(first.end, before.start));
}

/** With what hangs on it: "in the parish of Varn". */
function endOfPhrase(rest: readonly Word[], phrase: number): number {
  let last = rest.findLast((word) => word.phrase === phrase);
  for (const word of rest) {
    if (last !== undefined && word.phrase === last.phrase + 1 && word.text.toLowerCase() === 'of') {
      last = rest.findLast(({ phrase }) => phrase === word.phrase);
    }
  }
  return last?.end ?? 0;
}

/** Up to the next comma, bracket or the like. */
function endOfClause(claim: string, rest: readonly Word[]): number {
  const at = rest.findIndex((word, index) => {
    const next = rest[index + 1];
    return next === undefined || BREAK.test(claim.slice(word.end, next.start));
  });
  return rest[at]?.end ?? 0;
}

/** A sentence's opening words can be dropped only where a comma parts them: "In 1931, …". */
function isPhrase(claim: string, start: number, end: number): boolean {
  const opens = claim.slice(0, start).trim() === '';
  return /\s/.test(claim.slice(start, end).trim()) && (!opens || /^\s*,/.test(claim.slice(end)));
}

const WORD = /\p{N}+(?:[.,]\p{N}+)*\p{L}*|\p{L}[\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?/gu;
/** Not the hyphen, nor the point of "Dr." or the sign of "5 %". */
const BREAK = /[,;:()[\]"“”«»—–!?]/;

const HANGING = new Set(['of', 'than']);
const ARTICLES = new Set('the a an his her its their this these those'.split(' '));
const AUXILIARIES = new Set(
  'is was were are be been has had have will would can could may might did does do'.split(' '),
);
const OPENERS = new Set(
  `in on at of for from by with to into after before during under over between through as among against via without within since
  until near about around across along despite upon toward towards onto off than alongside including like and but or while when
  where which who whom whose that because so although though if`.split(/\s+/),
);
