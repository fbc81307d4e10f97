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
  return {
    blocks,
    bodies: named.flatMap(([element, part]) => (part === 'body' ? [element] : [])),
    apart: named.flatMap(([element, part]) =>
      part === 'body' || apartOf(element.parentElement, parts) !== null ? [] : [element],
    ),
  };
}

function mark(blocks: Placed[], parts: ReadonlyMap<Element, Part>): void {
  for (const block of blocks) block.apart = apartOf(block.element, parts);
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
  const masses = [(block: Placed) => block.prose, ownWords].map((massOf) => ({
    all: total(blocks, massOf),
    held: massByElement(blocks, massOf),
    massOf,
  }));
  const around = new Set(blocks.flatMap(({ element }) => [...chainOf(element)]));
  const parts = new Map([...around].map((element) => [element, partOf(element, byName)]));
  const judged = masses.map((mass) => ({ ...mass, alike: massByName(blocks, parts, mass.massOf) }));
  for (const [element, part] of parts) {
    if (part === null || part === 'body') continue;
    const [prose = 0, own = 0] = judged.map(({ all, held, alike }) => {
      const namesakes = part === 'furniture' ? (alike.get(nameOf(element)) ?? 0) : 0;
      return Math.max(held.get(element) ?? 0, namesakes) / Math.max(all, 1);
    });
    const most = MAX_SHARES[part];
    if ((prose > most.prose && own > MIN_OWN_SHARE) || own > most.own) parts.set(element, null);
  }
  return parts;
}

function massByElement(blocks: readonly Placed[], massOf: (block: Placed) => number): Map<Element, number> {
  const held = new Map<Element, number>();
  for (const block of blocks) {
    for (const at of chainOf(block.element)) held.set(at, (held.get(at) ?? 0) + massOf(block));
  }
  return held;
}

function ownWords({ words, linked, text }: Placed): number {
  return linked < text.length / 2 ? words : 0;
}

/** What elements hold that are set apart by one name, less what teasers have: a sentence beside a link to another page. */
function massByName(
  blocks: readonly Placed[],
  parts: ReadonlyMap<Element, Part>,
  massOf: (block: Placed) => number,
): Map<string, number> {
  const held = new Map<string, number>();
  for (const block of blocks) {
    const mass = ownWords(block) === 0 ? -MAX_TEASER_WORDS : massOf(block);
    for (const at of chainOf(block.element)) {
      if (parts.get(at) === 'furniture') held.set(nameOf(at), (held.get(nameOf(at)) ?? 0) + mass);
    }
  }
  return held;
}

function nameOf(element: Element): string {
  return `${element.localName} ${element.getAttribute('class') ?? ''}`;
}

/** Comments within the furniture are comments; what is named as the text within the furniture is furniture. */
function apartOf(element: Element | null, parts: ReadonlyMap<Element, Part>): Placed['apart'] {
  for (const at of chainOf(element)) {
    const part = parts.get(at) ?? null;
    if (part !== null && part !== 'body') return part;
  }
  return null;
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
