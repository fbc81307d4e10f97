/**
 * An article's blocks → those that are its text: headline and by-line before it, offers and ways to other pages in it, its author's life and the
 * rights behind it are left out. What can't be told stays.
 */
import { isHeading, isTable, sumProse } from './body.ts';
import { endsSentence, headingOf, isBoilerplate, isByline, isClosing, isSentence } from './lines.ts';
import type { Placed } from './regions.ts';
import { plain } from './shingles.ts';

/** `titles` are the page's names for itself. */
export function trimBlocks(blocks: readonly Placed[], titles: readonly string[]): Placed[] {
  const known = new Set(titles.map(plain));
  const own = blocks.filter((block) => !known.has(plain(block.text)) && !isNoise(block));
  return trimEnd(trimStart(dropAsides(dropRepeated(own))));
}

/** Prose, or what a text has beside it: a heading, a list, a row of a table. */
function isNoise({ text, linked, element }: Placed): boolean {
  const share = linked / text.length;
  if (element.localName === 'table' || element.localName === 'pre') return false;
  if (isBoilerplate(text, share)) return true;
  if (NAMED.test(element.localName) && linksToItself(element)) return false;
  return share > MOSTLY_LINKED && !(isSentence(text) && element.localName === 'p' && share < WHOLLY_LINKED);
}

/** A heading or a term whose link leads to its own place on the page. */
function linksToItself(element: Placed['element']): boolean {
  return element.querySelector('a')?.getAttribute('href')?.startsWith('#') === true;
}

/** A quote that is set large, a teaser of what comes, a text that is there twice. */
function dropRepeated(blocks: readonly Placed[]): Placed[] {
  const whole = blocks.map(({ text }) => plain(text));
  const all = blocks.length <= MAX_COMPARED ? `|${whole.map((text) => ` ${text} `).join('|')}|` : '';
  const seen = new Set<string>();
  return blocks.filter((block, at) => {
    const text = whole[at] ?? '';
    if (block.words < MIN_REPEATED_WORDS || isTable(block)) return true;
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew && (block.words > MAX_QUOTE_WORDS || block.element.localName === 'li' || !standsTwice(text, all));
  });
}

/** As a block, and within another. */
function standsTwice(text: string, all: string): boolean {
  return all.replaceAll(`| ${text} |`, '||').includes(` ${text} `);
}

/** A heading of something else takes the short or linked lines below it with it; one that ends the article, all. */
function dropAsides(blocks: readonly Placed[]): Placed[] {
  const kept: Placed[] = [];
  const all = sumProse(blocks);
  let read = 0;
  let isAside = false;
  for (const block of blocks) {
    const heading = block.words <= MAX_HEADING_WORDS ? headingOf(block.text) : null;
    if (heading !== null && isEnding(heading, read, all)) break;
    isAside = heading !== null || (isAside && block.prose < MIN_PARAGRAPH_WORDS && !isHeading(block));
    if (!isAside) kept.push(block);
    read += block.prose;
  }
  return kept;
}

function isEnding(heading: 'aside' | 'ends' | 'comments', read: number, all: number): boolean {
  if (heading === 'comments') return read >= Math.max(MIN_WORDS_BEFORE_COMMENTS, MIN_SHARE_BEFORE_COMMENTS * all);
  return heading === 'ends' && read >= MIN_SHARE_BEFORE_END * all;
}

/** Up to the first sentence: headline, by-line, date, place of the picture. */
function trimStart(blocks: readonly Placed[]): Placed[] {
  const first = blocks.findIndex((block) => isText(block) && !isByline(block.text));
  const lost = wordsOf(blocks.slice(0, Math.max(first, 0)));
  if (first < 0 || lost > MAX_LOST * wordsOf(blocks)) return [...blocks];
  const start = first > 0 && isSubheading(blocks[first - 1]) ? first - 1 : first;
  return blocks.slice(start).filter((block, at) => at > NEAR_START || isHeading(block) || !isByline(block.text));
}

function wordsOf(blocks: readonly Placed[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}

function trimEnd(blocks: readonly Placed[]): Placed[] {
  let end = blocks.length;
  while (end > 1) {
    const block = blocks[end - 1];
    if (block === undefined || !isEnd(block)) break;
    end -= 1;
  }
  return blocks.slice(0, end);
}

function isEnd(block: Placed): boolean {
  if (FORMED.test(block.element.localName)) return false;
  if (isClosing(block.text) || isByline(block.text) || isHeading(block)) return true;
  return block.words <= MAX_LAST_WORDS && !endsSentence(block.text);
}

function isText(block: Placed): boolean {
  return block.prose >= MIN_SENTENCE || block.element.localName === 'table' || block.element.localName === 'pre';
}

function isSubheading(block: Placed | undefined): boolean {
  return block !== undefined && /^h[2-6]$/.test(block.element.localName) && block.words <= MAX_HEADING_WORDS;
}

const NAMED = /^(h[1-6]|dt)$/;
/** Lists, tables and code end without a full stop. */
const FORMED = /^(li|dd|dt|td|th|table|pre)$/;
const MOSTLY_LINKED = 0.75;
const WHOLLY_LINKED = 0.95;
const MIN_REPEATED_WORDS = 5;
const MAX_QUOTE_WORDS = 60;
const MAX_HEADING_WORDS = 14;
const MIN_PARAGRAPH_WORDS = 12;
const MIN_SHARE_BEFORE_END = 0.5;
/** A thread may be much longer than the article. */
const MIN_SHARE_BEFORE_COMMENTS = 0.1;
const MIN_WORDS_BEFORE_COMMENTS = 60;
/** Blocks; in more, quotes are not looked for. */
const MAX_COMPARED = 600;
const MIN_SENTENCE = 8;
const NEAR_START = 2;
/** What stands before the first sentence and is more than that is no headline: a page of facts. */
const MAX_LOST = 0.25;
const MAX_LAST_WORDS = 12;
