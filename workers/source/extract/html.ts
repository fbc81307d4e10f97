/**
 * HTML → title, language, marks and the main text, one block a line; or a coded reason. Readability finds the main part; what it is known to
 * lose (data tables, pages of many small parts) is put back. Never throws.
 */
import { Readability } from '@mozilla/readability';
import { type Failure, unavailable } from '../fetch.ts';
import { type Block, blockLines, readBlocks } from './blocks.ts';
import { type Document, type Element, parseDocument } from './dom.ts';
import { type Marks, readMarks } from './marks.ts';
import { isDataTable } from './table.ts';

export interface Extracted {
  type: 'html' | 'pdf' | 'text';
  title: string;
  /** BCP 47, '' if the page does not say. */
  language: string;
  /** '' if there is none. */
  text: string;
  marks: Marks;
}

export function extractHtml(html: string): Extracted | Failure {
  const pieces = html.split(/[<&]/, MAX_PIECES + 1).length;
  if (pieces > MAX_PIECES) return unavailable('too_large', `more than ${MAX_PIECES} tags and entities`);
  const document = parseDocument(html);
  const marks = readMarks(document);
  const language = readLanguage(document);
  const title = readTitle(document);
  return { type: 'html', title, language, text: mainLines(document).join('\n'), marks };
}

/** Readability's choice, unless it leaves out most of the words: then everything but the page's furniture. */
function mainLines(document: Document): string[] {
  const everything = readBlocks(document.body, isFurniture);
  const tables = labelTables(document);
  const article = findArticle(document);
  const chosen = article === null ? [] : readBlocks(article);
  if (article === null || ownWords(chosen) < MIN_SHARE * ownWords(everything)) return everything.map(textOf);
  const kept = new Set([...article.querySelectorAll(`[${LABEL}]`)].map((table) => table.getAttribute(LABEL)));
  const lost = tables.filter((_, index) => !kept.has(String(index)));
  return [...chosen.map(textOf), ...lost.flat()];
}

function textOf(block: Block): string {
  return block.text;
}

/** Changes the document. Null where Readability finds nothing, or gives up on a page of absurd size. */
function findArticle(document: Document): Element | null {
  if ([...document.querySelectorAll('br')].length > MAX_BREAKS) return null;
  try {
    // its types need lib.dom; our Document is the part of it that linkedom builds and we use
    const readability = new Readability(document as never, {
      maxElemsToParse: MAX_ELEMENTS,
      serializer: (node) => node,
    });
    return (readability.parse()?.content ?? null) as Element | null;
  } catch {
    return null;
  }
}

/** Labels the data tables of the page's content, so that they are known again, and reads them. */
function labelTables(document: Document): string[][] {
  const tables = [...document.querySelectorAll('table')].filter((table) => isDataTable(table) && !isInFurniture(table));
  return tables.map((table, index) => {
    table.setAttribute(LABEL, String(index));
    return blockLines(table);
  });
}

function isInFurniture(element: Element): boolean {
  for (let at: Element | null = element; at !== null && at.localName !== 'body'; at = at.parentElement) {
    if (isFurniture(at)) return true;
  }
  return false;
}

/** Menus, footers, comments, notices: what stands on the page and is not what it is about. */
function isFurniture(element: Element): boolean {
  if (FURNITURE.has(element.localName) || element.hasAttribute('hidden')) return true;
  if (FURNITURE_ROLE.test(element.getAttribute('role') ?? '')) return true;
  if (element.localName === 'body' || element.localName === 'main' || element.localName === 'article') return false;
  if (/display\s*:\s*none/i.test(element.getAttribute('style') ?? '')) return true;
  const names = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`;
  return names.split(/\s+/).some((name) => FURNITURE_NAME.test(name));
}

/** Words of the blocks that are not mostly links. */
function ownWords(blocks: readonly Block[]): number {
  const own = blocks.filter(({ text, linked }) => linked < text.length / 2);
  return own.reduce((sum, { text }) => sum + text.split(' ').length, 0);
}

function readTitle(document: Document): string {
  const named = document.querySelector('meta[property="og:title"]')?.getAttribute('content');
  const title =
    named || document.querySelector('title')?.textContent || document.querySelector('h1')?.textContent || '';
  return title.replace(/\s+/g, ' ').trim().slice(0, 1000);
}

function readLanguage(document: Document): string {
  const said =
    document.querySelector('html')?.getAttribute('lang') ||
    document.querySelector('[http-equiv="content-language" i]')?.getAttribute('content');
  try {
    return Intl.getCanonicalLocales(said ?? '')[0] ?? '';
  } catch {
    return ''; // not a language tag
  }
}

const LABEL = 'data-table-label';
/** Tags and entities: the parser's time grows faster than their number where they are nested. */
const MAX_PIECES = 150_000;
/** Readability's time grows faster than the page, with breaks most of all; larger ones are read whole. */
const MAX_ELEMENTS = 30_000;
const MAX_BREAKS = 3000;
const MIN_SHARE = 0.5;
const FURNITURE = new Set(['nav', 'footer', 'aside', 'dialog']);
const FURNITURE_ROLE = /^(navigation|banner|contentinfo|complementary|search|dialog|alertdialog)$/i;
const FURNITURE_NAME =
  /^(site-|page-|main-|post-)?(comments?|disqus|related|promo|newsletter|sidebar|breadcrumbs?|cookies?|share|social|menu|nav|navbar|navigation|footer|masthead)([-_](list|area|section|container|wrapper|bar|box|thread|widget|notice|banner|links|posts))?$/i;
