/**
 * A paged source and what a citation names of it → the part of its text that is cited, and what a place of it is called. Names that no page
 * has name nothing.
 */
import type { Citation, ReadableSource, Span } from '../../shared/citation.ts';

type Paged = Pick<ReadableSource, 'text' | 'pages'>;
type PageStart = NonNullable<ReadableSource['pages']>[number];

/**
 * The cited pages with one page around them, since numbers are often off by one; [] where none is known. `12` is the page that the
 * document calls so, or else its twelfth; `#page=12` of an address is always its twelfth (RFC 8118).
 */
export function findCited(
  { text, pages = [] }: Paged,
  { pages: named = '', url, archiveUrl }: Pick<Citation, 'pages' | 'url' | 'archiveUrl'>,
): Span[] {
  if (pages.length === 0) return [];
  const opened = [url, archiveUrl].map((address) => Number(OPENED.exec(address ?? '')?.[1] ?? 0) - 1);
  const ranges = [...named.split(BETWEEN).flatMap((part) => readRange(part, pages)), ...opened.map((at) => [at, at])];
  return ranges.flatMap(([first = -1, last = -1]) => {
    if (pages[first] === undefined) return [];
    return [{ start: pages[first - 1]?.start ?? 0, end: pages[last + 2]?.start ?? text.length }];
  });
}

/** What the document calls the page on which a character of its text stands, or the page's number; null for a text without pages. */
export function nameOfPage({ pages = [] }: Pick<Paged, 'pages'>, at: number): string | null {
  const page = pages.findLastIndex(({ start }) => start <= at);
  return page < 0 ? null : pages[page]?.label.trim() || String(page + 1);
}

/** Places of the first and the last page; [] where neither is known. A label may look like a range: `A-3`. */
function readRange(part: string, pages: readonly PageStart[]): number[][] {
  const name = plain(part);
  const whole = findPages(name, pages);
  if (whole.length > 0) return whole.map((at) => [at, at]);
  const [, from = '', to = from] = RANGE.exec(name) ?? [];
  if (/^\d/.test(from) !== /^\d/.test(to)) return [];
  const first = findPages(from, pages)[0];
  const last = findPages(complete(from, to), pages).find((at) => first === undefined || at >= first);
  const known = first ?? last;
  return known === undefined ? [] : [[known, last ?? known]];
}

/** A document may call several pages the same. */
function findPages(name: string, pages: readonly PageStart[]): number[] {
  if (name === '') return [];
  const called = pages.flatMap(({ label }, at) => (plain(label) === name ? [at] : []));
  if (called.length > 0) return called;
  const number = /^\d{1,5}$/.test(name) ? Number(name) : 0;
  return number >= 1 && number <= pages.length ? [number - 1] : [];
}

/** `112–5` ends at 115. */
function complete(from: string, to: string): string {
  const isShort = /^\d+$/.test(from) && /^\d+$/.test(to) && to.length < from.length;
  return isShort ? from.slice(0, -to.length) + to : to;
}

function plain(name: string): string {
  return name.trim().toLowerCase().replace(PREFIX, '');
}

const BETWEEN = /[,;&]|\s(?:and|und|et|y|e)\s/;
const PREFIX = /^(?:pages?|pp?|pgs?|seiten?|s|págs?|стр|с)(?:\.\s*|\s+)(?=\S)/;
/** `12`, `12–14`, `iv–vi`, `12ff.`, `12 n. 4`. */
const RANGE = /^(\d+|[ivxlc]+)(?:\s*[-‐‑‒–—−]\s*(\d+|[ivxlc]+))?(?![\p{L}\p{N}]*[-\p{N}])/u;
const OPENED = /#(?:[^#]*&)?page=(\d{1,5})(?!\d)/;
