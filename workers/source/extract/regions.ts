/**
 * A document's blocks → which of them its markup sets apart from its text: menus, comments, captions. An element that holds most of the
 * page's prose is what the page is about, whatever it is called.
 */
import { type Block, readBlocks } from './blocks.ts';
import type { Document, Element } from './dom.ts';
import { isSentence, wordCount } from './lines.ts';
import { type Part, partOf } from './names.ts';

/** A block and what its place says of it. */
export interface Placed extends Block {
  words: number;
  /** Of words in sentences that are not mostly links; 0 for a line of other things. */
  prose: number;
  /** Set apart by the markup around it; null where nothing says so. */
  apart: Exclude<Part, 'body'> | null;
}

export interface Regions {
  blocks: Placed[];
  /** Elements that are named as the article's text. */
  bodies: Element[];
  /** The outermost elements that are set apart. */
  apart: Element[];
}

export function readRegions(document: Document): Regions {
  const blocks = readBlocks(document.body).map(place);
  const parts = judgeParts(blocks, true);
  mark(blocks, parts);
  if (isEmptied(blocks)) return toRegions(blocks, judgeParts(blocks, false));
  return toRegions(blocks, parts);
}

function toRegions(blocks: Placed[], parts: ReadonlyMap<Element, Part>): Regions {
  mark(blocks, parts);
  const named = [...parts].filter(([, part]) => part !== null);
  const known = new Map<Element, Placed['apart']>();
  return {
    blocks,
    bodies: named.flatMap(([element, part]) => (part === 'body' ? [element] : [])),
    apart: named.flatMap(([element, part]) =>
      part === 'body' || apartOf(element.parentElement, parts, known) !== null ? [] : [element],
    ),
  };
}

function mark(blocks: Placed[], parts: ReadonlyMap<Element, Part>): void {
  const known = new Map<Element, Placed['apart']>();
  for (const block of blocks) block.apart = apartOf(block.element, parts, known);
}

/** Most of what is no comment was set apart: names deceive on this page. */
function isEmptied(blocks: readonly Placed[]): boolean {
  const own = blocks.filter(({ apart }) => apart !== 'comments');
  const open = own.filter(({ apart }) => apart === null);
  return [(block: Placed) => block.prose, ownWords].every(
    (massOf) => total(open, massOf) < MIN_OPEN_SHARE * total(own, massOf),
  );
}

function total(blocks: readonly Placed[], massOf: (block: Placed) => number): number {
  return blocks.reduce((sum, block) => sum + massOf(block), 0);
}

/** From an element up to the body. */
export function* chainOf(element: Element | null): Generator<Element> {
  for (let at = element; at !== null; at = at.parentElement) yield at;
}

function place(block: Block): Placed {
  const words = wordCount(block.text);
  const isOwn = block.linked < block.text.length / 2;
  return { ...block, words, prose: isOwn && isSentence(block.text) ? words : 0, apart: null };
}

/** The part of every element around a block; null for one that holds too much to be set apart, alone or with its namesakes. */
function judgeParts(blocks: readonly Placed[], byName: boolean): Map<Element, Part> {
  const parts = new Map(
    [...massByElement(blocks, () => 0).keys()].map((element) => [element, partOf(element, byName)]),
  );
  const [prose, own] = [shareOf(blocks, parts, ({ prose }) => prose), shareOf(blocks, parts, ownWords)];
  for (const [element, part] of parts) {
    if (part === null || part === 'body') continue;
    const most = MAX_SHARES[part];
    const share = own(element, part);
    if ((prose(element, part) > most.prose && share > MIN_OWN_SHARE) || share > most.own) parts.set(element, null);
  }
  return parts;
}

/** Of the page's words of a kind, those in an element; or in all that are set apart by its name, less what teasers have: a sentence beside a link. */
function shareOf(blocks: readonly Placed[], parts: ReadonlyMap<Element, Part>, massOf: (block: Placed) => number) {
  const all = Math.max(total(blocks, massOf), 1);
  const held = massByElement(blocks, massOf);
  const alike = new Map<string, number>();
  for (const [element, mass] of massByElement(blocks, (block) =>
    ownWords(block) === 0 ? -MAX_TEASER_WORDS : massOf(block),
  )) {
    if (parts.get(element) === 'furniture') alike.set(nameOf(element), (alike.get(nameOf(element)) ?? 0) + mass);
  }
  return (element: Element, part: Part) =>
    Math.max(held.get(element) ?? 0, part === 'furniture' ? (alike.get(nameOf(element)) ?? 0) : 0) / all;
}

/** Elements around the blocks with the mass of all blocks in them; inner elements come before those around them. */
export function massByElement(blocks: readonly Placed[], massOf: (block: Placed) => number): Map<Element, number> {
  const own = new Map<Element, number>();
  for (const block of blocks) own.set(block.element, (own.get(block.element) ?? 0) + massOf(block));
  const depths = new Map<Element, number>();
  for (const element of own.keys()) depthOf(element, depths);
  const held = new Map<Element, number>();
  for (const [element] of [...depths].sort(([, a], [, b]) => b - a)) {
    const mass = (held.get(element) ?? 0) + (own.get(element) ?? 0);
    held.delete(element); // it was put there by what is in it: now it takes its place behind that
    held.set(element, mass);
    const around = element.parentElement;
    if (around !== null) held.set(around, (held.get(around) ?? 0) + mass);
  }
  return held;
}

function depthOf(element: Element, depths: Map<Element, number>): number {
  const around = element.parentElement;
  const depth = depths.get(element) ?? (around === null ? 0 : depthOf(around, depths) + 1);
  depths.set(element, depth);
  return depth;
}

function ownWords({ words, linked, text }: Placed): number {
  return linked < text.length / 2 ? words : 0;
}

function nameOf(element: Element): string {
  return `${element.localName} ${element.getAttribute('class') ?? ''}`;
}

/** The innermost part counts; what is named as the text within the furniture is furniture. */
function apartOf(
  element: Element | null,
  parts: ReadonlyMap<Element, Part>,
  known: Map<Element, Placed['apart']> = new Map(),
): Placed['apart'] {
  if (element === null) return null;
  const found = known.get(element);
  if (found !== undefined) return found;
  const part = parts.get(element) ?? null;
  const apart = part === null || part === 'body' ? apartOf(element.parentElement, parts, known) : part;
  known.set(element, apart);
  return apart;
}

/** What a link to another page has beside it. */
const MAX_TEASER_WORDS = 40;
/** Of what is not in comments, what must be left. */
const MIN_OPEN_SHARE = 0.4;
/** Of the page's prose, and of its words that are not mostly links. Long threads are longer than what they are about. */
const MAX_SHARES = {
  furniture: { prose: 0.35, own: 0.5 },
  caption: { prose: 0.2, own: 0.5 },
  comments: { prose: 0.9, own: 1 },
};
/** A page of tables has little prose: its footer may hold most of it. */
const MIN_OWN_SHARE = 0.15;
