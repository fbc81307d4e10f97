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
  const nearby = new Set(close.map(({ word }) => word.stem));
  let total = 0;
  let found = 0;
  const shared = new Set<string>();
  for (const { word, distance } of beside) {
    if (word.stem === null) continue;
    const weight = 1 / (1 + distance / 5) / Math.log2(2 + (counts.get(word.stem) ?? 0) / 3);
    total += weight;
    if (page.stems.has(word.stem)) shared.add(word.stem);
    found +=
      weight * (nearby.has(word.stem) ? 1 : page.stems.has(word.stem) ? 0.75 : page.around.has(word.stem) ? 0.4 : 0);
  }
  return {
    near: total === 0 ? 0 : found / total,
    back: backward(claim, close),
    shared: shared.size,
    otherName: hasOtherName(claim, ours, page, theirs),
    event: isOfEvent(claim, beside, nearby),
  };
}

/** Content words, and how many words (stop words too) lie between them and the span. */
function wordsBeside({ words }: Sentence, span: Span): { word: Word; distance: number }[] {
  const before = words.filter(({ end }) => end <= span.start).length;
  const after = words.findIndex(({ start }) => start >= span.end);
  return words.flatMap((word, at) => {
    if (word.stem === null || (word.start >= span.start && word.end <= span.end)) return [];
    const distance = word.end <= span.start ? before - 1 - at : at - after;
    return [{ word, distance: Math.max(0, distance) }];
  });
}

function backward(claim: Sentence, close: readonly { word: Word }[]): number {
  if (close.length === 0) return 0;
  return close.filter(({ word }) => word.stem !== null && claim.stems.has(word.stem)).length / close.length;
}

function isOfEvent(
  { names }: Sentence,
  beside: { word: Word; distance: number }[],
  nearby: Set<string | null>,
): boolean {
  const isName = (word: Word) => names.some(({ start, end }) => word.start >= start && word.end <= end);
  const closest = beside
    .filter(({ word }) => word.text !== '' && !isName(word))
    .sort((a, b) => a.distance - b.distance);
  return closest.slice(0, 3).some(({ word }) => nearby.has(word.stem));
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

const NEAR = 7;
const NAME_CHARACTERS = 60;
