/** What was found for a claim → text for a terminal: three columns, or one under the other where it is narrow. In: Found. */
import Table from 'cli-table3';
import type { Found, Row } from '../../shared/found.ts';
import { FOUND_VERDICTS } from '../../workers/find/words.ts';

/** `width` of the terminal, in characters. Control characters of pages are left out: a quote must not move the cursor. */
export function describeFound(found: Found, width: number): string {
  const columns = COLUMNS.map(({ head, mark, key }) => ({
    head: `${head} (${found[key].length})`,
    mark,
    rows: found[key],
  }));
  const shown = columns.some(({ rows }) => rows.length > 0);
  const body = width >= LEAST_WIDTH ? sideBySide(columns, width) : oneUnderTheOther(columns, width);
  return [...summarize(found), ...(shown ? [body, ...addresses(columns)] : [])].join('\n');
}

interface Column {
  head: string;
  /** Letter by which its rows are named. */
  mark: string;
  rows: readonly Row[];
}

const COLUMNS = [
  { head: 'Supports', mark: 'S', key: 'supports' },
  { head: 'Refutes', mark: 'R', key: 'refutes' },
  { head: 'Other', mark: 'O', key: 'other' },
] as const;

/** Under it a column has no room for words. */
const LEAST_WIDTH = 72;

function summarize({ verdict, noWordKnown, generation, searched }: Found): string[] {
  const { shardsAsked, shardsAnswered, missing } = searched;
  const lacking = missing.length === 0 ? '' : `; no answer from ${missing.join(', ')}`;
  return [
    `${FOUND_VERDICTS[verdict].name}: ${FOUND_VERDICTS[verdict].meaning}`,
    ...(shardsAsked === 0
      ? []
      : [`Corpus ${generation}: ${shardsAnswered} of ${shardsAsked} index parts answered${lacking}.`]),
    ...(noWordKnown ? ['No word of the claim stands in the corpus: what was found is only near in meaning.'] : []),
  ];
}

function sideBySide(columns: readonly Column[], width: number): string {
  const each = Math.floor((width - columns.length - 1) / columns.length);
  const cells = columns.map(({ mark, rows }) =>
    rows.map((row, at) => wrap(describeRow(row, `${mark}${at + 1}`), each - 2)),
  );
  const longest = Math.max(...cells.map((rows) => rows.length));
  const lines = Array.from({ length: longest }, (_, at) => linesBeside(cells.map((rows) => rows[at] ?? []))).flat();
  return drawLines(
    columns.map(({ head }) => head),
    lines,
    each,
  );
}

function oneUnderTheOther(columns: readonly Column[], width: number): string {
  const each = Math.max(20, width - 2);
  const tables = columns.map(({ head, mark, rows }) => {
    const cells = rows.map((row, at) => wrap(describeRow(row, `${mark}${at + 1}`), each - 2));
    return drawLines(
      [head],
      cells.flatMap((cell) => linesBeside([cell])),
      each,
    );
  });
  return tables.join('\n');
}

/** Lines of cells that stand side by side, and an empty one under them. */
function linesBeside(cells: readonly string[][]): string[][] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height + 1 }, (_, at) => cells.map((lines) => lines[at] ?? ''));
}

/** A table row each: cells of many lines cost the library a time that grows with their square, seconds for fifteen quotes. */
function drawLines(head: string[], lines: readonly string[][], each: number): string {
  const table = new Table({ head, colWidths: head.map(() => each), style: { head: [], border: [], compact: true } });
  table.push(...lines);
  return table.toString();
}

function describeRow(row: Row, name: string): string {
  const { title, domain, quote, support, mismatches } = row;
  const details = [
    ...row.found.map(({ text }) => `✓ ${text}`),
    ...row.absent
      .filter(({ start }) => !mismatches.some(({ claim }) => claim.start === start))
      .map(({ text }) => `– ${text}`),
    ...row.mismatches.map((mismatch) => `✗ ${mismatch.code}: “${mismatch.page.quote}”`),
  ];
  return [
    `${name} ${title || domain}`,
    `${domain}, ${dateOf(row)}`,
    `P ${support.toFixed(2)}`,
    `“${quote}”`,
    ...details,
  ]
    .map(plain)
    .join('\n');
}

function dateOf({ publishedAt, crawledAt }: Row): string {
  if (publishedAt !== null) return `published ${publishedAt}`;
  return crawledAt === null ? 'no date' : `read ${crawledAt.slice(0, 10)}`;
}

/** A word that is longer than a line is cut. */
function wrap(text: string, width: number): string[] {
  const pieces = new RegExp(`\\S{1,${width}}`, 'gu');
  return text.split('\n').flatMap((line) => {
    const wrapped: string[] = [];
    for (const [word] of line.matchAll(pieces)) {
      const last = wrapped.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= width) wrapped[wrapped.length - 1] = `${last} ${word}`;
      else wrapped.push(word);
    }
    return wrapped;
  });
}

/** In full and on lines of their own, so that a terminal can open them. */
function addresses(columns: readonly Column[]): string[] {
  return columns.flatMap(({ mark, rows }) => rows.map(({ url }, at) => `${mark}${at + 1} ${plain(url)}`));
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
