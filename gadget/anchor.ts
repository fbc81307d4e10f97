/**
 * Finds the claims of findings on a rendered article, by the claim's text and by what its references cite, never by number.
 * In: the article's content element and findings. Out: for each finding that was found, the element to mark. Changes nothing.
 */
import type { Finding } from '../shared/citation.ts';
import { citesAll } from './note.ts';
import { readsRow } from './row.ts';
import type { Row } from './state.ts';
import { endsIn, words } from './words.ts';

export interface Anchor {
  row: Row;
  /** The last marker behind the claim: a badge goes after it. */
  marker: Element;
}

export function findAnchors(content: Element, rows: readonly Row[]): Anchor[] {
  const groups = groupMarkers(content);
  const anchors: Anchor[] = [];
  for (const row of rows) {
    const group = groupOf(row.finding, groups);
    if (group !== null) anchors.push({ row, marker: group.last });
  }
  return anchors;
}

/** Markers that stand together. */
interface Group {
  markers: Element[];
  last: Element;
  /** Words of the block before it. */
  before: string[];
}

/** A claim that stands twice behind the same citations is one finding: its first place. A row must be the only one. */
function groupOf(finding: Finding, groups: readonly Group[]): Group | null {
  const isCited = ({ markers }: Group) => citesAll(markers, finding.citations);
  const { text, markerOffset } = finding.claim;
  const letters = words(text).join('');
  const rest = words(text.slice(markerOffset)).length;
  const behind = groups.filter((group) => isBehind(letters, rest, group)).filter(isCited)[0];
  if (behind !== undefined) return behind;
  if (!/_row$/.test(finding.claim.kind)) return null;
  const rows = groups.filter(({ markers }) => readsRow(finding.claim, readCells(markers[0]))).filter(isCited);
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

/** `rest`: words of the claim behind the marker. */
function isBehind(letters: string, rest: number, { before, last }: Group): boolean {
  const after = rest === 0 ? [] : words(readRange(rangeIn(blockOf(last), last, null)));
  return endsIn(after.length === 0 ? before : before.concat(after.slice(0, rest)), letters) === 1;
}

function groupMarkers(content: Element): Group[] {
  const groups: Group[] = [];
  for (const marker of Array.from(content.querySelectorAll(MARKER))) {
    if (marker.closest(NOT_ARTICLE) !== null) continue;
    const group = groups[groups.length - 1];
    if (group !== undefined && isAdjacent(group.last, marker)) {
      group.markers.push(marker);
      group.last = marker;
    } else {
      groups.push({ markers: [marker], last: marker, before: wordsBefore(marker) });
    }
  }
  return groups;
}

function isAdjacent(before: Element, marker: Element): boolean {
  const { nextSibling } = before;
  if (nextSibling === marker) return true;
  if (nextSibling instanceof Text && LETTER.test(nextSibling.data)) return false; // as between most of them
  const block = blockOf(marker);
  return blockOf(before) === block && words(readRange(rangeIn(block, before, marker))).length === 0;
}

/** Markers alone in a paragraph stand behind the block before it. */
function wordsBefore(marker: Element): string[] {
  const block = blockOf(marker);
  const before = words(readRange(rangeIn(block, null, marker)));
  const previous = block.previousElementSibling;
  if (before.length > 0 || previous === null || !block.matches('p')) return before;
  return words(readRange(rangeIn(previous, null, null)));
}

/** Words of the cells of its row up to the marker; [] outside of a table. */
function readCells(marker: Element | undefined): string[][] {
  const own = marker?.closest('td, th');
  const row = own?.closest('tr');
  if (!marker || !own || !row) return [];
  const cells = Array.from(row.children);
  return cells
    .slice(0, cells.indexOf(own) + 1)
    .map((cell) => words(readRange(rangeIn(cell, null, cell === own ? marker : null))));
}

function blockOf(marker: Element): Element {
  return marker.closest(BLOCK) ?? marker.parentElement ?? marker;
}

/** What stands in the element after one element and before another; null: from its beginning, to its end. */
function rangeIn(element: Element, after: Element | null, before: Element | null): Range {
  const range = document.createRange();
  range.selectNodeContents(element);
  if (after !== null) range.setStartAfter(after);
  if (before !== null) range.setEndBefore(before);
  return range;
}

/** As a reader sees it, without markers and what is hidden. */
export function readRange(range: Range): string {
  const part = range.cloneContents();
  part.querySelectorAll(SILENT).forEach((element) => {
    element.remove();
  });
  part.querySelectorAll('br, p, li, td, th').forEach((element) => {
    element.insertAdjacentText('beforebegin', ' ');
  });
  return part.textContent ?? '';
}

const LETTER = /[\p{L}\p{N}]/u;
const MARKER = 'sup.reference, sup.Inline-Template';
const NOT_ARTICLE = '.references, .navbox, .sidebar, .hatnote, .ambox';
const BLOCK = 'blockquote, p, li, td, th, dd, dt, figcaption, caption';
/** What claims are read without (bot/claims/text.ts); formulas are hidden behind their image. */
const SILENT = `${MARKER}, .sidelight-badge, .noprint, .mw-editsection, .sortkey, .error, .coordinates, style, script, annotation,
  [style*="display:none"]:not([class*="mwe-math"]), [style*="display: none"]:not([class*="mwe-math"])`;
