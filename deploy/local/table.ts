/** Findings → one table for the terminal. In: findings as the review store lists them. Out: text. */
import Table from 'cli-table3';
import type { Finding } from '../../shared/citation.ts';

/** One line a finding: article, claim, verdict, score, what is suggested instead. */
export function findingsTable(findings: readonly Finding[], width: number): string {
  const claimWidth = Math.max(24, Math.min(60, width - 72));
  const table = new Table({
    head: ['Article', 'Claim', 'Verdict', 'Score', 'Better source'],
    style: { head: [], border: [], compact: true },
  });
  for (const finding of findings) {
    table.push([
      shorten(finding.page.title, 18),
      shorten(finding.claim.text, claimWidth),
      finding.reason === null
        ? finding.verdict.replaceAll('_', ' ')
        : `not read: ${finding.reason.replaceAll('_', ' ')}`,
      finding.score === null ? '–' : finding.score.toFixed(2),
      finding.suggestion === null ? '' : shorten(new URL(finding.suggestion.url).hostname, 24),
    ]);
  }
  return table.toString();
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}
