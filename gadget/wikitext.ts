/**
 * Finds citation markers in wikitext. In: wikitext. Out: every use of a reference with its place and content, and what is
 * defined apart. Comments and nowiki are blanked first, so that offsets stay those of the page. Changes nothing.
 */
import { IDENTIFIERS } from '../bot/claims/identifiers.ts';
import { ENGLISH_PARAMETERS, TAG_NAMES } from '../bot/vocabulary/bundled.ts';
import { type Word, words } from './words.ts';

/** One marker: `<ref>…</ref>`, `<ref name="x" />`, a short footnote, or an inline tag such as {{citation needed}}. */
export interface Marker {
  kind: 'ref' | 'short_footnote' | 'tag';
  start: number;
  end: number;
  /** Name of a named reference. */
  name: string | null;
  /** What stands between the tags, or the whole template; '' for a reuse. */
  content: string;
}

export interface References {
  /** In the order of the page. */
  uses: Marker[];
  /** Definitions inside of <references> or {{reflist}}: no uses. */
  listed: Marker[];
}

export function readReferences(wikitext: string): References {
  const text = blank(wikitext, HIDDEN);
  const refs = findRefs(text, wikitext);
  const lists = findLists(text);
  const listed = refs.filter((ref) => isIn(ref, lists));
  const uses = refs.filter((ref) => listed.indexOf(ref) < 0);
  const templates = findTemplates(text, wikitext).filter((template) => !isIn(template, refs));
  return { uses: uses.concat(templates).sort((a, b) => a.start - b.start), listed };
}

/** Wikitext as a reader sees it: links by their label, without references and markup; null for each template or entity. */
export function readWords(wikitext: string): Word[] {
  return wordsOf(flatten(wikitext));
}

/**
 * Words of the cells of a table's row up to the end of this wikitext, the last one last; of a template, of its last parameter
 * alone. [] outside of both.
 */
export function readCells(wikitext: string): Word[][] {
  const text = `\n${flatten(wikitext)}`;
  const template = text.lastIndexOf('{{');
  const table = text.lastIndexOf('\n{|');
  if (template > table) return [wordsOf(text.slice(text.lastIndexOf('|') + 1).replace(/^[^=]*=/, ''))];
  if (table <= text.lastIndexOf('\n|}')) return [];
  const row = text.slice(Math.max(table, text.lastIndexOf('\n|-')) + 1);
  const cells = row.split(/\n\s*[|!]|\|\||!!/).slice(1);
  return cells.map((cell) => wordsOf(cell.replace(/^[^|]*\|/, '')));
}

