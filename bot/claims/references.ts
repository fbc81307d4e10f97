/**
 * Marker → the reference that it stands for: its text, links and citation templates. In: a document. Out: a look-up by marker,
 * and by work for short footnotes. What of it identifies the source is decided in `citations.ts`.
 */
import { parseHttpUrl } from '../../shared/url.ts';
import { type Element, fragmentOf, hasToken, type Node, type Visitor, walk } from './document.ts';
import { CITATION_PARAMETERS, NOT_A_SOURCE } from './english.ts';
import { createTextWriter, isMarker, isSilent } from './text.ts';
import {
  isMissing,
  plainWikitext,
  readDataMw,
  readTransclusions,
  type Transclusion,
  visibleText,
} from './transclusion.ts';

export interface Link {
  href: string;
  text: string;
}

/** What stands in a reference, or in the work that a short footnote names. */
export interface Reference {
  /** As a reader sees it. */
  text: string;
  /** External links in order. */
  links: Link[];
  /** Templates in order, also such as the wiki does not have. */
  transclusions: Transclusion[];
  /** Ids of works that a short footnote links to: `CITEREFSmith2001`. */
  works: string[];
  /** Other references in it: a note with sources of its own. */
  holdsReferences: boolean;
}

export interface References {
  /** Null: the reference is defined nowhere. */
  of(marker: Element): Reference | null;
  /** The cited work with that id; null if the page has none. */
  work(id: string): Reference | null;
}

export function indexReferences(root: Node): References {
  const { ids, groups } = indexElements(root);
  const read = memoize((element: Element) => readReference(element, groups));
  return {
    of(marker) {
      const element = ids.get(readDataMw(marker).body?.id ?? '') ?? ids.get(noteOf(marker) ?? '');
      return element === undefined ? null : read(element);
    },
    work(id) {
      const element = ids.get(id);
      return element === undefined ? null : read(element);
    },
  };
}

/** The link of a marker leads to its place in the reference list; a reuse of a named reference has nothing else. */
export function noteOf(marker: Element): string | null {
  let id: string | null = null;
  walk(marker, {
    enter(element) {
      id ??= element.localName === 'a' ? fragmentOf(element.getAttribute('href')) : null;
      return 'walk';
    },
    leave: () => undefined,
    text: () => undefined,
  });
  return id;
}

interface Index {
  ids: Map<string, Element>;
  /** Templates of a group of elements; only the first of a group carries them. */
  groups: Map<string, Transclusion[]>;
}

function indexElements(root: Node): Index {
  const index: Index = { ids: new Map(), groups: new Map() };
  walk(root, {
    enter(element) {
      const id = element.getAttribute('id');
      if (id !== null && !index.ids.has(id)) index.ids.set(id, element);
      const about = element.getAttribute('about');
      if (about !== null && hasToken(element, 'typeof', 'mw:Transclusion')) {
        index.groups.set(about, readTransclusions(element));
      }
      return 'walk';
    },
    leave: () => undefined,
    text: () => undefined,
  });
  return index;
}

function readReference(root: Element, groups: Index['groups']): Reference {
  const reader = new ReferenceReader(groups.get(root.getAttribute('about') ?? '') ?? []);
  walk(root, reader);
  return reader.finish();
}

class ReferenceReader implements Visitor {
  readonly #reference: Reference;
  readonly #writer = createTextWriter();
  #silent: Element | null = null;
  #link: { element: Element; link: Link } | null = null;

  constructor(transclusions: Transclusion[]) {
    this.#reference = { text: '', links: [], transclusions: [...transclusions], works: [], holdsReferences: false };
  }

  enter(element: Element): 'walk' | 'skip' {
    if (isMarker(element)) {
      this.#reference.holdsReferences = true;
      return 'skip';
    }
    const transclusions = readTransclusions(element);
    this.#reference.transclusions.push(...transclusions);
    if (isMissing(element)) {
      this.text(transclusions.map(citedText).join(' '));
      return 'skip';
    }
    if (this.#silent === null && isSilent(element)) this.#silent = element;
    if (element.localName === 'a') this.#readLink(element);
    if (element.localName === 'br') this.#writer.space();
    return 'walk';
  }

  leave(element: Element): void {
    if (this.#silent === element) this.#silent = null;
    if (this.#link?.element === element) this.#link = null;
  }

  text(data: string): void {
    if (this.#silent !== null) return;
    this.#writer.write(data);
    if (this.#link !== null) this.#link.link.text += data;
  }

  finish(): Reference {
    return { ...this.#reference, text: this.#writer.take() };
  }

  #readLink(element: Element): void {
    const href = element.getAttribute('href') ?? '';
    const work = fragmentOf(href);
    if (work?.startsWith('CITEREF')) this.#reference.works.push(work);
    if (!hasToken(element, 'rel', 'mw:ExtLink') || parseHttpUrl(href) === null) return;
    const link = { href, text: '' };
    this.#reference.links.push(link);
    this.#link = { element, link };
  }
}

/** A citation template that the wiki does not have, as its parameters in order: without it two books would be the same text. */
function citedText(template: Transclusion): string {
  if (NOT_A_SOURCE.has(template.name)) return '';
  const values = CITATION_PARAMETERS.shown.map((name) => plainWikitext(template.params.get(name) ?? ''));
  return values.filter(Boolean).join(', ') || visibleText(template);
}

function memoize<K, V>(read: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
