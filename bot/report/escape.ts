/**
 * Foreign text → wikitext that shows it, word by word, and does nothing else: no template, link, category, table, list, signature,
 * magic word. In: any string. Out: wikitext for the middle of a line. Letters, digits and plain punctuation stay readable.
 */
import { isArchiveToday, parseHttpUrl } from '../../shared/url.ts';

/** Everything that wikitext may read as markup is written as a character reference, which nothing but the browser resolves. */
export function escapeText(text: string): string {
  return oneLine(text)
    .replace(NOT_PLAIN, (character) => reference(character))
    .replace(MAGIC_LINK, (word) => `${reference(word.charAt(0))}${word.slice(1)}`);
}

/** A link to a page of this wiki, which is no category and no picture; plain text for what is no title of an article. */
export function pageLink(title: string, prefixes: ReadonlyMap<string, number>): string {
  const shown = escapeText(title);
  const prefix = oneLine(title).split(':')[0]?.trim().toLowerCase() ?? '';
  const isArticle = !ILLEGAL_IN_TITLE.test(title) && !(title.includes(':') && prefixes.has(prefix));
  return isArticle && !title.startsWith(':') ? `[[:${shown}]]` : shown;
}

/** A link out; plain text where the address may not be linked: no web address, one with a password, or one that is refused. */
export function externalLink(address: string, label: string, unlinkable: ReadonlySet<string>): string {
  const url = linkable(address, unlinkable);
  const shown = escapeText(label).trim() || escapeText(address).trim();
  return url === null ? shown : `[${url} ${shown}]`;
}

function linkable(address: string, unlinkable: ReadonlySet<string>): string | null {
  const url = parseHttpUrl(wellFormed(address));
  if (url === null || url.username !== '' || url.password !== '' || url.hostname.startsWith('[')) return null;
  if (isArchiveToday(url.hostname)) return null;
  const href = url.href.toLowerCase();
  if (url.href.length > LONGEST_LINK || [...unlinkable].some((part) => href.includes(part.toLowerCase()))) return null;
  return url.href.replace(NOT_IN_LINK, percent).replace(AMPERSAND, '&amp;');
}

/** Without halves of characters, at which `encodeURIComponent` throws. */
export function wellFormed(text: string): string {
  return text.replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
}

/** Lines and control characters, which have no place in a cell, are spaces; NFC, as the wiki keeps it. */
function oneLine(text: string): string {
  return wellFormed(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .normalize('NFC')
    .trim();
}

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

function percent(characters: string): string {
  return [...characters].map((character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`).join('');
}

/**
 * All but letters, marks, digits, spaces, and punctuation that means nothing to a wiki. A mark at the beginning would merge with
 * the `>` before it, as the wiki composes what it saves.
 */
const NOT_PLAIN = /^\p{M}|[^\p{L}\p{M}\p{N} .,?%()/“”‘’«»„–—…°€£·-]|-(?=-)|(?<=-)-/gu;
/** https://www.mediawiki.org/wiki/Help:Magic_links */
const MAGIC_LINK = /(?:RFC|PMID|ISBN)(?=\s)/gi;
/** Inside of `[url label]`: ends of the link, templates, converters, quotes, and what is read in twos and threes. */
const NOT_IN_LINK = /[[\]{}|<>"'\s\\^`]|~{2,}|_{2,}/g;
/** Would be read as a character reference. */
const AMPERSAND = /&(?=#?\w+;)/g;
/** https://www.mediawiki.org/wiki/Manual:Page_title, and what resolves to it. */
const ILLEGAL_IN_TITLE = /[#<>[\]|{}_\p{Cc}\uFFFD]|~{3}|%[\da-f]{2}|&#?\w+;|^\s*$|(^|\/)\.\.?(\/|$)/iu;
const LONGEST_LINK = 2000;
