/**
 * A block and a marker in it → the claim: the text that the marker stands behind, and its context. This is where it is decided
 * what a claim is. In: a block with its sentences. Out: text, marker's offset, context; null if nothing is said.
 */
import type { Block } from './block.ts';
import { CLAUSE_OPENERS } from './english.ts';
import { leansOn } from './leaning.ts';
import { sentenceStarts } from './sentences.ts';

export interface Cut {
  text: string;
  markerOffset: number;
  context: string;
  antecedent?: string;
}

export interface Cutter {
  /** `from`: where the last marker before this one stands in the block, 0 for none. */
  cut(offset: number, from: number): Cut | null;
}

export function createCutter(block: Block, language: string): Cutter {
  const starts = sentenceStarts(block.text, language, [...new Set(block.marks.map((mark) => mark.offset))]);
  const lastSaid = createLastSaid(block.text);
  return {
    cut(offset, from) {
      const span = spanOf(block, starts, offset, from, lastSaid);
      return span === null ? null : toCut(block, span, offset, language);
    },
  };
}

interface Span {
  start: number;
  end: number;
  /** Where the sentences begin that the claim leans on. */
  antecedent?: number;
}

function spanOf(
  block: Block,
  starts: readonly number[],
  offset: number,
  from: number,
  lastSaid: LastSaid,
): Span | null {
  const { text } = block;
  if (block.isStatement) return { start: 0, end: text.length };
  const said = lastSaid(offset, from);
  if (said === null) return null;
  if (block.kind !== 'sentence' && from === 0 && text.length <= LONGEST_UNIT) {
    return { start: 0, end: endOf(text, 0, text.length, offset) };
  }
  const index = lastAtMost(starts, said);
  const start = starts[index] ?? 0;
  const end = endOf(text, start, starts[index + 1] ?? text.length, offset);
  if (isClause(text, start, from, end)) return { start: from, end };
  return { start, end, antecedent: antecedentStart(text, starts, index, from) };
}

/** `start` of the claim where it leans on nothing. A sentence with a marker of its own is another claim. */
function antecedentStart(text: string, starts: readonly number[], claim: number, from: number): number {
  const sentence = (index: number) => text.slice(starts[index], starts[index + 1]);
  const isUncited = (index: number) => (starts[index] ?? -1) >= from;
  let first = claim;
  while (claim - first < MOST_LEANING && isUncited(first - 1) && leansOn(sentence(first), sentence(first - 1)))
    first -= 1;
  return starts[first] ?? 0;
}

/** Sentences: with more it would be a paragraph, and no claim that a person checks at one glance. */
const MOST_LEANING = 2;

/** Characters: a list item, caption or quotation as long as two or three sentences is one claim; a longer one is prose. */
const LONGEST_UNIT = 400;

/**
 * The claim ends at the marker, with the full stop behind it: moving the marker across it makes no new claim. "In 1998[1] it
 * bought a rival." says too little before its marker: there it is the whole sentence.
 */
function endOf(text: string, start: number, end: number, offset: number): number {
  const isAtEnd = /^[.!?…"'”’)\]\s]*$/.test(text.slice(offset, end));
  return isAtEnd || isFragment(text.slice(start, offset)) ? end : offset;
}

function isFragment(text: string): boolean {
  return text.length < 80 && text.split(/[\s–—]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length < FEWEST_WORDS;
}

/** Words that a claim needs to be understood. */
const FEWEST_WORDS = 5;

/** Offset of the last letter or digit between two markers; null if there is none. */
type LastSaid = (offset: number, from: number) => number | null;

/** Markers are asked for in their order: what was looked at for one is not looked at again for the next. */
function createLastSaid(text: string): LastSaid {
  let seen = 0;
  let last = -1;
  return (offset, from) => {
    let at = offset - 1;
    while (at >= seen && !/[\p{L}\p{N}\p{Cs}]/u.test(text.charAt(at))) at -= 1;
    if (at >= seen) last = at;
    seen = Math.max(seen, offset);
    return last >= from ? last : null;
  };
}

/**
 * "It covers 42 km²,[1] and is 80 m deep.[2]": the second claim is the clause, with the sentence's beginning as its context.
 * Taken with the first clause it would be marked down for what another source supports. What is no clause ("in Spain,[1]
 * Italy[2]") says nothing by itself: there the claim is the sentence up to the marker.
 */
function isClause(text: string, start: number, from: number, end: number): boolean {
  if (from <= start || from >= end || isFragment(text.slice(start, from))) return false;
  const clause = text.slice(from, end).replace(/^[\s\p{P}]+/u, '');
  const isParted = /[,;:–—]\s*$/.test(text.slice(from - 2, from)) || /^\s*[,;:–—(]/.test(text.slice(from, end));
  return (isParted || CLAUSE_OPENERS.test(clause)) && !isFragment(clause);
}

function toCut(block: Block, span: Span, offset: number, language: string): Cut | null {
  const begin = Math.max(span.start, span.end - 2 * MOST_TEXT);
  const raw = block.text.slice(begin, span.end);
  const text = withoutOpenEnd(raw.replace(/^(?:[\s,;:–—)\]•·*]|-\s)+/, ''));
  if (!/[\p{L}\p{N}]/u.test(text)) return null;
  const skipped = raw.indexOf(text);
  const kept = keepEnd(text, MOST_TEXT);
  const markerOffset = offset - begin - skipped - (text.length - kept.length);
  const before = block.text.slice(Math.max(0, begin + skipped - MOST_CONTEXT), begin + skipped);
  const antecedent = keepEnd(block.text.slice(span.antecedent ?? begin, begin).trim(), MOST_TEXT);
  return {
    text: kept,
    markerOffset: Math.max(0, Math.min(kept.length, markerOffset)),
    context: keepEnd(`${leadSentence(block.lead, language)} ${before}`.trim(), MOST_CONTEXT),
    ...(antecedent === '' ? {} : { antecedent }),
  };
}

/** Without what leads on to a next clause. Not by a regular expression: it would begin anew at each comma of a long row. */
function withoutOpenEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,;:–—([]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Limits of the claim's schema, in characters. */
const MOST_TEXT = 4000;
const MOST_CONTEXT = 8000;

function leadSentence(lead: string, language: string): string {
  const end = lead.slice(-LONGEST_UNIT);
  return end.slice(sentenceStarts(end, language).at(-1) ?? 0).trim();
}

/** The last `most` characters, from the beginning of a word. */
function keepEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  const space = end.indexOf(' ');
  return space < 0 ? end : end.slice(space + 1);
}

/** Index of the last element that is not above `value`. */
function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
