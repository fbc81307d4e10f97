/**
 * Marker → the reference that it stands for: its text, links and citation templates. In: a document. Out: a look-up by marker,
 * and by work for short footnotes. What of it identifies the source is decided in `citations.ts`.
 */
import { parseHttpUrl } from '../../shared/url.ts';
import type { Meaning, Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Element, fragmentOf, hasToken, type Node, type Visitor, walk } from './document.ts';
import { SHOWN_PARAMETERS } from './english.ts';
import { footnoteText, type WorkLink, workIdOf, worksOf } from './footnotes.ts';
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
  /** Works that a short footnote names. */
  works: WorkLink[];
  /** Other references in it: a note with sources of its own. */
  holdsReferences: boolean;
  /** It holds the comment that leaves it out. */
  ignored: boolean;
}

/**
 * Editors leave one reference out of all checks by a comment in it, or right behind one use of it: `<!-- sidelight: ignore -->`.
 * `comment`: what stands between its marks.
 */
export function isIgnoring(comment: string): boolean {
  return /^\s*sidelight:\s*ignore\s*$/i.test(comment);
}

/** A bare external link, read as the reference that it stands for. */
export function bareReference(link: Element): Reference {
  const href = link.getAttribute('href') ?? '';
  return { ...emptyReference(), text: href, links: [{ href, text: '' }] };
}

export interface References {
  /** Null: the reference is defined nowhere. */
  of(marker: Element): Reference | null;
  /** The cited work with that id; null if the page has none. */
  work(id: string): Reference | null;
}

export function indexReferences(root: Node, vocabulary: Vocabulary): References {
  const { ids, works, notes, groups } = indexElements(root);
  const read = memoize((element: Element) => readReference(element, groups, vocabulary));
  const at = (id: string | null | undefined) => ids.get(id ?? '');
  return {
    of(marker) {
      if (isMissing(marker)) return unrendered(marker);
      const element = at(readDataMw(marker).body?.id) ?? at(noteOf(marker));
      return element === undefined ? null : read(element);
    },
    work(id) {
      const element = ids.get(id) ?? works.get(id);
      return element === undefined ? null : read(element);
    },
  };

  /** A reference whose template the wiki does not have: what it would have shown. */
  function unrendered(marker: Element): Reference | null {
    const footnote = readTransclusions(marker).find(({ name }) => isReferring(vocabulary, name));
    if (footnote === undefined) return null;
    if (vocabulary.meaningOf(footnote.name) === 'short_footnote')
      return { ...emptyReference(), text: footnoteText(footnote), works: worksOf(footnote) };
    const element = at(notes.get(footnote.params.get('1') ?? ''));
    return element === undefined ? null : read(element);
  }
}

/** Whether a template stands for a use of a reference, as {{sfn}} and {{r}} do. */
export function isReferring(vocabulary: Vocabulary, name: string): boolean {
  const meaning = vocabulary.meaningOf(name);
  return meaning === 'short_footnote' || meaning === 'named_reference';
}

/** Titles of the templates in references and listed works: those whose parameters are worth knowing. */
export function citationTemplates(root: Node): string[] {
  const titles = new Set<string>();
  let list: Element | null = null;
  walk(root, {
    enter(element) {
      if (list === null && hasToken(element, 'typeof', 'mw:Extension/references')) list = element;
      const isWork = element.localName === 'cite' || element.localName === 'li' || list !== null || isMissing(element);
      if (isWork) for (const { title } of readTransclusions(element)) titles.add(title);
      return 'walk';
    },
    leave(element) {
      if (element === list) list = null;
    },
    text: () => undefined,
  });
  return [...titles];
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
  /** Works by the id that short footnotes know them by, where they carry none themselves. */
  works: Map<string, Element>;
  /** Ids of notes by the name of their reference. */
  notes: Map<string, string>;
  /** Templates of a group of elements; only the first of a group carries them. */
  groups: Map<string, readonly Transclusion[]>;
}

function indexElements(root: Node): Index {
  const index: Index = { ids: new Map(), works: new Map(), notes: new Map(), groups: new Map() };
  walk(root, {
    enter(element) {
      const id = element.getAttribute('id');
      if (id !== null && !index.ids.has(id)) index.ids.set(id, element);
      if (isMarker(element)) indexMarker(element, index);
      else if (hasToken(element, 'typeof', 'mw:Transclusion')) indexTransclusions(element, index);
      return 'walk';
    },
    leave: () => undefined,
    text: () => undefined,
  });
  return index;
}

function indexMarker(marker: Element, { notes }: Index): void {
  const { attrs, body } = readDataMw(marker);
  const name = attrs?.name;
  if (typeof name !== 'string' || notes.has(name)) return;
  const note = body?.id ?? noteOf(marker);
  if (note !== null) notes.set(name, note);
}

