/**
 * Rows of cells, one after the other → each cell with the header above it, spans resolved, so that a row also has the cells
 * that reach down into it.
 */
import { type Cell, cellText, MOST_SPANNED } from './tables.ts';

/** A cell in its row, with what stands above it. */
export interface Placed {
  cell: Cell;
  header: string;
  /** Of an earlier row, reaching down: its references stand behind that row. */
  carried: boolean;
}

/** Follows headers and spans from row to row. */
export class Grid {
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
