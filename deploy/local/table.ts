/** Findings → one table for the terminal. In: findings as the review store lists them. Out: text. */
import Table from 'cli-table3';
import type { Finding, UncheckableReason } from '../../shared/citation.ts';

const HEAD = ['Article', 'Claim', 'Verdict', 'Score', 'Better source'];
const CLAIM = HEAD.indexOf('Claim');
/** What the table draws around the words of five columns: borders, and a space on either side of each cell. */
const FRAME = 6 + 2 * HEAD.length;

/** One line a finding: article, claim, verdict, score, what is suggested instead. Claims get what `width` leaves, 24 at least. */
export function findingsTable(findings: readonly Finding[], width: number): string {
  const rows = findings.map(cellsOf);
  const others = HEAD.map((_, column) => (column === CLAIM ? 0 : widest([HEAD, ...rows], column)));
  const left = width - FRAME - others.reduce((sum, one) => sum + one, 0);
  const claimWidth = Math.max(24, Math.min(60, left));
  const table = new Table({ head: HEAD, style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push(row.map((cell, column) => (column === CLAIM ? shorten(cell, claimWidth) : cell)));
  return table.toString();
}

function cellsOf(finding: Finding): string[] {
  const { page, claim, score, suggestion } = finding;
  return [
    shorten(page.title, 18),
    claim.text,
    verdictOf(finding),
    score === null ? '–' : score.toFixed(2),
    suggestion === null ? '' : shorten(new URL(suggestion.url).hostname, 24),
  ];
}

/** With why it could not be judged. */
function verdictOf({ verdict, reason, uncheckable }: Finding): string {
  if (verdict === 'unavailable') return reason === null ? 'not read' : `not read: ${wordsOf(reason)}`;
  if (verdict === 'unsupported_language') return 'language not judged';
  if (verdict !== 'uncheckable') return wordsOf(verdict);
  return uncheckable === null ? 'can’t be checked' : `can’t be checked: ${UNCHECKABLE[uncheckable]}`;
}

const UNCHECKABLE: Record<UncheckableReason, string> = {
  opinion: 'opinion',
  routine_calculation: 'calculation',
  sky_is_blue: 'well known',
};

function widest(rows: readonly string[][], column: number): number {
  return Math.max(...rows.map((row) => row[column]?.length ?? 0));
}

function wordsOf(code: string): string {
  return code.replaceAll('_', ' ');
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}
