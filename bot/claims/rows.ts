/**
 * A table → one block a marked row, as a reader takes it in: "Header: cell; Header: cell". Cells of several sentences come out
 * as prose.
 */
import type { Block, Mark, Run } from './block.ts';
import { Grid, type Placed } from './grid.ts';
import { type Cell, cellText, joinRuns, type Table } from './tables.ts';

type RowBlock = Omit<Block, 'section' | 'exclusion'>;

export function readRows(table: Table): RowBlock[] {
  const grid = new Grid(table.infobox);
  const kind = table.infobox ? 'infobox_row' : 'table_row';
  return table.rows.flatMap((cells) => {
    const row = grid.place(cells);
    return rowRuns(row).map((run) => ({ lead: grid.divider || table.caption, ...run, kind }));
  });
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
  let marks: Mark[] = [];
  for (const placed of row) {
    const content = joinRuns(placed.cell.runs);
    if (content.text !== '') text += labelOf(row, placed, text);
    if (placed === own) marks = content.marks.map((mark) => ({ ...mark, offset: mark.offset + text.length }));
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
