/** A detail of the claim and one of the page → how surely both are said of the same thing. */

import type { Span } from '../../../shared/citation.ts';
import type { PageSentence, Sentence } from './reading.ts';
import type { Word } from './words.ts';

export interface Alignment {
  /** The claim's words around its detail that stand around the page's too, nearer and rarer words counting more; 0 to 1. */
  near: number;
  /** The page's words around its detail that the claim has; 0 to 1. */
  back: number;
  /** How many of the claim's words the page's sentence has. */
  shared: number;
  /** Each has a name beside the detail that the other lacks. */
  otherName: boolean;
  /** One of the three words next to the claim's detail that are no names ("was founded in") stands in the page's sentence. */
  event: boolean;
}

/** How surely both are said of the same thing, 0 to 1. */
export function scoreOf({ near, back }: Alignment): number {
  return NEAR_WEIGHT * near + (1 - NEAR_WEIGHT) * back;
}

/** How many sentences have a stem: what all sentences have tells none apart. */
export type Frequencies = ReadonlyMap<string, number>;

export function countSentences(sentences: readonly Sentence[]): Frequencies {
  const counts = new Map<string, number>();
  for (const { stems } of sentences) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

export function align(claim: Sentence, ours: Span, page: PageSentence, theirs: Span, counts: Frequencies): Alignment {
  const beside = wordsBeside(claim, ours);
  const close = wordsBeside(page, theirs).filter(({ distance }) => distance <= NEAR);
  const nearby = new Set(close.map(({ stem }) => stem));
  let total = 0;
  let found = 0;
  for (const { stem, distance } of beside) {
    const weight = 1 / (1 + distance / 5) / Math.log2(2 + (counts.get(stem) ?? 0) / 3);
    total += weight;
    found += weight * closeness(stem, nearby, page);
  }
  return {
    near: total === 0 ? 0 : found / total,
    back: backward(claim, close),
    shared: new Set(beside.flatMap(({ stem }) => (page.stems.has(stem) ? [stem] : []))).size,
    otherName: hasOtherName(claim, ours, page, theirs),
    event: isOfEvent(claim, beside, nearby),
  };
}

/** Beside the detail, in its sentence, in the sentences around, or nowhere. */
function closeness(stem: string, nearby: Set<string>, page: PageSentence): number {
  if (nearby.has(stem)) return 1;
  if (page.stems.has(stem)) return 0.75;
  return page.around.has(stem) ? 0.4 : 0;
}

interface Beside {
  word: Word;
  stem: string;
  /** How many words (stop words too) lie between. */
  distance: number;
}

/** Content words; a detail is aligned with many. */
function wordsBeside({ words }: Sentence, span: Span): Beside[] {
  const known = besides.get(span);
  if (known !== undefined) return known;
  const before = words.filter(({ end }) => end <= span.start).length;
  const after = words.findIndex(({ start }) => start >= span.end);
  const beside = words.flatMap((word, at) => {
    if (word.stem === null || (word.start >= span.start && word.end <= span.end)) return [];
    const distance = word.end <= span.start ? before - 1 - at : at - after;
    return [{ word, stem: word.stem, distance: Math.max(0, distance) }];
  });
  besides.set(span, beside);
  return beside;
}

/** A detail or a name stands in one sentence. */
const besides = new WeakMap<Span, Beside[]>();

function backward(claim: Sentence, close: readonly Beside[]): number {
  if (close.length === 0) return 0;
  return close.filter(({ stem }) => claim.stems.has(stem)).length / close.length;
}

function isOfEvent({ names }: Sentence, beside: readonly Beside[], nearby: Set<string>): boolean {
  const isName = (word: Word) => names.some(({ start, end }) => word.start >= start && word.end <= end);
  const closest = beside
    .filter(({ word }) => word.text !== '' && !isName(word))
    .sort((a, b) => a.distance - b.distance);
  return closest.slice(0, 3).some(({ stem }) => nearby.has(stem));
}

function hasOtherName(claim: Sentence, ours: Span, page: PageSentence, theirs: Span): boolean {
  const lacking = namedBeside(claim, ours).some(
    (stems) => !stems.some((stem) => page.stems.has(stem) || page.around.has(stem)),
  );
  return lacking && namedBeside(page, theirs).some((stems) => !stems.some((stem) => claim.stems.has(stem)));
}

function namedBeside({ names }: Sentence, span: Span): string[][] {
  return names
    .filter(({ start, end }) => start < span.end + NAME_CHARACTERS && end > span.start - NAME_CHARACTERS)
    .filter(({ start, end }) => end <= span.start || start >= span.end)
    .map(({ stems }) => stems)
    .filter((stems) => stems.length > 0);
}

const NEAR_WEIGHT = 0.6;
const NEAR = 7;
const NAME_CHARACTERS = 60;
