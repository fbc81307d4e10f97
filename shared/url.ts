/** Canonical form of a cited URL. In: any text. Out: a form in which one page has one URL, or null. Fetches nothing. */

/**
 * Scheme-less, lower-case host without `www.`, no fragment, no tracking parameters, no trailing slash, parameters sorted.
 * A Wayback address stands for the page it keeps. Null for what is no http(s) URL.
 */
export function canonicalUrl(raw: string): string | null {
  const url = parseHttpUrl(originalOfArchived(raw.trim()));
  if (url === null) return null;
  url.searchParams.sort();
  for (const name of [...url.searchParams.keys()]) {
    if (TRACKING.test(name)) url.searchParams.delete(name);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`;
}

/** The URL, if it is http or https; else null. Protocol-relative addresses are read as https. */
export function parseHttpUrl(raw: string): URL | null {
  const text = raw.startsWith('//') ? `https:${raw}` : raw;
  try {
    const url = new URL(text); // not URL.canParse: the gadget runs in browsers that lack it
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** The page that a Wayback Machine address keeps, or the address itself. */
export function originalOfArchived(url: string): string {
  return WAYBACK.exec(url)?.[1] ?? url;
}

/** Whether a host name is one of archive.today's: wikis remove its links (https://en.wikipedia.org/wiki/Wikipedia:Archive.today). */
export function isArchiveToday(hostname: string): boolean {
  return ARCHIVE_TODAY.test(hostname);
}

const ARCHIVE_TODAY = /(^|\.)archive\.(today|is|ph|fo|li|md|vn)$/i;
const WAYBACK = /^https?:\/\/(?:web\.)?archive\.org\/web\/[0-9*]+(?:[a-z]{2}_)?\/(https?:\/\/.+)$/i;
const TRACKING = /^(utm_\w+|fbclid|gclid|mc_[ce]id|ref_src|igshid)$/i;
