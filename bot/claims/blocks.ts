/**
 * A document → its blocks: paragraphs, list items, table rows, captions, quotations, each with the plain text of what it says
 * and the offsets at which references and cleanup tags stand. What a claim is within a block is decided in `claim.ts`.
 */

import type { Meaning, Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Block, CitationMark, Mark, Run, Trigger } from './block.ts';
import { type Element, hasClass, type Node, type Visitor, walk } from './document.ts';
import { cleanPages, pagesOf } from './footnotes.ts';
import { type Place, partsText, placeOf, WHOLE_PAGE } from './places.ts';
import { isIgnoring, isReferring } from './references.ts';
import { withoutResidue } from './residue.ts';
import { readRows } from './rows.ts';
import type { Table } from './tables.ts';
import { createTextWriter, isMarker, isSilent } from './text.ts';
import {
  countReferences,
  isMissing,
  plainWikitext,
  readTransclusions,
  type Transclusion,
  visibleText,
} from './transclusion.ts';

export interface Blocks {
  blocks: Block[];
  /** Names of missing templates, once for each reference in their parameters. */
  unrendered: string[];
}

export function readBlocks(root: Node, vocabulary: Vocabulary): Blocks {
  const reader = new BlockReader(vocabulary);
  walk(root, reader);
  return reader.finish();
}

