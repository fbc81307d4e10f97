/** A table as it is read: rows of cells with the runs of text in them. What its rows say is in `rows.ts`. */
import type { Mark, Run } from './block.ts';
import { type Element, hasClass } from './document.ts';

export interface Table {
  infobox: boolean;
  caption: string;
  rows: Cell[][];
}

export interface Cell {
  header: boolean;
  colspan: number;
  rowspan: number;
  runs: Run[];
}

export function openTable(element: Element, outer: Table | null): Table {
  return { infobox: outer?.infobox === true || hasClass(element, /^infobox/i), caption: '', rows: [] };
}

/** A new cell at the end of the table's last row; null outside of a table. */
export function openCell(element: Element, table: Table | null): Cell | null {
  if (table === null) return null;
  const cell = {
    header: element.localName === 'th',
    colspan: spanOf(element, 'colspan'),
    rowspan: spanOf(element, 'rowspan'),
    runs: [],
  };
  if (table.rows.length === 0) table.rows.push([]);
  table.rows.at(-1)?.push(cell);
  return cell;
}

function spanOf(element: Element, name: string): number {
  const span = Number.parseInt(element.getAttribute(name) ?? '1', 10);
  return span >= 1 ? Math.min(span, MOST_SPANNED) : 1;
}

/** A wider table loses the headers beyond: no page can make the grid larger than this. */
export const MOST_SPANNED = 100;

export function cellText(cell: Cell): string {
  return joinRuns(cell.runs).text;
}

/** Paragraphs, lines and list items of a cell as one text. */
export function joinRuns(runs: Run[]): Run {
  let text = '';
  const marks: Mark[] = [];
  for (const run of runs) {
    if (text !== '' && run.text !== '')
      text += /[.,;:!?]$/.test(text.slice(-1)) || run.text.startsWith('(') ? ' ' : ', ';
    for (const mark of run.marks) marks.push({ ...mark, offset: mark.offset + text.length });
    text += run.text;
  }
  return { text, marks };
}
