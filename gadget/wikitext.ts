/** Wikitext as a reader sees it, and what a reference holds. In: wikitext. Out: words and addresses. Changes nothing. */
import { IDENTIFIERS } from '../bot/claims/identifiers.ts';
import { ENGLISH_PARAMETERS } from '../bot/vocabulary/families.ts';
import { type Word, words } from './words.ts';

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

/** Comments and nowiki as blanks of the same length, so that offsets stay. */
export function withoutHidden(wikitext: string): string {
  return blank(wikitext, HIDDEN);
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
const TEMPLATE = /\{\{[^{}]*\}\}/;
const TEMPLATE_ALL = /\{\{[^{}]*\}\}/g;
