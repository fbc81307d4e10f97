/** An article as a reader sees it: text without markers and what is hidden. In: elements and ranges. Out: words. Changes nothing. */
import { words } from './words.ts';

/** What cites, or says something of what is cited. */
export const MARKER = 'sup.reference, sup.Inline-Template';

export interface Block {
  words: string[];
  /** How many of the words stand before each of its markers. */
  at: Map<Element, number>;
}

/** In one walk: a long paragraph has many markers. */
export function readBlock(block: Element): Block {
  const read: Block = { words: [], at: new Map() };
  let text = '';
  const mark = (marker: Element) => {
    read.words.push(...words(text));
    text = '';
    read.at.set(marker, read.words.length);
  };
  const walk = (node: Node) => {
    if (node instanceof Text) text += node.data;
    if (!(node instanceof Element)) return;
    if (node.matches(SPACED)) text += ' ';
    if (node.matches(MARKER)) mark(node);
    else if (node.matches(SILENT)) node.querySelectorAll(MARKER).forEach(mark);
    else node.childNodes.forEach(walk);
  };
  block.childNodes.forEach(walk);
  read.words.push(...words(text));
  return read;
}

export function readRange(range: Range): string {
  const part = range.cloneContents();
  part.querySelectorAll(SILENT).forEach((element) => {
    element.remove();
  });
  part.querySelectorAll(SPACED).forEach((element) => {
    element.insertAdjacentText('beforebegin', ' ');
  });
  return part.textContent ?? '';
}

const SPACED = 'br, p, li, td, th';
/** What claims are read without (bot/claims/text.ts); formulas are hidden behind their image. */
const SILENT = `${MARKER}, .sidelight-badge, .noprint, .mw-editsection, .sortkey, .error, .coordinates, style, script, annotation,
  [style*="display:none"]:not([class*="mwe-math"]), [style*="display: none"]:not([class*="mwe-math"])`;
