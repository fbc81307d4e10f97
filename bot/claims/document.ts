/**
 * Parsoid HTML → a document to walk. In: any string, in any state. Out: nodes, and the few questions that are asked of them.
 * Selectors are absent: one pass over the nodes answers everything, in linear time.
 */
import { buildTree } from './tree.ts';

export interface Node {
  nodeType: number;
  firstChild: Node | null;
  nextSibling: Node | null;
  parentNode: Node | null;
}

export interface Element extends Node {
  localName: string;
  getAttribute(name: string): string | null;
}

export interface Text extends Node {
  data: string;
}

export interface Comment extends Node {
  data: string;
}

/** What the text holds, under one root. */
export function parseDocument(html: string): Element {
  return buildTree(html);
}

/** The language that the page says it is in; 'en' if it does not. */
export function languageOf(root: Element): string {
  const html = childNamed(root, 'html') ?? root;
  const body = childNamed(html, 'body');
  return html.getAttribute('lang') ?? body?.getAttribute('lang') ?? 'en';
}

function childNamed(parent: Element, name: string): Element | null {
  let node = parent.firstChild;
  while (node !== null && !(isElement(node) && node.localName === name)) node = node.nextSibling;
  return node;
}

export interface Visitor {
  /** `skip`: neither its content nor `leave` is visited. */
  enter(element: Element): 'walk' | 'skip';
  leave(element: Element): void;
  text(data: string): void;
  comment?(data: string): void;
}

/** Visits everything under `root` in document order; without recursion, since a page may nest as deep as it likes. */
export function walk(root: Node, visitor: Visitor): void {
  let node: Node | null = root.firstChild;
  while (node !== null) {
    const inside: Node | null = visit(node, visitor) ? node.firstChild : null;
    node = inside ?? next(node, root, visitor);
  }
}

/** True if the node's content is to be walked and the node to be left. */
function visit(node: Node, visitor: Visitor): boolean {
  if (isText(node)) visitor.text(node.data);
  if (isComment(node)) visitor.comment?.(node.data);
  if (!isElement(node) || visitor.enter(node) === 'skip') return false;
  if (node.firstChild !== null) return true;
  visitor.leave(node);
  return false;
}

function next(from: Node, root: Node, visitor: Visitor): Node | null {
  let node = from;
  while (node.nextSibling === null) {
    const parent = node.parentNode;
    if (parent === null || parent === root) return null;
    if (isElement(parent)) visitor.leave(parent);
    node = parent;
  }
  return node.nextSibling;
}

export function hasToken(element: Element, attribute: string, token: string): boolean {
  const value = element.getAttribute(attribute);
  return value?.includes(token) === true && value.split(/\s+/).includes(token);
}

/** Whether one of the element's classes matches as a whole word. */
export function hasClass(element: Element, pattern: RegExp): boolean {
  const value = element.getAttribute('class');
  return value?.split(/\s+/).some((name) => pattern.test(name)) === true;
}

/** What a link of this page points to: `./Title#cite_note-1` → `cite_note-1`; null without a fragment. */
export function fragmentOf(href: string | null): string | null {
  const at = href?.indexOf('#') ?? -1;
  if (href === null || at < 0) return null;
  const fragment = href.slice(at + 1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

function isText(node: Node): node is Text {
  return node.nodeType === 3;
}

function isComment(node: Node): node is Comment {
  return node.nodeType === 8;
}
