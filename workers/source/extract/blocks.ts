/**
 * An element → its text, one block (paragraph, heading, list item, table row) a line. White space is normalised, no line is
 * empty. What readers don't see or don't read (scripts, menus, forms) can be left out by the caller's choice.
 */
import { type Element, isElement, type Node, TEXT } from './dom.ts';
import { isDataTable, tableLines } from './table.ts';

export interface Block {
  text: string;
  /** Characters of `text` that are in links. */
  linked: number;
  /** The innermost block element that its first words stand in; of a row, its table. */
  element: Element;
}

/** Blocks of `root` in reading order; elements for which `skip` holds are passed over. */
export function readBlocks(root: Element, skip: (element: Element) => boolean = () => false): Block[] {
  const reading: Reading = {
    blocks: [],
    text: '',
    linked: 0,
    isBroken: false,
    owner: root,
    first: null,
    term: null,
    isDefined: false,
    skip,
  };
  walk(root, reading, false);
  flush(reading);
  endTerm(reading);
  return reading.blocks;
}

export function blockLines(root: Element): string[] {
  return readBlocks(root).map((block) => block.text);
}

function blockText(element: Element): string {
  return blockLines(element).join(' ');
}

/** Lines of preformatted or plain text; lines that were wrapped by hand are joined into paragraphs. */
export function plainLines(text: string): string[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const lines = paragraph.split('\n').map(squeeze).filter(Boolean);
    const isWrapped = lines.length > 1 && lines.slice(0, -1).every((line) => line.length >= WRAPPED_LENGTH);
    return isWrapped ? [lines.join(' ')] : lines;
  });
}

export function squeeze(text: string): string {
  return text.replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim();
}

interface Reading {
  blocks: Block[];
  text: string;
  linked: number;
  /** The text so far ends with a line break. */
  isBroken: boolean;
  /** The block element that is being read. */
  owner: Element;
  /** Where the text so far began; null where there is none. */
  first: Element | null;
  /** The term of the definitions that are read or still to come. */
  term: Block | null;
  /** A line begins with it already. */
  isDefined: boolean;
  skip: (element: Element) => boolean;
}

function walk(node: Node, reading: Reading, inLink: boolean): void {
  if (node.nodeType === TEXT) addText(node.textContent ?? '', reading, inLink);
  else if (isElement(node) && !UNSEEN.has(node.localName) && !reading.skip(node)) walkElement(node, reading, inLink);
}

function walkElement(element: Element, reading: Reading, inLink: boolean): void {
  const name = element.localName;
  if (name === 'br') breakLine(reading);
  else if (name === 'pre') addLines(plainLines(element.textContent ?? ''), element, reading);
  else if (name === 'table' && isDataTable(element)) addLines(tableLines(element, blockText), element, reading);
  else if (BLOCKS.has(name)) walkBlock(element, reading, inLink);
  else for (const child of element.childNodes) walk(child, reading, inLink || name === 'a');
}

function walkBlock(element: Element, reading: Reading, inLink: boolean): void {
  const { owner } = reading;
  flush(reading);
  reading.owner = element;
  for (const child of element.childNodes) walk(child, reading, inLink);
  flush(reading);
  reading.owner = owner;
}

function addText(text: string, reading: Reading, inLink: boolean): void {
  reading.text += text;
  if (text.trim() === '') return;
  reading.isBroken = false;
  reading.first ??= reading.owner;
  if (inLink) reading.linked += squeeze(text).length;
}

/** One break is how old pages wrap prose; two part paragraphs. */
function breakLine(reading: Reading): void {
  if (reading.isBroken) flush(reading);
  else reading.text += ' ';
  reading.isBroken = true;
}

function addLines(lines: readonly string[], element: Element, reading: Reading): void {
  flush(reading);
  endTerm(reading);
  reading.blocks.push(...lines.map((text) => ({ text, linked: 0, element })));
}

function flush(reading: Reading): void {
  const text = squeeze(reading.text);
  if (text !== '') push({ text, linked: reading.linked, element: reading.first ?? reading.owner }, reading);
  reading.text = '';
  reading.linked = 0;
  reading.first = null;
}

/** A term waits for its definitions and stands in one line with each: `Length: 31 m`. */
function push(block: Block, reading: Reading): void {
  const { term } = reading;
  const name = block.element.localName;
  if (term !== null && name === 'dd') {
    const text = `${term.text.replace(/\s*:$/, '')}: ${block.text}`;
    reading.blocks.push({ ...block, text, linked: term.linked + block.linked });
    reading.isDefined = true;
    return;
  }
  endTerm(reading);
  if (name === 'dt' && block.text.length <= MAX_TERM_LENGTH) reading.term = block;
  else reading.blocks.push(block);
}

function endTerm(reading: Reading): void {
  if (reading.term !== null && !reading.isDefined) reading.blocks.push(reading.term);
  reading.term = null;
  reading.isDefined = false;
}

/** Characters: a longer one is a line of its own. */
const MAX_TERM_LENGTH = 100;
/** Shorter lines are lines of a list or a poem, not of wrapped prose. */
const WRAPPED_LENGTH = 45;
const UNSEEN = new Set(
  'script style title noscript template svg math iframe object canvas audio video button select input textarea head'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
