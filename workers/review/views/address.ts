/** Addresses of pages and of articles. In: ids, titles, filters. Out: paths and URLs; nothing but http(s). */
import type { Finding, Reliability } from '../../../shared/citation.ts';
import { parseHttpUrl } from '../../../shared/url.ts';
import type { Filter } from '../filter.ts';
import { queryOf } from '../request.ts';

/** What an address has beside its filter. */
export interface Beside {
  limit?: number;
  after?: number;
  /** Id of the finding that was just decided. */
  done?: number;
}

/** A finding's page, or the list where `id` is null, with the filter kept in the address. */
export function addressOf(id: number | null, filter: Filter, also: Beside = {}): string {
  return withQuery(id === null ? '/' : `/findings/${id}`, filter, also);
}

export function decisionAddress(id: number, filter: Filter): string {
  return withQuery(`/findings/${id}/decision`, filter, {});
}

/** One filter has one address, on whatever path. */
export function withQuery(path: string, filter: Filter, also: Beside = {}): string {
  const query = new URLSearchParams(queryOf(filter));
  for (const [name, value] of Object.entries(also)) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Where wikis are. */
export interface Wikis {
  wikiOrigins: readonly string[];
  indexPath: string;
}

/** The revision that was judged, scrolled to the claim where the browser can (https://wicg.github.io/scroll-to-text-fragment/). */
export function articleAddress({ wiki, page, revision, claim }: Finding, wikis: Wikis): string {
  return `${revisionAddress(wiki, page.title, revision, wikis)}${fragmentOf(claim.text)}`;
}

/** The revision of a list that was read. */
export function listAddress({ wiki, list, revision }: Reliability, wikis: Wikis): string {
  return revisionAddress(wiki, list, revision, wikis);
}

function revisionAddress(wiki: string, title: string, revision: number, { wikiOrigins, indexPath }: Wikis): string {
  const known = wikiOrigins.find((origin) => new URL(origin).host === wiki);
  const url = known === undefined ? new URL(WIKIMEDIA_INDEX, `https://${wiki}`) : new URL(indexPath, known);
  url.searchParams.set('title', title.replaceAll(' ', '_'));
  url.searchParams.set('oldid', String(revision));
  return String(url);
}

/** Path of index.php on Wikimedia's wikis. */
export const WIKIMEDIA_INDEX = '/w/index.php';

/** The source, scrolled to the quote; null if it is no http(s) address. */
export function sourceAddress(url: string | null, quote: string | null = null): string | null {
  const parsed = url === null ? null : parseHttpUrl(url);
  if (parsed === null) return null;
  if (quote === null) return parsed.href;
  parsed.hash = '';
  return `${parsed.href}${fragmentOf(quote)}`;
}

/** First and last words only: between them a page may have markers and links that the text has not. Half a character has no address. */
function fragmentOf(text: string): string {
  const words = text
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim()
    .split(/\s+/);
  const parts = words.length <= 8 ? [words] : [words.slice(0, 4), words.slice(-4)];
  return `#:~:text=${parts.map((part) => encodeURIComponent(part.join(' ')).replaceAll('-', '%2D')).join(',')}`;
}
