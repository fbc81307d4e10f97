/**
 * Where in an article a text stands: in prose, a list, a table's cell, a caption, a quotation, a heading, or outside of what
 * the article says. In: a block-level element and the place around it. Out: the place inside it.
 */
import type { Claim } from '../../shared/citation.ts';
import { type Element, hasClass, hasToken } from './document.ts';
import type { UnpairedReason } from './extraction.ts';
import { type Cell, openCell, openTable, type Table } from './tables.ts';

export interface Place {
  element: Element | null;
  kind: Claim['kind'];
  exclusion: UnpairedReason | null;
  lead: string;
  /** The innermost table, and its cell if the text stands in one. */
  table: Table | null;
  cell: Cell | null;
  /** 1 to 6 in a heading. */
  heading: number | null;
  /** Paragraphs in here are one text. */
  joined: boolean;
}

export const WHOLE_PAGE: Place = {
  element: null,
  kind: 'sentence',
  exclusion: null,
  lead: '',
  table: null,
  cell: null,
  heading: null,
  joined: false,
};

/** Whether the text before the element and the text in it are two. */
export function partsText(element: Element, outer: Place): boolean {
  return BLOCK_LEVEL.has(element.localName) && !(outer.joined && /^(p|div)$/.test(element.localName));
}

/** `previous`: the text just before the element, which introduces it if it is a list or a quotation. */
export function placeOf(element: Element, outer: Place, previous: string): Place {
  const place: Place = { ...outer, element, exclusion: outer.exclusion ?? exclusionOf(element) };
  if (isCaption(element)) place.kind = 'caption';
  const opened = OPENERS[element.localName]?.(element, outer, previous);
  return Object.assign(place, opened);
}

const OPENERS: Record<string, (element: Element, outer: Place, previous: string) => Partial<Place>> = {
  ul: openList,
  ol: openList,
  dl: openList,
  li: () => ({ kind: 'list_item' }),
  dt: () => ({ kind: 'list_item' }),
  dd: () => ({ kind: 'list_item' }),
  blockquote: (_element, _outer, previous) => ({ kind: 'quotation', lead: previous, joined: true }),
  table: (element, outer) => ({ table: openTable(element, outer.table), cell: null, joined: false }),
  tr: (_element, outer) => {
    outer.table?.rows.push([]);
    return {};
  },
  td: (element, outer) => ({ cell: openCell(element, outer.table) }),
  th: (element, outer) => ({ cell: openCell(element, outer.table) }),
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, () => ({ heading: level })])),
};

function openList(_element: Element, _outer: Place, previous: string): Partial<Place> {
  return { lead: previous, joined: false };
}

const BLOCK_LEVEL = new Set(
  `address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5
   h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
);

function isCaption(element: Element): boolean {
  return /^(figcaption|caption)$/.test(element.localName) || hasClass(element, /^(thumbcaption|gallerytext)$/);
}

function exclusionOf(element: Element): UnpairedReason | null {
  if (
    hasToken(element, 'typeof', 'mw:Extension/references') ||
    hasClass(element, /^(mw-references-wrap|references)$/)
  ) {
    return 'nested_reference';
  }
  if (/^h[1-6]$/.test(element.localName)) return 'heading';
  return hasClass(element, OUTSIDE) || element.getAttribute('role') === 'navigation' ? 'outside_article' : null;
}

/** Boxes around the article: navigation, notices to readers and editors, links to sister projects. */
const OUTSIDE =
  /^(navbox.*|vertical-navbox|sidebar|sistersitebox|side-box|hatnote|dablink|[ao]mbox|metadata|catlinks|toc|portalbox)$/;
