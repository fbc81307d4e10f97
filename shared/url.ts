/** Canonical form of a cited URL. In: any text. Out: a form in which one page has one URL, or null. Fetches nothing. */

/**
 * Scheme-less, lower-case host without `www.`, no name and password, no default port of either scheme, no fragment, no tracking
 * parameters, no trailing slash, parameters sorted, escapes in one spelling. A Wayback address stands for the page it keeps.
 * Null for what is no http(s) URL. The form of `https://` and a form is that form.
 */
export function canonicalUrl(raw: string): string | null {
  const url = parseHttpUrl(raw.trim());
  if (url === null) return null;
  const original = originalOfArchived(url.href);
  if (original !== url.href) return canonicalUrl(original);
  url.searchParams.sort();
  for (const name of [...url.searchParams.keys()]) {
    if (TRACKING.test(name)) url.searchParams.delete(name);
  }
  const path = url.pathname.replace(/%[0-9a-f]{2}/gi, toOneSpelling).replace(/\/+$/, '');
  const form = `${canonicalHost(url)}${path}${url.search}`;
  return originalOfArchived(`https://${form}`) === `https://${form}` ? form : canonicalUrl(`https://${form}`);
}

/** The URL, if it is http or https; else null. Protocol-relative addresses are read as https. */
export function parseHttpUrl(raw: string): URL | null {
  const url = parseUrl(raw.startsWith('//') ? `https:${raw}` : raw);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/**
 * What `URL.parse` is where it is had. Not `URL.canParse`: some thousand calls in, Node 20 and 22 say no to each address with an
 * umlaut or the like (https://github.com/AikidoSec/firewall-node/pull/1086); and the gadget runs in browsers that lack it.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** The page that a Wayback Machine address keeps, or the address itself. */
export function originalOfArchived(url: string): string {
  return parseArchived(url)?.url ?? url;
}

/** What a Wayback Machine address says: the page that it keeps, and of when (`yyyyMMddhhmmss` or its beginning; '' for none). Else null. */
export function parseArchived(address: string): { timestamp: string; url: string } | null {
  const [, timestamp = '', kept = ''] = WAYBACK.exec(address) ?? [];
  const url = /^https?:/i.test(kept) ? kept.replace(/:\/+/, '://') : BARE_HOST.test(kept) ? `http://${kept}` : '';
  return url === '' || parseHttpUrl(url) === null ? null : { timestamp: timestamp.includes('*') ? '' : timestamp, url };
}

/** Whether a host name is one of archive.today's: wikis remove its links (https://en.wikipedia.org/wiki/Wikipedia:Archive.today). */
export function isArchiveToday(hostname: string): boolean {
  return ARCHIVE_TODAY.test(hostname);
}

/** Both schemes' ports are default ports, since the form has no scheme. `www.com` is a name of its own. */
function canonicalHost({ hostname, port }: URL): string {
  const host = hostname.replace(/(.)\.+$/, '$1').replace(/^(?:www\.)+(?=[^.]+\.)/, '');
  return port === '' || port === '80' || port === '443' ? host : `${host}:${port}`;
}

/** RFC 3986, section 6.2.2: what need not be escaped in a path is not, the rest is in capitals. */
function toOneSpelling(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w~.!'()*,:@-]/.test(character) ? character : escaped.toUpperCase();
}

const ARCHIVE_TODAY = /(^|\.)archive\.(today|is|ph|fo|li|md|vn)\.?$/i;
const WAYBACK =
  /^(?:https?:)?\/\/(?:www\.)?(?:web\.)?archive\.org(?::\d+)?\/web\/(?:([0-9*]+)(?:[a-z]{2}_)?\/)?((?:https?:\/|[^/]+\.).+)$/i;
const BARE_HOST = /^[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)/;
const TRACKING = /^(utm_\w+|fbclid|gclid|mc_[ce]id|ref_src|igshid)$/i;
