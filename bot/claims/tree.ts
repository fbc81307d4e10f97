/**
 * HTML in any state → the smallest tree that can be walked. htmlparser2's tokenizer does the reading; its Parser is not used, since
 * it takes time with the square of the depth. In linear time: nodes are only ever appended, and a closing tag that closes nothing costs
 * one look-up. Misnested tags are closed where the outer one ends, not moved as browsers do.
 */
import { Tokenizer } from 'htmlparser2';
import type { Comment, Element, Node, Text } from './document.ts';

/** The root: an element without a name that holds what the text holds. */
export function buildTree(html: string): Element {
  const builder = new TreeBuilder(html);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, builder);
  tokenizer.write(html);
  tokenizer.end();
  return builder.root;
}

type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

class TreeBuilder implements Callbacks {
  readonly root = new ElementNode('', null);
  readonly #html: string;
  #open = this.root;
  /** How many elements of a name are open. */
  readonly #depths = new Map<string, number>();
  #started: ElementNode | null = null;
  #attribute = '';
  #value = '';

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.#open.append(new TextNode(this.#html.slice(start, end), this.#open));
  }

  ontextentity(codepoint: number): void {
    this.#open.append(new TextNode(String.fromCodePoint(codepoint), this.#open));
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.#open.append(new CommentNode(this.#html.slice(start, end - endOffset), this.#open));
  }

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const implied = CLOSED_BY.get(name);
    while (implied?.has(this.#open.localName)) this.#close();
    this.#started = new ElementNode(name, this.#open);
    this.#open.append(this.#started);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    this.#started?.attributes.push(this.#attribute, this.#value);
    this.#value = '';
  }

  onopentagend(): void {
    if (this.#started !== null && !VOID.has(this.#started.localName)) this.#enter(this.#started);
    this.#started = null;
  }

  /** `<div/>` is `<div>` in HTML, but in a drawing or a formula it is a whole element. */
  onselfclosingtag(): void {
    if (this.#isForeign()) this.#started = null;
    else this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if ((this.#depths.get(name) ?? 0) === 0) return;
    while (this.#open.localName !== name) this.#close();
    this.#close();
  }

  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #enter(element: ElementNode): void {
    this.#depths.set(element.localName, (this.#depths.get(element.localName) ?? 0) + 1);
    this.#open = element;
  }

  #close(): void {
    const { localName, parentNode } = this.#open;
    this.#depths.set(localName, (this.#depths.get(localName) ?? 1) - 1);
    this.#open = parentNode ?? this.root;
  }

  #isForeign(): boolean {
    return (this.#depths.get('svg') ?? 0) > 0 || (this.#depths.get('math') ?? 0) > 0;
  }
}

class ElementNode implements Element {
  readonly nodeType = 1;
  readonly localName: string;
  readonly parentNode: ElementNode | null;
  /** Names and values in turn; of two with one name the first counts. */
  readonly attributes: string[] = [];
  firstChild: Node | null = null;
  nextSibling: Node | null = null;
  #last: Node | null = null;

  constructor(name: string, parent: ElementNode | null) {
    this.localName = name;
    this.parentNode = parent;
  }

  getAttribute(name: string): string | null {
    for (let at = 0; at < this.attributes.length; at += 2) {
      if (this.attributes[at] === name) return this.attributes[at + 1] ?? null;
    }
    return null;
  }

  append(node: Node): void {
    if (this.#last === null) this.firstChild = node;
    else this.#last.nextSibling = node;
    this.#last = node;
  }
}

/** What texts and comments have in common. */
class DataNode {
  readonly firstChild = null;
  readonly data: string;
  readonly parentNode: Node;
  nextSibling: Node | null = null;

  constructor(data: string, parent: Node) {
    this.data = data;
    this.parentNode = parent;
  }
}

class TextNode extends DataNode implements Text {
  readonly nodeType = 3;
}

class CommentNode extends DataNode implements Comment {
  readonly nodeType = 8;
}

/** https://html.spec.whatwg.org/multipage/syntax.html#void-elements */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const CELLS = names('td th');
const ROWS = names('td th tr');
const GROUPS = names('td th tr thead tbody tfoot');
const PARAGRAPH = names('p');

/** Open elements that a start tag ends (https://html.spec.whatwg.org/multipage/syntax.html#optional-tags). */
const CLOSED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['td', CELLS],
  ['th', CELLS],
  ['tr', ROWS],
  ['thead', GROUPS],
  ['tbody', GROUPS],
  ['tfoot', GROUPS],
  ['li', names('li p')],
  ['dt', names('dt dd p')],
  ['dd', names('dt dd p')],
  ['body', names('head link script style title')],
  ...`address article aside blockquote center details dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
    main menu nav ol p pre section table ul`
    .split(/\s+/)
    .map((name): [string, ReadonlySet<string>] => [name, PARAGRAPH]),
]);
