/**
 * What was found of an article, and the text that its publisher wrote into its JSON-LD → the blocks of both. The publisher's text only
 * chooses among what stands on the page, and only where it is there whole: many sites give its beginning.
 */
import { blockLines } from './blocks.ts';
import { sumProse } from './body.ts';
import { parseDocument } from './dom.ts';
import { wordCount } from './lines.ts';
import type { Placed } from './regions.ts';
import { coverage, plain } from './shingles.ts';
import type { Thing } from './structured.ts';

export function agreeWithPublisher(
  found: readonly Placed[],
  blocks: readonly Placed[],
  things: readonly Thing[],
): Placed[] {
  for (const text of publishedTexts(things)) {
    const said = coverage([text]);
    const told = dropCopies(blocks.filter((block) => block.prose > 0 && said(block.text) >= MIN_SAID));
    const isWhole = sumProse(told) >= MIN_WHOLE * wordCount(text) && sumProse(told) >= MIN_WHOLE * sumProse(found);
    if (isWhole) return merge(found, told, blocks, (block) => said(block.text) >= MIN_SAID);
  }
  return [...found];
}

/** Longest first; some write it with markup. */
function publishedTexts(things: readonly Thing[]): string[] {
  const texts = things.flatMap(({ articleBody }) => (typeof articleBody === 'string' ? [articleBody] : []));
  const read = texts.map((text) => (/[<&]/.test(text) ? blockLines(parseDocument(text).body).join(' ') : text));
  return read.filter((text) => wordCount(text) >= MIN_WORDS).sort((a, b) => b.length - a.length);
}

/** Between its paragraphs, what has a form of its own stays: publishers leave lists, quotes and headings out of it. */
function merge(
  found: readonly Placed[],
  told: readonly Placed[],
  blocks: readonly Placed[],
  isSaid: (block: Placed) => boolean,
): Placed[] {
  const [inFound, inTold] = [new Set(found), new Set(told)];
  const first = blocks.findIndex((block) => inTold.has(block));
  const last = blocks.findLastIndex((block) => inTold.has(block));
  return blocks.filter((block, at) => {
    if (inTold.has(block)) return true;
    if (!inFound.has(block)) return false;
    return (
      isSaid(block) ||
      (at > first && at < last && block.element.closest(FORMED) !== null) ||
      block.element.localName === 'table'
    );
  });
}

function dropCopies(blocks: readonly Placed[]): Placed[] {
  const seen = new Set<string>();
  return blocks.filter(({ text }) => {
    const isNew = !seen.has(plain(text));
    seen.add(plain(text));
    return isNew;
  });
}

const MIN_SAID = 0.7;
const MIN_WHOLE = 0.8;
const MIN_WORDS = 60;
const FORMED = 'h1, h2, h3, h4, h5, h6, li, dl, blockquote, pre';