class BlockReader implements Visitor {
  readonly #vocabulary: Vocabulary;
  readonly #blocks: Block[] = [];
  readonly #unrendered: string[] = [];
  readonly #places: Place[] = [];
  readonly #writer = createTextWriter();
  #place: Place = { ...WHOLE_PAGE };
  #marks: Mark[] = [];
  #headings: { level: number; text: string }[] = [];
  /** The last run: it introduces a list or quotation that follows it. */
  #previous = '';
  /** The outermost element whose text is not read. */
  #silent: Element | null = null;
  /** Groups of elements (`about`) that cleanup templates made. */
  readonly #cleanup = new Set<string>();
  /** Templates that enclose the doubtful text: their tag stands at its end. */
  readonly #enclosing = new Map<Element, Trigger>();
  /** Groups of elements that such templates made. */
  readonly #enclosed = new Set<string>();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  enter(element: Element): 'walk' | 'skip' {
    const cites = this.#citesBy(element);
    if (cites !== null) {
      this.#marks.push({ kind: cites, offset: this.#writer.offset(), element });
      this.#writer.gap();
      return 'skip';
    }
    const missing = isMissing(element);
    this.#readTemplates(element, missing);
    if (missing) {
      this.#writer.gap();
      return 'skip';
    }
    if (this.#silent === null && (isSilent(element) || this.#isTag(element))) {
      this.#silent = element;
      this.#writer.gap();
    }
    this.#open(element);
    return 'walk';
  }

  leave(element: Element): void {
    const trigger = this.#enclosing.get(element);
    if (trigger !== undefined) this.#mark(trigger);
    if (this.#silent === element) this.#silent = null;
    if (this.#place.element === element) this.#close();
  }

  text(data: string): void {
    if (this.#silent === null) this.#writer.write(data);
  }

  comment(data: string): void {
    const mark = isIgnoring(data) ? this.#lastCitation() : null;
    if (mark !== null) mark.ignored = true;
  }

  finish(): Blocks {
    this.#flush();
    return { blocks: this.#blocks, unrendered: this.#unrendered };
  }

  /** A bare link is a citation in prose only: in a list, a table or an infobox it is what is listed. */
  #citesBy(element: Element): CitationMark['kind'] | null {
    if (isMarker(element)) return 'reference';
    if (isMissing(element)) {
      const isUse = readTransclusions(element).some(({ name }) => isReferring(this.#vocabulary, name));
      return isUse ? 'reference' : null;
    }
    const { kind, cell, exclusion, heading } = this.#place;
    const isProse = kind === 'sentence' && cell === null && exclusion === null && heading === null;
    const isBare = isProse && this.#silent === null && element.localName === 'a' && hasClass(element, /^autonumber$/);
    return isBare ? 'link' : null;
  }

  /** What the wiki shows of a cleanup template. */
  #isTag(element: Element): boolean {
    const about = element.getAttribute('about') ?? '';
    return this.#cleanup.has(about) || (element.localName === 'sup' && this.#enclosed.has(about));
  }

  #readTemplates(element: Element, missing: boolean): void {
    for (const transclusion of readTransclusions(element)) {
      const meaning = this.#vocabulary.meaningOf(transclusion.name);
      if (isTrigger(meaning)) this.#readTrigger(element, meaning, transclusion);
      else if (meaning === 'pages') this.#readPages(transclusion);
      if (!missing) continue;
      this.text(visibleText(transclusion));
      for (let count = countReferences(transclusion); count > 0; count--) this.#unrendered.push(transclusion.name);
    }
  }

  #readTrigger(element: Element, trigger: Trigger, transclusion: Transclusion): void {
    const about = element.getAttribute('about') ?? transclusion.name;
    if (encloses(transclusion) && !isMissing(element)) {
      this.#enclosing.set(element, trigger);
      this.#enclosed.add(about);
      return;
    }
    if (encloses(transclusion)) this.text(plainWikitext(enclosedText(transclusion)));
    this.#mark(trigger);
    this.#cleanup.add(about);
  }

  /** {{rp|12}} names pages of the reference before it. */
  #readPages(transclusion: Transclusion): void {
    const pages = cleanPages(transclusion.params.get('1') ?? '') ?? pagesOf(transclusion);
    const mark = this.#lastCitation();
    if (mark !== null && pages !== null) mark.pages ??= pages;
  }

  /** The citation that stands right before, with nothing in between. */
  #lastCitation(): CitationMark | null {
    const last = this.#marks.findLast((mark) => mark.kind !== 'trigger');
    return last !== undefined && last.offset === this.#writer.offset() ? last : null;
  }

  #mark(trigger: Trigger): void {
    this.#marks.push({ kind: 'trigger', offset: this.#writer.offset(), trigger });
  }

  #open(element: Element): void {
    if (!partsText(element, this.#place)) {
      this.#openInline(element.localName);
      return;
    }
    this.#flush();
    this.#places.push(this.#place);
    this.#place = placeOf(element, this.#place, this.#previous);
    if (!/^(p|div|section)$/.test(element.localName)) this.#previous = '';
  }

  #openInline(name: string): void {
    if (name === 'sup') this.#writer.raise();
    if (name === 'br' && this.#place.cell !== null) this.#flush();
    else if (/^(br|p|div)$/.test(name)) this.#writer.space();
  }

  #close(): void {
    this.#flush();
    const closed = this.#place;
    this.#place = this.#places.pop() ?? { ...WHOLE_PAGE };
    if (closed.element?.localName === 'dt') this.#place.lead = this.#previous;
    if (closed.element?.localName === 'table' && closed.table !== null) this.#keepRows(closed.table);
    if (!/^(p|div|section|blockquote)$/.test(closed.element?.localName ?? '')) this.#previous = '';
  }

  #keepRows(table: Table): void {
    const section = this.#section();
    for (const row of readRows(table)) this.#blocks.push({ ...row, section, exclusion: null });
  }

  #flush(): void {
    const run = withoutResidue({ text: this.#writer.take(), marks: this.#marks });
    this.#marks = [];
    if (run.text === '' && run.marks.length === 0) return;
    const { heading, table, cell, kind, exclusion } = this.#place;
    if (heading !== null) this.#enterSection(heading, run.text);
    if (table !== null && cell === null && kind === 'caption') table.caption = run.text;
    if (cell !== null && exclusion === null) cell.runs.push(run);
    else this.#keep(run);
    if (run.text !== '') this.#previous = run.text;
  }

  /** Markers alone in a paragraph stand behind the paragraph before. */
  #keep({ text, marks }: Run): void {
    if (marks.length === 0) return;
    const { kind, lead, exclusion } = this.#place;
    const run =
      text === '' ? { text: this.#previous, marks: marks.map((mark) => this.#moveToEnd(mark)) } : { text, marks };
    this.#blocks.push({ ...run, kind, lead, exclusion, isStatement: false, section: this.#section() });
  }

  #moveToEnd(mark: Mark): Mark {
    return { ...mark, offset: this.#previous.length };
  }

  #enterSection(level: number, text: string): void {
    this.#headings = [...this.#headings.filter((heading) => heading.level < level), { level, text }];
  }

  #section(): string[] {
    return this.#headings.map((heading) => heading.text);
  }
}

function isTrigger(meaning: Meaning | null): meaning is Trigger {
  return meaning === 'failed_verification' || meaning === 'citation_needed';
}

/** {{citation needed span|text}} stands around a text, as such templates of several wikis do; others have a date at most. */
function encloses(transclusion: Transclusion): boolean {
  if (/span$/.test(transclusion.name)) return true;
  return enclosedText(transclusion).trim().split(/\s+/).length >= FEWEST_WORDS;
}

function enclosedText({ params }: Transclusion): string {
  return params.get('text') ?? params.get('1') ?? '';
}

/** A date has no more than two: "May 2020". */
const FEWEST_WORDS = 3;
