/**
 * A document → its blocks: paragraphs, list items, table rows, captions, quotations, each with the plain text of what it says
 * and the offsets at which references and cleanup tags stand. What a claim is within a block is decided in `claim.ts`.
 */

import type { Block, Mark, Run, Trigger } from './block.ts';
import { type Element, type Node, type Visitor, walk } from './document.ts';
import { TRIGGERS } from './english.ts';
import { type Place, partsText, placeOf, WHOLE_PAGE } from './places.ts';
import { withoutResidue } from './residue.ts';
import { readRows } from './rows.ts';
import type { Table } from './tables.ts';
import { createTextWriter, isMarker, isSilent } from './text.ts';
import { countReferences, isMissing, readTransclusions, visibleText } from './transclusion.ts';

export interface Blocks {
  blocks: Block[];
  /** Names of missing templates, once for each reference in their parameters. */
  unrendered: string[];
}

export function readBlocks(root: Node): Blocks {
  const reader = new BlockReader();
  walk(root, reader);
  return reader.finish();
}

class BlockReader implements Visitor {
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

  enter(element: Element): 'walk' | 'skip' {
    if (isMarker(element)) {
      this.#marks.push({ kind: 'reference', offset: this.#writer.offset(), element });
      this.#writer.gap();
      return 'skip';
    }
    const missing = isMissing(element);
    this.#readTemplates(element, missing);
    if (missing) {
      this.#writer.gap();
      return 'skip';
    }
    if (this.#silent === null && (isSilent(element) || this.#cleanup.has(element.getAttribute('about') ?? ''))) {
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

  finish(): Blocks {
    this.#flush();
    return { blocks: this.#blocks, unrendered: this.#unrendered };
  }

  #readTemplates(element: Element, missing: boolean): void {
    for (const transclusion of readTransclusions(element)) {
      const trigger = TRIGGERS.get(transclusion.name);
      if (trigger !== undefined) this.#readTrigger(element, trigger, transclusion.name);
      if (!missing) continue;
      this.text(visibleText(transclusion));
      for (let count = countReferences(transclusion); count > 0; count--) this.#unrendered.push(transclusion.name);
    }
  }

  #readTrigger(element: Element, trigger: Trigger, name: string): void {
    if (name.endsWith('span')) {
      this.#enclosing.set(element, trigger);
      return;
    }
    this.#mark(trigger);
    this.#cleanup.add(element.getAttribute('about') ?? name);
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
