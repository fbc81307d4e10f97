/** A data table → lines: its caption, then each row with its headers, "Header: cell; Header: cell"; a wide row in several lines. */
import type { Element } from './dom.ts';

/** A table that holds data rather than the page's layout. */
export function isDataTable(table: Element): boolean {
  if (LAYOUT_ROLE.test(table.getAttribute('role') ?? '') || table.querySelector('table') !== null) return false;
  const rows = rowsOf(table).map(cellsOf);
  if (rows.some((row) => row.length > MAX_COLUMNS)) return false;
  if (table.querySelector('th, caption, thead') !== null) return true;
  const cells = rows.flat();
  const isGrid = rows.length >= 2 && rows.some((row) => row.length >= 2);
  return isGrid && cells.every((cell) => isShort(cell) && cell.querySelector(PROSE) === null);
}

/** `textOf` reads a cell. Cells that span several rows or columns count for each of them. */
export function tableLines(table: Element, textOf: (cell: Element) => string): string[] {
  const rows = expand(rowsOf(table), textOf);
  const bodyStart = rows.findIndex((row) => row.some((cell) => !cell.isHeader));
  const headerRows = rows.slice(0, Math.max(bodyStart, 0));
  const headers = rows[0]?.map((_, column) => joinHeaders(headerRows, column)) ?? [];
  const caption = readCaption(table, textOf);
  const most = MAX_LINE_WORDS - Math.min(countWords(caption), MAX_CARRIED_WORDS) - 2;
  return captioned(
    caption,
    rows.slice(headerRows.length).flatMap((row) => rowLines(row, headers, most)),
  );
}

/** Publishing systems write it below the table, as that of a figure. */
function readCaption(table: Element, textOf: (cell: Element) => string): string {
  const caption = table.querySelector('caption') ?? table.closest('figure')?.querySelector('figcaption') ?? null;
  return caption === null ? '' : textOf(caption).replace(/\.$/, '');
}

/**
 * The rows of a table that is longer than a passage's half carry its caption, so that none is read without it; of a long caption, its
 * beginning. Shorter tables are not parted from the line above them (workers/verification/heads.ts).
 */
function captioned(caption: string, rows: readonly string[]): string[] {
  if (caption === '') return [...rows];
  if (countWords(rows.join(' ')) <= MAX_SHORT_TABLE_WORDS) return [caption, ...rows];
  if (countWords(caption) <= MAX_CARRIED_WORDS) return rows.map((row) => `${caption} – ${row}`);
  const carried = caption.split(' ').slice(0, MAX_CARRIED_WORDS).join(' ');
  return [caption, ...rows.map((row) => `${carried} … – ${row}`)];
}

function countWords(text: string): number {
  return text.split(' ').length;
}

interface Cell {
  text: string;
  isHeader: boolean;
}

/** A header that spans rows stands once; a group's header stands before that of its column. */
function joinHeaders(headerRows: Cell[][], column: number): string {
  return [...new Set(headerRows.map((row) => row[column]?.text ?? ''))].filter(Boolean).join(' ');
}

/** `Header: cell; …`; where columns have no header, the row's own stands before its cells. */
function rowLines(row: Cell[], headers: readonly string[], most: number): string[] {
  const texts = row.flatMap((cell, column) => {
    if (cell.text === '' || cell === row[column - 1]) return [];
    const header = headers[column] ?? '';
    return [header === '' || header === cell.text ? cell.text : `${header}: ${cell.text}`];
  });
  const isNamed =
    row[0]?.isHeader && row[0].text !== '' && headers.every((header) => header === '') && texts.length > 1;
  const line = isNamed ? `${texts[0]}: ${texts.slice(1).join('; ')}` : texts.join('; ');
  if (line === '') return [];
  return countWords(line) <= most ? [line] : partRow(texts, isNamed ? ': ' : '; ', most);
}

/** A sentence of more than 50 words would be cut anywhere: each line of a wide row begins with the row's first cell. */
function partRow([name = '', ...cells]: readonly string[], mark: string, most: number): string[] {
  const [first, ...others] = cells;
  if (first === undefined || countWords(name) > MAX_NAME_WORDS) return [name, ...cells];
  const lines = [`${name}${mark}${first}`];
  for (const cell of others) {
    const longer = `${lines.at(-1)}; ${cell}`;
    if (countWords(longer) <= most) lines[lines.length - 1] = longer;
    else lines.push(`${name}${mark}${cell}`);
  }
  return lines;
}

/** Rows by column: https://html.spec.whatwg.org/multipage/tables.html#forming-a-table, with bounded spans. */
function expand(rows: Element[], textOf: (cell: Element) => string): Cell[][] {
  const grid: (Cell | undefined)[][] = rows.map(() => []);
  rows.forEach((row, at) => {
    let column = 0;
    for (const element of cellsOf(row)) {
      while (grid[at]?.[column] !== undefined) column += 1;
      const cell = { text: textOf(element), isHeader: isHeader(element, row) };
      const columns = span(element, 'colspan');
      for (const target of grid.slice(at, at + span(element, 'rowspan'))) {
        for (let right = 0; right < columns; right += 1) target[column + right] ??= cell;
      }
    }
  });
  return grid.map((row) => Array.from(row, (cell) => cell ?? EMPTY));
}

function rowsOf(table: Element): Element[] {
  return [...table.querySelectorAll('tr')];
}

function cellsOf(row: Element): Element[] {
  return [...row.children].filter((child) => child.localName === 'td' || child.localName === 'th');
}

function isHeader(cell: Element, row: Element): boolean {
  return cell.localName === 'th' || row.parentElement?.localName === 'thead';
}

function isShort(cell: Element): boolean {
  return (cell.textContent ?? '').trim().length <= SHORT_CELL;
}

function span(cell: Element, name: 'rowspan' | 'colspan'): number {
  return Math.min(Math.max(Number.parseInt(cell.getAttribute(name) ?? '1', 10) || 1, 1), MAX_SPAN);
}

const EMPTY: Cell = { text: '', isHeader: true };
const LAYOUT_ROLE = /^(presentation|none)$/i;
/** Characters: longer cells are columns of a page. */
const SHORT_CELL = 200;
const PROSE = 'h1, h2, h3, h4, h5, h6, form, ul, ol, p + p';
/** Of cells: more are no table that a person reads. */
const MAX_COLUMNS = 200;
const MAX_SPAN = 20;
const MAX_SHORT_TABLE_WORDS = 50;
/** A sentence has no more (workers/verification/passages.ts). */
const MAX_LINE_WORDS = 50;
/** Of a row's first cell: a longer one is no name. */
const MAX_NAME_WORDS = 12;
/** Of a caption: a longer one would crowd out the rows. */
const MAX_CARRIED_WORDS = 20;
