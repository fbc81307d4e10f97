/**
 * One reference, or one work that short footnotes name → what stands in it: its text, links and templates. In: its element. Out: a
 * Reference. What of it identifies the source is decided in `cited.ts`.
 */
import { parseHttpUrl } from '../../shared/url.ts';
import type { Meaning, Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Element, fragmentOf, hasToken, type Visitor, walk } from './document.ts';
import { SHOWN_PARAMETERS } from './english.ts';
import { footnoteText, type WorkLink, worksOf } from './footnotes.ts';
import { createTextWriter, isMarker, isSilent } from './text.ts';
import { isMissing, plainWikitext, readTransclusions, type Transclusion, visibleText } from './transclusion.ts';

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

/** `transclusions`: those of its group of elements, which the first of a group carries. */
export function readReference(
  root: Element,
  transclusions: readonly Transclusion[],
  vocabulary: Vocabulary,
): Reference {
  const reader = new ReferenceReader(transclusions, vocabulary);
  if (isMissing(root)) reader.enter(root);
  else walk(root, reader);
  return reader.finish();
}

export function emptyReference(): Reference {
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
    const reference = this.#reference;
    return { ...reference, text: this.#writer.take() || (reference.links[0]?.href ?? '') };
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