function indexTransclusions(element: Element, { works, groups }: Index): void {
  const transclusions = readTransclusions(element);
  const about = element.getAttribute('about');
  if (about !== null) groups.set(about, transclusions);
  for (const transclusion of transclusions) {
    const id = workIdOf(transclusion);
    if (id !== null && !works.has(id)) works.set(id, element);
  }
}

function readReference(root: Element, groups: Index['groups'], vocabulary: Vocabulary): Reference {
  const reader = new ReferenceReader(groups.get(root.getAttribute('about') ?? '') ?? [], vocabulary);
  if (isMissing(root)) reader.enter(root);
  else walk(root, reader);
  return reader.finish();
}

function emptyReference(): Reference {
  return { text: '', links: [], transclusions: [], works: [], holdsReferences: false, ignored: false };
}

class ReferenceReader implements Visitor {
  readonly #reference = emptyReference();
  readonly #vocabulary: Vocabulary;
  readonly #writer = createTextWriter();
  #silent: Element | null = null;
  #link: { element: Element; link: Link } | null = null;
  /** What the last template of a short footnote names. */
  #named: WorkLink[] = [];

  constructor(transclusions: readonly Transclusion[], vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#take(transclusions);
  }

  enter(element: Element): 'walk' | 'skip' {
    if (isMarker(element)) {
      this.#reference.holdsReferences = true;
      return 'skip';
    }
    const transclusions = readTransclusions(element);
    if (isMissing(element)) {
      this.#enterMissing(transclusions);
      return 'skip';
    }
    this.#take(transclusions);
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

  comment(data: string): void {
    if (isIgnoring(data)) this.#reference.ignored = true;
  }

  finish(): Reference {
    return { ...this.#reference, text: this.#writer.take() };
  }

  #take(transclusions: readonly Transclusion[]): void {
    for (const transclusion of transclusions) {
      if (this.#reference.transclusions.includes(transclusion)) continue;
      this.#reference.transclusions.push(transclusion);
      if (isShort(this.#meaningOf(transclusion))) this.#named = worksOf(transclusion);
      if (holdsIgnoring(transclusion)) this.#reference.ignored = true;
    }
  }

  #enterMissing(transclusions: readonly Transclusion[]): void {
    this.#take(transclusions);
    for (const transclusion of transclusions) {
      const meaning = this.#meaningOf(transclusion);
      if (isShort(meaning)) {
        this.text(` ${footnoteText(transclusion)}`);
        this.#reference.works.push(...worksOf(transclusion));
      } else if (meaning !== 'archived_copy' && meaning !== 'link_note') this.text(` ${citedText(transclusion)}`);
    }
  }

  #meaningOf({ name }: Transclusion): Meaning | null {
    return this.#vocabulary.meaningOf(name);
  }

  #readLink(element: Element): void {
    const href = element.getAttribute('href') ?? '';
    const id = href.includes('CITEREF') ? fragmentOf(href) : null;
    if (id?.startsWith('CITEREF')) {
      const pages = this.#named.find((work) => work.id === id)?.pages ?? null;
      this.#reference.works.push({ id, pages });
    }
    if (!hasToken(element, 'rel', 'mw:ExtLink') || parseHttpUrl(href) === null) return;
    const link = { href, text: '' };
    this.#reference.links.push(link);
    this.#link = { element, link };
  }
}

function isShort(meaning: Meaning | null): boolean {
  return meaning === 'short_footnote' || meaning === 'short_citation';
}

/** A citation template that the wiki does not have, as its parameters in order: without it two books would be the same text. */
function citedText(template: Transclusion): string {
  const shown = SHOWN_PARAMETERS.flatMap((name) => template.params.get(name) ?? []);
  const values = shown.length > 0 ? shown : foreignValues(template);
  return values.slice(0, MOST_SHOWN).map(plainWikitext).filter(Boolean).join(', ') || visibleText(template);
}

/** Of a citation template in another language: several parameters with names of their own. */
function foreignValues({ params }: Transclusion): string[] {
  const named = [...params].filter(([name, value]) => !/^\d+$/.test(name) && !/^https?:/i.test(value));
  return named.length < 2 ? [] : named.map(([, value]) => value);
}

const MOST_SHOWN = 20;

function holdsIgnoring({ params }: Transclusion): boolean {
  for (const value of params.values()) {
    const comments = value.includes('sidelight') ? value.matchAll(/<!--([^<>-]{1,60})-->/g) : [];
    for (const comment of comments) if (isIgnoring(comment[1] ?? '')) return true;
  }
  return false;
}

function memoize<K, V>(read: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
