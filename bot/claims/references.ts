/**
 * Marker → the reference that it stands for; id → the work that short footnotes name. In: a document. Out: a look-up. How a reference
 * is read is in `reference.ts`.
 */
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Element, fragmentOf, hasToken, type Node, walk } from './document.ts';
import { footnoteText, workIdOf, worksOf } from './footnotes.ts';
import { emptyReference, type Reference, readReference } from './reference.ts';
import { isMarker } from './text.ts';
import { isMissing, readDataMw, readTransclusions, type Transclusion } from './transclusion.ts';

export interface References {
  /** Null: the reference is defined nowhere. */
  of(marker: Element): Reference | null;
  /** The cited work with that id; null if the page has none. */
  work(id: string): Reference | null;
}

export function indexReferences(root: Node, vocabulary: Vocabulary): References {
  const { ids, works, notes, groups } = indexElements(root);
  const read = memoize((element: Element) =>
    readReference(element, groups.get(element.getAttribute('about') ?? '') ?? [], vocabulary),
  );
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

function memoize<K, V>(read: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
