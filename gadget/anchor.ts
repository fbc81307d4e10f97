/**
 * Finds the claims of findings on a rendered article, by the claim's text and by what its references cite, never by number.
 * In: the article's content element and findings. Out: for each finding that was found, the element to mark. Changes nothing.
 */
import type { Finding } from '../shared/citation.ts';
import { citesAll } from './note.ts';
import { type Block, MARKER, readBlock } from './reading.ts';
import { readsRow } from './row.ts';
import { endsLiterally, words } from './words.ts';

/** Gives the last marker behind a finding's claim, where a badge goes after it; null where the claim is not found. */
export type FindAnchor = (finding: Finding) => Element | null;

/** Reads the article as it is now, once for all findings. */
export function createFindAnchor(content: Element): FindAnchor {
  const groups = groupMarkers(content);
  return (finding) => groupOf(finding, groups)?.last ?? null;
}

/** Markers that stand together. */
interface Group {
  markers: Element[];
  last: Element;
  /** Words of the block, those before the markers up to `end`. */
  words: readonly string[];
  end: number;
  /** Of the row of a table, up to the markers; null: not read yet. */
  cells: string[][] | null;
}

/** A claim that stands twice behind the same citations is one finding: its first place. A row must be the only one. */
function groupOf(finding: Finding, groups: readonly Group[]): Group | null {
  const isCited = ({ markers }: Group) => citesAll(markers, finding.citations);
  const { text, markerOffset } = finding.claim;
  const letters = words(text).join('');
  const rest = words(text.slice(markerOffset)).length;
  const behind = groups.filter((group) => endsLiterally(group.words, group.end + rest, letters)).filter(isCited)[0];
  if (behind !== undefined) return behind;
  if (!/_row$/.test(finding.claim.kind)) return null;
  const rows = groups.filter((group) => readsRow(finding.claim, cellsOf(group))).filter(isCited);
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

function groupMarkers(content: Element): Group[] {
  const groups: Group[] = [];
  const blocks = new Map<Element, Block>();
  const read = (block: Element) => {
    const known = blocks.get(block) ?? readBlock(block);
    blocks.set(block, known);
    return known;
  };
  for (const marker of Array.from(content.querySelectorAll(MARKER))) {
    if (marker.closest(NOT_ARTICLE) !== null) continue;
    const group = groups[groups.length - 1];
    if (group !== undefined && isAdjacent(group.last, marker, read)) {
      group.markers.push(marker);
      group.last = marker;
    } else {
      groups.push({ markers: [marker], last: marker, cells: null, ...placeOf(marker, read) });
    }
  }
  return groups;
}

function isAdjacent(before: Element, marker: Element, read: (block: Element) => Block): boolean {
  if (before.nextSibling === marker) return true;
  const { at } = read(blockOf(marker));
  return at.has(marker) && at.get(before) === at.get(marker);
}

/** Markers alone in a paragraph stand behind the block before it. */
function placeOf(marker: Element, read: (block: Element) => Block): Pick<Group, 'words' | 'end'> {
  const block = blockOf(marker);
  const own = read(block);
  const end = own.at.get(marker) ?? 0;
  const previous = block.previousElementSibling;
  if (end > 0 || previous === null || !block.matches('p')) return { words: own.words, end };
  const before = read(previous).words;
  return { words: before.concat(own.words), end: before.length };
}

function cellsOf(group: Group): string[][] {
  group.cells = group.cells ?? readCells(group.markers[0]);
  return group.cells;
}

/** Words of the cells of its row up to the marker; [] outside of a table. */
function readCells(marker: Element | undefined): string[][] {
  const own = marker?.closest('td, th');
  const row = own?.closest('tr');
  if (!marker || !own || !row) return [];
  const cells = Array.from(row.children);
  return cells.slice(0, cells.indexOf(own) + 1).map((cell) => {
    const { words, at } = readBlock(cell);
    return words.slice(0, at.get(marker));
  });
}

function blockOf(marker: Element): Element {
  return marker.closest(BLOCK) ?? marker.parentElement ?? marker;
}

const NOT_ARTICLE = '.references, .navbox, .sidebar, .hatnote, .ambox';
const BLOCK = 'blockquote, p, li, td, th, dd, dt, figcaption, caption';
