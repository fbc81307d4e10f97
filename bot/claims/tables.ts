/**
 * Tables → one block a marked row, as a reader takes it in: "Header: cell; Header: cell". Spans are resolved, so that a cell
 * finds its headers and a row the cells that reach down into it. Tables that only lay out prose come out as prose.
 */
import type { Block, Mark, Run } from './blocks.ts';
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
const MOST_SPANNED = 100;

/** A cell in its row, with what stands above it. */
interface Placed {
  cell: Cell;
  header: string;
  /** Of an earlier row, reaching down: its references stand behind that row. */
  carried: boolean;
}

type RowBlock = Omit<Block, 'section' | 'exclusion'>;

export function readRows(table: Table): RowBlock[] {
  const grid = new Grid(table.infobox);
  const kind = table.infobox ? 'infobox_row' : 'table_row';
  return table.rows.flatMap((cells) => {
    const row = grid.place(cells);
    return rowRuns(row).map((run) => ({ lead: grid.divider || table.caption, ...run, kind }));
  });
}

/** Follows headers and spans from row to row. */
class Grid {
  /** Text of the last heading that spans the table. */
  divider = '';
  #headers: string[] = [];
  #carried: ({ cell: Cell; rows: number } | undefined)[] = [];
  #underHeaders = false;
  readonly #infobox: boolean;

  constructor(infobox: boolean) {
    this.#infobox = infobox;
  }

  place(cells: Cell[]): Placed[] {
    const own = new Set(cells);
    const columns = this.#columns(cells);
    const row = columns.map(([cell, column]) => {
      return { cell, header: this.#headers[column] ?? '', carried: !own.has(cell) };
    });
    this.#readHeaders(
      cells,
      columns.filter(([cell]) => own.has(cell)),
    );
    return row;
  }

  /** Each cell with its first column, from left to right. */
  #columns(cells: Cell[]): [Cell, number][] {
    const placed: [Cell, number][] = [];
    const waiting = [...cells].reverse();
    let column = 0;
    while (column < MOST_SPANNED && (waiting.length > 0 || column < this.#carried.length)) {
      const carried = this.#takeCarried(column);
      const cell = carried ?? waiting.pop();
      if (cell !== undefined && placed.at(-1)?.[0] !== cell) placed.push([cell, column]);
      column += carried === undefined && cell !== undefined ? this.#carry(cell, column) : 1;
    }
    return [...placed, ...waiting.reverse().map((cell): [Cell, number] => [cell, MOST_SPANNED])];
  }

  #takeCarried(column: number): Cell | undefined {
    const carried = this.#carried[column];
    if (carried === undefined) return undefined;
    carried.rows -= 1;
    if (carried.rows === 0) this.#carried[column] = undefined;
    return carried.cell;
  }

  /** Notes the cell for the rows that it reaches down into; returns the number of its columns. */
  #carry(cell: Cell, column: number): number {
    for (let spanned = 0; cell.rowspan > 1 && spanned < cell.colspan; spanned++) {
      this.#carried[column + spanned] = { cell, rows: cell.rowspan - 1 };
    }
    return cell.colspan;
  }

  #readHeaders(cells: Cell[], columns: [Cell, number][]): void {
    const first = cells[0];
    const isHeaders = first !== undefined && cells.every((cell) => cell.header);
    if (isHeaders && cells.length === 1 && (this.#infobox || first.colspan > 1)) {
      this.divider = cellText(first);
      return;
    }
    if (isHeaders && !this.#underHeaders) this.#headers = [];
    if (isHeaders) for (const [cell, column] of columns) this.#readHeader(cell, column);
    this.#underHeaders = isHeaders;
  }

  #readHeader(cell: Cell, column: number): void {
    const text = cellText(cell);
    for (let spanned = column; spanned < column + cell.colspan; spanned++) {
      this.#headers[spanned] = [this.#headers[spanned], text].filter(Boolean).join(' ');
    }
  }
}

interface RowRun extends Run {
  isStatement: boolean;
  /** What the row is about, where the run is prose. */
  lead?: string;
}

/** One run for each marked cell: a header by itself, the whole row, or what the row is about and the cell, if several cells have references. */
function rowRuns(row: Placed[]): RowRun[] {
  const marked = row.filter(({ cell, carried }) => !carried && markedRuns(cell).length > 0);
  if (marked.length === 0) return [];
  if (row.every(({ cell }) => cell.header)) return marked.map((own) => compose([own], own));
  const subject = row.find(({ cell }) => cellText(cell) !== '');
  const short = row.reduce((sum, { cell }) => sum + cellText(cell).length, 0) <= LONGEST_ROW;
  return marked.flatMap((own) => {
    const text = cellText(own.cell);
    if (text.length > LONGEST_CELL) return proseOf(own.cell, subject);
    const isWhole = short && (marked.length === 1 || own === subject || text === '');
    return [compose(isWhole ? row : row.filter((placed) => placed === own || placed === subject), own)];
  });
}

/** Characters. A longer cell is prose: its sentences are the claims; a longer row is no one statement. */
const LONGEST_CELL = 200;
const LONGEST_ROW = 1000;

function compose(row: Placed[], own: Placed): RowRun {
  let text = '';
  const marks: Mark[] = [];
  for (const placed of row) {
    const content = joinRuns(placed.cell.runs);
    if (content.text !== '') text += labelOf(row, placed, text);
    if (placed === own) marks.push(...content.marks.map((mark) => ({ ...mark, offset: mark.offset + text.length })));
    text += content.text;
  }
  return { text, marks, isStatement: true };
}

/** What parts a cell from the one before, and its header. A row without headers has its first cell as a label. */
function labelOf(row: Placed[], placed: Placed, before: string): string {
  const first = row[0];
  const isValue = first?.cell.header === true && first.header === '';
  const parted = before === '' ? '' : isValue && placed === row[1] ? ': ' : '; ';
  return placed.header === '' ? parted : `${parted}${placed.header}: `;
}

function proseOf(cell: Cell, subject: Placed | undefined): RowRun[] {
  const about = subject === undefined || subject.cell === cell ? {} : { lead: cellText(subject.cell) };
  return markedRuns(cell).map((run) => ({ ...run, ...about, isStatement: false }));
}

function markedRuns(cell: Cell): Run[] {
  return cell.runs.filter((run) => run.marks.length > 0);
}

function cellText(cell: Cell): string {
  return joinRuns(cell.runs).text;
}

/** Paragraphs, lines and list items of a cell as one text. */
function joinRuns(runs: Run[]): Run {
  let text = '';
  const marks: Mark[] = [];
  for (const run of runs) {
    if (text !== '' && run.text !== '')
      text += /[.,;:!?]$/.test(text.slice(-1)) || run.text.startsWith('(') ? ' ' : ', ';
    marks.push(...run.marks.map((mark) => ({ ...mark, offset: mark.offset + text.length })));
    text += run.text;
  }
  return { text, marks };
}
