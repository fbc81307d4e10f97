/**
 * A page's regions and what others say of its text (Readability, the publisher's own JSON-LD) → the element that holds the article, and its
 * blocks. Where names of elements and Readability disagree, the words decide.
 */
import type { Element } from './dom.ts';
import { isSentence } from './lines.ts';
import { namesOf } from './names.ts';
import { massByElement, type Placed, type Regions } from './regions.ts';
import type { Coverage } from './shingles.ts';

/** Blocks of the article in the order of the page, still with what stands between its paragraphs; [] where there is no article. */
export function findBody({ blocks, bodies }: Regions, read: Coverage): Placed[] {
  const open = blocks.filter(({ apart }) => apart === null);
  const chosen = open.filter((block) => block.prose > 0 && read(block.text) >= MIN_COVERED);
  const said = sumProse(chosen);
  const named = nameBody(open, bodies, chosen, said);
  if (named.length > 0) return named;
  if (said === 0) return [];
  const inside = within(open, [commonElement(chosen)]);
  return between(inside, chosen, read);
}

export function sumProse(blocks: readonly Placed[]): number {
  return blocks.reduce((sum, { prose }) => sum + prose, 0);
}

export function within(blocks: readonly Placed[], elements: readonly (Element | null)[]): Placed[] {
  const known = new Map<Element, boolean>(
    [...elements].flatMap((element) => (element === null ? [] : [[element, true]])),
  );
  return blocks.filter(({ element }) => isWithin(element, known));
}

function isWithin(element: Element | null, known: Map<Element, boolean>): boolean {
  if (element === null) return false;
  const is = known.get(element) ?? isWithin(element.parentElement, known);
  known.set(element, is);
  return is;
}

/** The elements that are named as the article's text and hold most of it; those of one name together. */
function nameBody(open: Placed[], bodies: readonly Element[], chosen: Placed[], said: number): Placed[] {
  const held = massByElement(open, ({ prose }) => prose);
  const large = bodies.filter((body) => (held.get(body) ?? 0) >= Math.max(MIN_NAMED_WORDS, MIN_NAMED_SHARE * said));
  const groups = [...large.map((body) => [body]), ...sameNames(bodies)].map((elements) => within(open, elements));
  const full = groups.filter(
    (group) => sumProse(group) >= MIN_NAMED_WORDS && sumShared(group, chosen) >= MIN_NAMED_SHARE * said,
  );
  const [first, ...others] = full;
  if (first === undefined) return [];
  // the innermost is the most exact, as long as it loses nothing of the text
  const most = Math.max(...full.map((group) => sumShared(group, chosen)));
  return others.reduce(
    (best, group) => (isCloser(group, best, chosen, most) ? group : best),
    full.find((group) => sumShared(group, chosen) === most) ?? first,
  );
}

function isCloser(group: Placed[], best: Placed[], chosen: readonly Placed[], most: number): boolean {
  return group.length < best.length && sumShared(group, chosen) >= KEEPS_SHARE * most;
}

function sumShared(group: readonly Placed[], chosen: readonly Placed[]): number {
  const inGroup = new Set(group);
  return sumProse(chosen.filter((block) => inGroup.has(block)));
}

/** Texts come in many elements of one name: a section or a paragraph each. */
function sameNames(elements: readonly Element[]): Element[][] {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    const name = namesOf(element).join(' ') || (element.getAttribute('itemprop') ?? '');
    groups.set(name, [...(groups.get(name) ?? []), element]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** The innermost element that holds most of the prose. */
function commonElement(chosen: readonly Placed[]): Element | null {
  const held = massByElement(chosen, ({ prose }) => prose);
  const least = MIN_COMMON_SHARE * sumProse(chosen);
  return [...held].find(([, prose]) => prose >= least)?.[0] ?? null;
}

/** From the first to the last block that Readability took: a short line outside of them is no part, one between may be. */
function between(blocks: readonly Placed[], chosen: readonly Placed[], read: Coverage): Placed[] {
  const taken = new Set(chosen);
  for (const block of blocks) if (read(block.text) >= MIN_COVERED || isSentence(block.text)) taken.add(block);
  const first = blocks.findIndex((block) => read(block.text) >= MIN_COVERED);
  const last = blocks.findLastIndex((block) => read(block.text) >= MIN_COVERED);
  const isKept = (block: Placed | undefined) => block !== undefined && (taken.has(block) || isTable(block));
  const inside = blocks.slice(Math.max(first, 0), last + 1);
  return inside.filter((block, at) => isKept(block) || (isHeading(block) && isKept(inside[at + 1])));
}

export function isTable({ element }: Placed): boolean {
  return element.localName === 'table';
}

export function isHeading({ element }: Placed): boolean {
  return /^h[1-6]$/.test(element.localName);
}

const MIN_COVERED = 0.6;
const MIN_NAMED_WORDS = 30;
/** Of what Readability took: the rest may be comments that nothing names. */
const MIN_NAMED_SHARE = 0.45;
const KEEPS_SHARE = 0.97;
const MIN_COMMON_SHARE = 0.85;
