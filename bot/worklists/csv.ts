/** Articles with their findings → CSV (RFC 4180), one line a finding. No cell can be taken for a formula. */
import { stringify } from 'csv-stringify/sync';
import type { ExportedArticle } from './export.ts';

/** With the mark by which spreadsheets know UTF-8. */
export function csvHead(): string {
  return stringify([COLUMNS], { ...OPTIONS, bom: true });
}

/** An article without findings has a line of its own: what was not checked is said. */
export function csvRows(articles: readonly ExportedArticle[]): string {
  return stringify(articles.flatMap(rowsOf), OPTIONS);
}

const COLUMNS = [
  'article',
  'revision',
  'state',
  'claims',
  'section',
  'claim',
  'verdict',
  'score',
  'cited',
  'suggestion',
  'decision',
  'review',
];

/** https://owasp.org/www-community/attacks/CSV_Injection */
const OPTIONS = { escape_formulas: true, record_delimiter: 'windows' } as const;

function rowsOf({ article, revision, state, claims, findings }: ExportedArticle): (string | number | null)[][] {
  const about = [article, revision, state, claims];
  if (findings.length === 0) return [[...about, ...COLUMNS.slice(about.length).map(() => null)]];
  return findings.map(({ section, claim, verdict, score, cited, suggestion, decision, review }) => [
    ...about,
    section.join(' › '),
    claim,
    verdict,
    score,
    cited.join(' '),
    suggestion?.url ?? null,
    decision,
    review,
  ]);
}
