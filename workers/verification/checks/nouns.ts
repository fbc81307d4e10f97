/** A quantity in its sentence → the stems of what is counted: what follows it, or for "a population of 13,418" what goes before. */
import type { Quantity } from './quantities.ts';
import type { Sentence } from './reading.ts';
import type { Word } from './words.ts';

export interface Nouns {
  behind: string[];
  /** Only where none is behind. */
  before: string[];
}

export function nounsOf({ text, words }: Sentence, quantity: Quantity): Nouns {
  const behind = takeBehind(text, words, quantity);
  return { behind, before: behind.length > 0 ? [] : takeBefore(text, words, quantity) };
}

/** Up to three content words without punctuation or verbs' small words between. */
function takeBehind(text: string, words: readonly Word[], quantity: Quantity): string[] {
  const nouns: string[] = [];
  let end = quantity.end;
  for (const word of words) {
    if (word.start < quantity.end) continue;
    if (!GAP.test(text.slice(end, word.start)) || nouns.length === 3) break;
    if (word.stem === null && !LINKS.has(word.plain)) break;
    if (word.stem !== null) nouns.push(word.stem);
    else if (nouns.length > 0) break;
    end = word.end;
  }
  return nouns;
}

function takeBefore(text: string, words: readonly Word[], quantity: Quantity): string[] {
  let start = quantity.start;
  for (const word of words
    .filter(({ end }) => end <= quantity.start)
    .toReversed()
    .slice(0, 5)) {
    if (!GAP_BEFORE.test(text.slice(word.end, start))) return [];
    if (word.stem !== null) return [word.stem];
    start = word.start;
  }
  return [];
}

const GAP = /^[\s\u00a0"“”'‘’()-]*$/;
const GAP_BEFORE = /^[\s\u00a0"“”'‘’(:~=€£$-]*$/;
const LINKS = new Set(['of', 'the', 'its', 'his', 'her', 'their', 'all', 'more', 'other', 'such']);
