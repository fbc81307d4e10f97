/** What was found for a claim → text for a terminal: three columns, or one under the other where it is narrow. In: Found. */
import Table from 'cli-table3';
import type { Found, FoundVerdict, Row } from '../../workers/find/found.ts';

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
    VERDICTS[verdict],
    ...(shardsAsked === 0
      ? []
      : [`Corpus ${generation}: ${shardsAnswered} of ${shardsAsked} index parts answered${lacking}.`]),
    ...(noWordKnown ? ['No word of the claim stands in the corpus: what was found is only near in meaning.'] : []),
  ];
}

const VERDICTS: Record<FoundVerdict, string> = {
  supported: 'Supported: pages support it, and none says otherwise.',
  refuted: 'Refuted: pages say otherwise, and none supports it.',
  disputed: 'Disputed: some pages support it, others say otherwise.',
  not_enough: 'Not enough evidence: no page was found that supports it or says otherwise.',
  not_searched: 'Not searched: no part of the corpus answered, so nothing is known.',
  unsupported_language: 'Not searched: the claim is in a language in which the engine was not measured.',
};

function sideBySide(columns: readonly Column[], width: number): string {
  const each = Math.floor((width - columns.length - 1) / columns.length);
  const table = new Table({
    head: columns.map(({ head }) => head),
    colWidths: columns.map(() => each),
    wordWrap: true,
    style: { head: [], border: [] },
  });
  const longest = Math.max(...columns.map(({ rows }) => rows.length));
  for (let at = 0; at < longest; at += 1) {
    table.push(columns.map(({ mark, rows }) => describeRow(rows[at], `${mark}${at + 1}`)));
  }
  return table.toString();
}

function oneUnderTheOther(columns: readonly Column[], width: number): string {
  const table = new Table({ colWidths: [Math.max(20, width - 2)], wordWrap: true, style: { head: [], border: [] } });
  for (const { head, mark, rows } of columns) {
    table.push([head], ...rows.map((row, at) => [describeRow(row, `${mark}${at + 1}`)]));
  }
  return table.toString();
}

function describeRow(row: Row | undefined, name: string): string {
  if (row === undefined) return '';
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

/** In full and on lines of their own, so that a terminal can open them. */
function addresses(columns: readonly Column[]): string[] {
  return columns.flatMap(({ mark, rows }) => rows.map(({ url }, at) => `${mark}${at + 1} ${plain(url)}`));
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
