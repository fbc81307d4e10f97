/**
 * A table of a FEVEROUS page → one line a row, `Header: cell; Header: cell`, as the engine reads tables, each cell with its
 * place in the line. A header beside a value (infobox) is a piece of its own; rows of headers alone give no line.
 */
import { z } from 'zod';
import type { Line, Piece } from '../fever/evidence-page.ts';
import { type Element, parseId } from './element.ts';

/** Written as number or as text; a wider cell than any table needs would only cost memory. */
const SpanCount = z.coerce.number().int().min(1).max(1000).catch(1);

export const Cell = z.object({
  id: z.string(),
  value: z.string(),
  is_header: z.boolean(),
  column_span: SpanCount.default(1),
  row_span: SpanCount.default(1),
});
type Cell = z.infer<typeof Cell>;

export const Table = z.object({ table: z.array(z.array(Cell)), caption: z.string().default('') });
export type Table = z.infer<typeof Table>;

/** In the order of the rows. A cell over several rows stands in each. */
export function readTable({ table }: Table, page: string): Line<Element>[] {
  let columnHeaders: Row = [];
  return spread(table).flatMap((row) => {
    if (row.some((cell) => cell?.is_header === false)) return [readRow(row, columnHeaders, page)];
    // one header over the whole width names a part of the table, no column
    if (new Set(row).size > 1) columnHeaders = row;
    return [];
  });
}

/** Without links and header marks: `[[Page_name|text]]`, `[H] text`. */
export function plain(value: string): string {
  const text = value.replace(/\[\[[^|\]]*\|([^\]]*)\]\]/g, '$1').replace(/^\[H\]/, '');
  return text.replace(/\s+/g, ' ').trim();
}

type Row = (Cell | undefined)[];

/** Each cell in every row and column that it spans. */
function spread(table: Table['table']): Row[] {
  const grid: Row[] = table.map(() => []);
  for (const [top, cells] of table.entries()) {
    for (const cell of cells) {
      const left = firstFree(grid[top] ?? []);
      for (const row of grid.slice(top, top + cell.row_span)) {
        for (let column = left; column < left + cell.column_span; column += 1) row[column] ??= cell;
      }
    }
  }
  return grid;
}

function firstFree(row: Row): number {
  // biome-ignore lint/complexity/useIndexOf: holes are free too, and indexOf passes over them
  const free = row.findIndex((cell) => cell === undefined);
  return free === -1 ? row.length : free;
}

function readRow(row: Row, columnHeaders: Row, page: string): Line<Element> {
  const pieces: Piece<Element>[] = [];
  let text = '';
  const add = (cell: Cell, words: string, after: string) => {
    const id = parseId(`${page}_${cell.id}`);
    if (text !== '') text += after;
    if (id !== null) pieces.push({ id, start: text.length, end: text.length + words.length });
    text += words;
  };
  for (const [column, cell] of row.entries()) {
    if (cell === undefined || row.indexOf(cell) < column || plain(cell.value) === '') continue;
    const header = columnHeaders[column];
    const isLabel = row[column - 1]?.is_header === true && columnHeaders[column - 1] === undefined;
    const words = header === undefined ? plain(cell.value) : `${plain(header.value)}: ${plain(cell.value)}`;
    add(cell, words, isLabel ? ': ' : '; ');
  }
  return { kind: 'cells', text, pieces };
}
