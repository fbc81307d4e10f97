/**
 * What this folder uses of the DOM that linkedom builds: lib.dom would put `window` within reach of every file of a server.
 * In: HTML. Out: a document whose content is in its body, no deeper than its walkers can follow.
 */
import { parseHTML } from 'linkedom';
import { cutDepth } from './depth.ts';

export interface Node {
  readonly nodeType: number;
  textContent: string | null;
  readonly childNodes: Iterable<Node>;
}

export interface Element extends Node {
  readonly localName: string;
  readonly children: Iterable<Element>;
  readonly parentElement: Element | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  closest(selector: string): Element | null;
  remove(): void;
}

export interface Document {
  readonly documentElement: Element;
  readonly body: Element;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

export const ELEMENT = 1;
export const TEXT = 3;

/**
 * linkedom does not move content that stands outside of the body into it, as browsers do: so all of it is put there first. Of the
 * tags themselves stays what says of what kind the page is.
 */
export function parseDocument(html: string): Document {
  const inner = cutDepth(html).replace(OUTER, '');
  const read = html.replace(COMMENT, ''); // in which pages have tags for old browsers
  const root = attributesOf(read, 'html', ['lang', 'xml:lang', ...TYPE]);
  const body = attributesOf(read, 'body', ['class', 'id', ...TYPE]);
  const { document } = parseHTML(`<!doctype html><html ${root}><head></head><body ${body}>${inner}</body></html>`);
  // linkedom's own types need lib.dom
  const parsed = document as unknown as Document;
  flatten(parsed.body, 0);
  return parsed;
}

/** Of the first such tag, as they are written there. */
function attributesOf(html: string, tag: 'html' | 'body', names: readonly string[]): string {
  const written = new RegExp(`<${tag}\\b(${WITHIN})>`, 'i').exec(html)?.[1] ?? '';
  const attribute = new RegExp(
    `(?<![^\\s"'])(?:${names.join('|')})(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"']+)|(?![^\\s/]))`,
    'gi',
  );
  return written.match(attribute)?.join(' ') ?? '';
}

export function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT;
}

/** Below `MAX_DEPTH` an element becomes its text: nobody writes that by hand, and recursion would overflow the stack. */
function flatten(element: Element, depth: number): void {
  const text = depth === MAX_DEPTH ? element.textContent : null;
  if (text !== null) element.textContent = text;
  else for (const child of [...element.children]) flatten(child, depth + 1);
}

const MAX_DEPTH = 200;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TYPE = ['itemscope', 'itemtype'];
/** Of a tag. Themes write dozens of classes; what has `<` in it is bounded more tightly, since it may be no tag at all. */
const WITHIN = '[^<>]{0,8000}|[^>]{0,500}';
const OUTER = new RegExp(`<!doctype[^>]{0,500}>|</?(?:html|head|body)\\b(?:${WITHIN})>`, 'gi');
