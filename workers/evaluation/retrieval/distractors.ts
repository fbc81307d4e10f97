/**
 * Pages → hard distractors (https://arxiv.org/abs/2004.04906, "hard negatives", made instead of mined): pages on the same topics, in
 * the same words, with other facts. Pages of similar words exchange their names, and every year and number becomes another of its page,
 * so that no sentence says what an original says. The same pages and seed give the same distractors.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { type Page, splitPassages, splitSentences } from '../../verification/passages.ts';
import { nearestPages } from './nearest-pages.ts';
import { COUNTS, type DetailKind, MONTHS, type Part, takeApart, WEEKDAYS } from './retell.ts';

export interface Distractor extends Page {
  id: string;
  /** How many passages it has. */
  passages: number;
}

/** A page with its sentences taken apart. */
interface Told {
  sentences: Part[][];
  /** Each once, most frequent first. */
  names: string[];
  years: string[];
  numbers: string[];
}

/** Pages of about `passages` passages together, as many as that takes. None for fewer than two pages. */
export function* makeDistractors(pages: readonly Page[], passages: number, seed = 1): Generator<Distractor> {
  const told = pages.map(tell);
  const nearest = nearestPages(pages);
  const random = xoroshiro128plus(seed);
  let made = 0;
  let number = 0;
  for (let round = 0; made < passages && pages.length > 1; round += 1) {
    const before = made;
    for (const [at, page] of told.entries()) {
      const neighbours = nearest[at] ?? [];
      const [other, third] = [round, round + 1].map((turn) => told[neighbours[turn % neighbours.length] ?? -1]);
      if (made >= passages || other === undefined || third === undefined) continue;
      number += 1;
      const distractor = { ...mix(page, other, third, random), id: `distractor-${number}` };
      const count = splitPassages(distractor).length;
      if (count === 0) continue;
      made += count;
      yield { ...distractor, url: `https://distractor.invalid/${number}`, passages: count };
    }
    if (made === before) return; // no page has a detail that could be exchanged
  }
}

function tell({ text }: Page): Told {
  const apart = splitSentences(text).map(({ start, end }) => takeApart(text.slice(start, end)));
  const names = new Set(apart.flat().flatMap((part) => (part.kind === 'name' && !part.isFirst ? part.text : [])));
  const sentences = apart.map((parts) => parts.map((part) => knowFirst(part, names)));
  const parts = sentences.flat();
  const all = (kind: DetailKind) => byFrequency(parts.filter((part) => part.kind === kind).map((part) => part.text));
  return { sentences, names: all('name'), years: all('year'), numbers: all('number') };
}

/** The first word of a sentence is a name if it is one elsewhere on the page. */
function knowFirst(part: Part, names: ReadonlySet<string>): Part {
  return part.isFirst && part.kind === 'name' && !names.has(part.text) ? { ...part, kind: null } : part;
}

/**
 * Blocks of one page's sentences and of another's in turn. The page's words have the other's names, and the other's words the
 * names that the page deals with most; with all of its names they could come to say what it says.
 */
function mix(page: Told, other: Told, third: Told, random: RandomGenerator): Page {
  const mine = retell(page, other.names, random);
  const theirs = retell(other, [...page.names.slice(0, DEALT_WITH), ...third.names], random);
  const blocks: string[] = [];
  for (let at = 0; at < Math.max(mine.length, theirs.length); at += BLOCK) {
    blocks.push([...mine.slice(at, at + BLOCK), ...theirs.slice(at, at + BLOCK)].join(' '));
  }
  return { url: '', title: '', text: shuffle(blocks, random).slice(0, BLOCKS).join('\n') };
}

/** The sentences that have a detail, each with other details. */
function retell(page: Told, others: readonly string[], random: RandomGenerator): string[] {
  const names = exchange(page.names, others, random);
  const pools = { year: page.years, number: page.numbers, count: COUNTS, month: MONTHS, weekday: WEEKDAYS };
  const known = new Map<string, string>();
  const replace = ({ text, kind }: Part): string => {
    if (kind === null) return text;
    if (kind === 'name') return names.get(text) ?? text;
    const replaced = known.get(text) ?? another(text, kind, pools[kind], random);
    known.set(text, replaced);
    return replaced;
  };
  return page.sentences.flatMap((parts) => {
    const words = parts.map(replace);
    const isRetold = parts.some((part, at) => part.text !== words[at]) && !mayStillHold(parts, words);
    return isRetold ? words.join('') : [];
  });
}

/** A name that stayed, or a "he" that the sentence before may tell of someone else, could say what the original says. */
function mayStillHold(parts: readonly Part[], words: readonly string[]): boolean {
  const names = parts.flatMap((part, at) => (part.kind === 'name' ? { from: part.text, to: words[at] } : []));
  return names.length === 0 ? PRONOUN.test(words.join('')) : names.some(({ from, to }) => from === to);
}

/**
 * Frequent names for frequent ones, so that what the page deals with becomes what the other deals with; none stays. By turns of a
 * few ranks, so that the same two pages give another page each time.
 */
function exchange(names: readonly string[], others: readonly string[], random: RandomGenerator): Map<string, string> {
  const own = new Set(names);
  const foreign = others.filter((name) => !own.has(name));
  const turn = uniformInt(random, 0, TURNS - 1);
  return new Map(
    names.flatMap((name, rank) => {
      const replacement = foreign[(rank + (rank < TURNS ? 0 : turn)) % foreign.length];
      return replacement === undefined ? [] : [[name, replacement] as const];
    }),
  );
}

function another(text: string, kind: DetailKind, pool: readonly string[], random: RandomGenerator): string {
  const isFit = (one: string) =>
    one !== text.toLowerCase() && one !== text && (kind !== 'number' || one.length === text.length);
  const fitting = pool.filter(isFit);
  const chosen = fitting[uniformInt(random, 0, Math.max(0, fitting.length - 1))];
  if (chosen === undefined) return changeDigits(text, random);
  return /^\p{Lu}/u.test(text) ? chosen.charAt(0).toUpperCase() + chosen.slice(1) : chosen;
}

/** Another number of the same shape. */
function changeDigits(text: string, random: RandomGenerator): string {
  return text.replace(/\d/g, (digit) => String((Number(digit) + uniformInt(random, 1, 8)) % 9 || 9));
}

function byFrequency(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}

function shuffle<T>(items: readonly T[], random: RandomGenerator): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = uniformInt(random, 0, last);
    const [a, b] = [shuffled[last], shuffled[other]];
    if (a !== undefined && b !== undefined) [shuffled[last], shuffled[other]] = [b, a];
  }
  return shuffled;
}

/** Names. */
const DEALT_WITH = 3;
const PRONOUN = /\b(?:he|she|it|they|his|her|its|their|him|them|this|these)\b/i;
/** Sentences of a page that stay together. */
const BLOCK = 2;
/** Of a page: about 30 passages. */
const BLOCKS = 50;
/** The most frequent names are exchanged rank by rank. */
const TURNS = 12;