/** References go, templates become UNKNOWN, links their label; lines, tables and templates that are still open stay. */
function flatten(wikitext: string): string {
  let text = blank(wikitext, HIDDEN).replace(REF, ' ').replace(MATH, UNKNOWN);
  for (let depth = 0; depth < DEEPEST && TEMPLATE.test(text); depth++) text = text.replace(TEMPLATE_ALL, UNKNOWN);
  return text
    .replace(/&(?:[a-z]+|#\w+);/gi, UNKNOWN)
    .replace(/\[\[(?:file|image|category):[^[\]]*\]\]/gi, ' ')
    .replace(/\[\[(?:[^[\]|]*\|)?([^[\]]*)\]\]/g, '$1')
    .replace(/\[(?:https?:)?\/\/\S+ ([^\]]*)\]/gi, '$1');
}

function wordsOf(flat: string): Word[] {
  const parts = flat
    .replace(/<[^>]*>/g, ' ')
    .split(UNKNOWN)
    .map(words);
  return parts.reduce<Word[]>((before, part, i) => (i === 0 ? part : before.concat(null, part)), []);
}

/** Addresses in a reference, as written and as its identifiers stand for them. */
export function readAddresses(content: string): string[] {
  const written = (content.match(URL_IN_TEXT) ?? []).map((url) => url.replace(/[.,:;!?]+$/, ''));
  const identified = IDENTIFIERS.map(([role, address]) => {
    const names = ENGLISH_PARAMETERS[role].join('|');
    const value = new RegExp(`\\|\\s*(?:${names})\\s*=([^|{}]*)`).exec(content)?.[1]?.trim() ?? '';
    return value === '' ? '' : address(value);
  });
  return written.concat(identified);
}

/** The words of a reference's values, without the names of its template and parameters and without addresses. */
export function readValues(content: string): string[] {
  return words(
    content
      .replace(URL_IN_TEXT, ' ')
      .replace(/\{\{[^|{}]*/g, ' ')
      .replace(/\|\s*[\w-]+\s*=/g, ' ')
      .replace(/\[\[(?:[^[\]|]*\|)?([^[\]]*)\]\]/g, '$1')
      .replace(/<[^>]*>/g, ' '),
  );
}

function findRefs(text: string, original: string): Marker[] {
  return matches(REF, text).map((match) => ({
    kind: 'ref',
    start: match.index,
    end: match.index + match[0].length,
    name: nameOf(match[1] || match[2] || ''),
    content: match[3] === undefined ? '' : original.substr(match.index + match[0].indexOf('>') + 1, match[3].length),
  }));
}

function nameOf(attributes: string): string | null {
  const match = /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))/i.exec(attributes);
  return match === null ? null : (match[1] || match[2] || match[3] || '').trim();
}

function findTemplates(text: string, original: string): Marker[] {
  return matches(INLINE_TEMPLATE, text).map((match) => ({
    kind: /^\{\{\s*sfn/i.test(match[0]) ? 'short_footnote' : 'tag',
    start: match.index,
    end: match.index + match[0].length,
    name: null,
    content: original.substr(match.index, match[0].length),
  }));
}

interface Span {
  start: number;
  end: number;
}

function findLists(text: string): Span[] {
  const tags = matches(REFERENCES, text).map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  const templates = matches(REFLIST, text).map(({ index }) => ({ start: index, end: closingOf(text, index) }));
  return tags.concat(templates);
}

/** Where the template that begins at `start` ends. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  for (const brace of matches(/\{\{|\}\}/g, text.slice(start))) {
    depth += brace[0] === '{{' ? 1 : -1;
    if (depth === 0) return start + brace.index + 2;
  }
  return text.length;
}

function isIn(marker: Span, spans: readonly Span[]): boolean {
  return spans.some((span) => span.start <= marker.start && marker.end <= span.end);
}

function matches(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  const search = new RegExp(pattern.source, pattern.flags);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) found.push(match);
  return found;
}

/** Spaces of the same length, so that offsets stay. */
function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (hidden) => ' '.repeat(hidden.length));
}

const URL_IN_TEXT = /(?:https?:)?\/\/[^\s|\]}<]+/gi;
const UNKNOWN = '\u0000';
const DEEPEST = 8;
const HIDDEN = /<!--[\s\S]*?-->|<(nowiki|pre|syntaxhighlight|source)\b[^>/]*>[\s\S]*?<\/\1>/gi;
const MATH = /<math\b[^>]*>[\s\S]*?<\/math>/gi;
const REF = /<ref\b([^>]*?)\/>|<ref\b([^>]*)>([\s\S]*?)<\/ref\s*>/gi;
const REFERENCES = /<references\b[^>/]*>[\s\S]*?<\/references>/gi;
const REFLIST = /\{\{\s*(?:reflist|references|refs|notelist)\s*\|/gi;
const TEMPLATE = /\{\{[^{}]*\}\}/;
const TEMPLATE_ALL = /\{\{[^{}]*\}\}/g;
/** Not those that enclose the doubtful text. */
const TAGS = TAG_NAMES.filter((name) => !name.endsWith('span')).map((name) =>
  name.replace(/[?]/g, '\\$&').replace(/ /g, '[ _]'),
);
const INLINE_TEMPLATE = new RegExp(`\\{\\{\\s*(?:sfn[mp]?|${TAGS.join('|')})\\s*(?:\\|[^{}]*)?\\}\\}`, 'gi');
