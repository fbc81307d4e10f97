/**
 * A document → its blocks: paragraphs, list items, table rows, captions, quotations, each with the plain text of what it says
 * and the offsets at which references and cleanup tags stand. What a claim is within a block is decided in `claim.ts`.
 */

import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Block, CitationMark, Mark, Run, Trigger } from './block.ts';
import { CleanupTags, enclosedText, isTrigger } from './cleanup.ts';
import { type Element, hasClass, type Node, parseDocument, type Visitor, walk } from './document.ts';
import { cleanPages, pagesOf } from './footnotes.ts';
import { type Place, partsText, placeOf, WHOLE_PAGE } from './places.ts';
import { isIgnoring } from './reference.ts';
import { isReferring } from './references.ts';
import { withoutResidue } from './residue.ts';
import { readRows } from './rows.ts';
import type { Table } from './tables.ts';
import { createTextWriter, isMarker, isSilent } from './text.ts';
import {
  countReferences,
  isMissing,
  plainWikitext,
  readDataMw,
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
  const reader = new BlockReader(vocabulary, WHOLE_PAGE);
  walk(root, reader);
  return reader.finish();
}

class BlockReader implements Visitor {
  readonly #vocabulary: Vocabulary;
  readonly #blocks: Block[] = [];
  readonly #unrendered: string[] = [];
  readonly #places: Place[] = [];
  readonly #writer = createTextWriter();
  #place: Place;
  #marks: Mark[] = [];
  #headings: { level: number; text: string }[] = [];
  /** The last run: it introduces a list or quotation that follows it. */
  #previous = '';
  /** The outermost element whose text is not read. */
  #silent: Element | null = null;
  readonly #cleanup = new CleanupTags();

  constructor(vocabulary: Vocabulary, place: Place) {
    this.#vocabulary = vocabulary;
    this.#place = { ...place };
  }

  enter(element: Element): 'walk' | 'skip' {
    const cites = this.#citesBy(element);
    if (cites !== null) {
      this.#marks.push({ kind: cites, offset: this.#writer.offset(), element });
      this.#writer.gap();
      return 'skip';
    }
    const missing = isMissing(element);
    this.#readHiddenCaption(element);
    this.#readTemplates(element, missing);
    if (missing) {
      this.#writer.gap();
      return 'skip';
    }
    if (this.#silent === null && (isSilent(element) || this.#cleanup.isTag(element))) {
      this.#silent = element;
      this.#writer.gap();
    }
    this.#open(element);
    return 'walk';
  }

  leave(element: Element): void {
    const trigger = this.#cleanup.endingWith(element);
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

  #citesBy(element: Element): CitationMark['kind'] | null {
    if (isMarker(element) || (isMissing(element) && isUse(element, this.#vocabulary))) return 'reference';
    return this.#silent === null && isProse(this.#place) && isBareLink(element) ? 'link' : null;
  }

  /** An image within a line has its caption in an attribute: the references in it are on the page, though nobody sees the marker. */
  #readHiddenCaption(element: Element): void {
    const caption = hiddenCaption(element);
    if (!caption.includes('mw:Extension/ref')) return;
    const { exclusion } = this.#place;
    const inner = new BlockReader(this.#vocabulary, { ...WHOLE_PAGE, kind: 'caption', exclusion });
    walk(parseDocument(caption), inner);
    const { blocks, unrendered } = inner.finish();
    for (const block of blocks) this.#blocks.push({ ...block, section: this.#section() });
    this.#unrendered.push(...unrendered);
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
    const where = this.#cleanup.read(element, trigger, transclusion);
    if (isMissing(element)) this.text(plainWikitext(enclosedText(transclusion)));
    if (where === 'behind' || isMissing(element)) this.#mark(trigger);
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

/** A bare link is a citation in prose only: in a list, a table or an infobox it is what is listed. */
function isProse({ kind, cell, exclusion, heading }: Place): boolean {
  return kind === 'sentence' && cell === null && exclusion === null && heading === null;
}

/** `[https://…]`, which the wiki shows as a number. */
function isBareLink(element: Element): boolean {
  return element.localName === 'a' && hasClass(element, /^autonumber$/);
}

function isUse(element: Element, vocabulary: Vocabulary): boolean {
  return readTransclusions(element).some(({ name }) => isReferring(vocabulary, name));
}

function hiddenCaption(element: Element): string {
  const isImage = /\bmw:(File|Image|Error)\b/.test(element.getAttribute('typeof') ?? '');
  return isImage ? (readDataMw(element).caption ?? '') : '';
}
