/**
 * What this folder uses of the DOM that linkedom builds: lib.dom would put `window` within reach of every file of a server.
 * In: HTML. Out: a document whose content is in its body, no deeper than its walkers can follow.
 */
import { parseHTML } from 'linkedom';

export interface Node {
  readonly nodeType: number;
  textContent: string | null;
  readonly childNodes: Iterable<Node>;
}

export interface Element extends Node {
  readonly localName: string;
  readonly children: Iterable<Element>;
  readonly parentNode: Element | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  closest(selector: string): Element | null;
}

export interface Document {
  readonly documentElement: Element;
  readonly body: Element;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

export const ELEMENT = 1;
export const TEXT = 3;

/** linkedom does not move content into a body that the markup leaves out, as browsers do: it is put there first. */
export function parseDocument(html: string): Document {
  const parsed = load(html);
  const document = parsed.querySelector('body') === null ? load(wrap(html)) : parsed;
  flatten(document.body, 0);
  return document;
}

export function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT;
}

function load(html: string): Document {
  // linkedom's own types need lib.dom
  return parseHTML(html).document as unknown as Document;
}

function wrap(html: string): string {
  const inner = html.replace(/<!doctype[^>]*>|<\/?(?:html|head|body)\b[^>]*>/gi, '');
  const lang = /<html\b[^>]*\blang\s*=\s*["']?([\w-]+)/i.exec(html)?.[1] ?? '';
  return `<!doctype html><html lang="${lang}"><head></head><body>${inner}</body></html>`;
}

/** Below `MAX_DEPTH` an element becomes its text: nobody writes that by hand, and recursion would overflow the stack. */
function flatten(element: Element, depth: number): void {
  const text = depth === MAX_DEPTH ? element.textContent : null;
  if (text !== null) element.textContent = text;
  else for (const child of [...element.children]) flatten(child, depth + 1);
}

const MAX_DEPTH = 200;
