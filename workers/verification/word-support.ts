/**
 * A claim's words beside passages → of each word, how far the page has it, alone and together with its neighbours: what
 * `missing.ts` weighs. Judges nothing.
 */
import type { Passage } from '../../shared/citation.ts';
import { splitSentences } from './passages.ts';
import { listWords, type Word } from './phrases.ts';
import { findTerms, type Terms } from './terms.ts';

/** Each 0 to 1. In the order of `MeasuredWord.features`. */
export const WORD_FEATURES = [
  /** The page doesn't have the word, nor the nearest sentence, nor the neighbourhood of the three nearest. */
  'page',
  'sentence',
  'nearby',
  /** The same, of the content words of its phrase. */
  'phrasePage',
  'phraseSentence',
  'phraseNearby',
  /** The same, of the content words up to three words away. */
  'aroundPage',
  'aroundSentence',
  'aroundNearby',
  'content',
  'date',
  'number',
  'capital',
  'quantifier',
  'participle',
  /** 0 for the first word. */
  'position',
] as const;
export type WordFeature = (typeof WORD_FEATURES)[number];

export interface MeasuredWord extends Word {
  /** It says something: no function word. */
  isContent: boolean;
  features: Record<WordFeature, number>;
}

/** In the order of the claim. */
export function measureWords(claim: string, passages: readonly Passage[]): MeasuredWord[] {
  const words = listWords(claim).map((word, at, all) => ({ ...word, terms: termsOf(word, all[at - 1], all[at + 1]) }));
  const absences = lookUp(words, passages);
  return words.map((word, at) => {
    const own = absences[at] ?? NOWHERE;
    const phrase = average(absences.map((absence, other) => [absence, words[other]?.phrase === word.phrase ? 1 : 0]));
    const around = average(absences.map((absence, other) => [absence, weighDistance(Math.abs(other - at))]));
    const features = {
      ...own,
      ...{ phrasePage: phrase.page, phraseSentence: phrase.sentence, phraseNearby: phrase.nearby },
      ...{ aroundPage: around.page, aroundSentence: around.sentence, aroundNearby: around.nearby },
      ...describe(word, at),
      position: at / words.length,
    };
    const { text, start, end, phrase: number } = word;
    return { text, start, end, phrase: number, isContent: word.terms.length > 0, features };
  });
}

interface LookedUp extends Word {
  terms: string[];
}

/** Null for a function word: it can't be looked up. */
type Absence = Record<'page' | 'sentence' | 'nearby', number> | null;
const NOWHERE = { page: 0, sentence: 0, nearby: 0 };

function lookUp(words: readonly LookedUp[], passages: readonly Passage[]): Absence[] {
  const sentences = passages.flatMap(readSentences);
  const wanted = new Set(words.flatMap(({ terms }) => terms));
  const nearest = chooseNearest(sentences, wanted);
  const page = union(sentences);
  for (const { title } of passages) for (const term of listTerms(findTerms(title))) page.add(term);
  const sentence = union(nearest.slice(0, 1).flatMap((at) => sentences.slice(at, at + 1)));
  const nearby = union(nearest.flatMap((at) => sentences.slice(Math.max(0, at - 1), at + 2)));
  return words.map(({ terms }) =>
    terms.length === 0
      ? null
      : { page: lacking(terms, page), sentence: lacking(terms, sentence), nearby: lacking(terms, nearby) },
  );
}

function readSentences({ text }: Passage): Set<string>[] {
  return splitSentences(text).map(({ start, end }) => new Set(listTerms(findTerms(text.slice(start, end)))));
}

/** Indices of up to three sentences that together have most of what is wanted. */
function chooseNearest(sentences: readonly Set<string>[], wanted: Set<string>): number[] {
  const chosen: number[] = [];
  const found = new Set<string>();
  while (chosen.length < 3) {
    const gains = sentences.map((terms, at) => (chosen.includes(at) ? 0 : gainOf(terms, wanted, found)));
    const most = gains.reduce((best, gain) => Math.max(best, gain), 0);
    if (most === 0) break;
    const at = gains.indexOf(most);
    chosen.push(at);
    for (const term of sentences[at] ?? []) found.add(term);
  }
  return chosen;
}

/** Long sentences share more by chance; what another has already counts a little. */
function gainOf(terms: Set<string>, wanted: Set<string>, found: Set<string>): number {
  let gain = 0;
  for (const term of wanted) if (terms.has(term)) gain += found.has(term) ? 0.2 : 1;
  return gain / Math.sqrt(1 + terms.size / 25);
}

/** A day is one with its month, a figure with its scale; a year is no number. */
function termsOf({ text }: Word, before: Word | undefined, after: Word | undefined): string[] {
  if (!/^\p{N}/u.test(text)) return listTerms(findTerms(text));
  if (/^1?\d$|^[23]\d$/.test(text)) {
    const days = [...findTerms(`${before?.text ?? ''} ${text} ${after?.text ?? ''}`).dates].filter(isDay);
    if (days.length > 0) return days.map((day) => `date ${day}`);
  }
  const { dates, numbers } = findTerms(SCALE.test(after?.text ?? '') ? `${text} ${after?.text}` : text);
  return dates.size > 0 ? [...dates].map((date) => `date ${date}`) : [...numbers].map((number) => `number ${number}`);
}

function isDay(date: string): boolean {
  return date.startsWith('d');
}

function describe({ text, terms }: LookedUp, at: number) {
  const isContent = terms.length > 0;
  return {
    content: Number(isContent),
    date: Number(terms.some((term) => term.startsWith('date'))),
    number: Number(terms.some((term) => term.startsWith('number'))),
    capital: Number(isContent && at > 0 && /^\p{Lu}/u.test(text)),
    quantifier: Number(QUANTIFIERS.has(text.toLowerCase())),
    participle: Number(/ed$/i.test(text)),
  };
}

function listTerms({ words, numbers, dates }: Terms): string[] {
  const name = (kind: string, terms: Set<string>) => [...terms].map((term) => `${kind} ${term}`);
  return [...name('word', words), ...name('number', numbers), ...name('date', dates)];
}

function union(sets: readonly Set<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function lacking(terms: readonly string[], found: Set<string>): number {
  return terms.filter((term) => !found.has(term)).length / terms.length;
}

function average(weighted: readonly [Absence, number][]): NonNullable<Absence> {
  const sum = { ...NOWHERE };
  let total = 0;
  for (const [absence, weight] of weighted) {
    if (absence === null) continue;
    total += weight;
    for (const key of ['page', 'sentence', 'nearby'] as const) sum[key] += weight * absence[key];
  }
  if (total === 0) return NOWHERE;
  return { page: sum.page / total, sentence: sum.sentence / total, nearby: sum.nearby / total };
}

/** The word itself counts on its own. */
function weighDistance(distance: number): number {
  return distance >= 1 && distance <= 3 ? 1 / distance : 0;
}

const SCALE = /^(?:thousand|million|billion|trillion|bn|m|k)$/i;
const QUANTIFIERS = new Set(
  `first second third fourth fifth sixth seventh only all most every never always largest biggest oldest best main final last former
  early late several many half both more than least nearly almost about original`.split(/\s+/),
);
