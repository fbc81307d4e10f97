/**
 * A report on a page: open findings written between its markers, where the page asks for them. In: the review database, a list of
 * articles, the page. Out: what was or would be written, as a code or a text. It is the only text that Sidelight writes on a wiki.
 */
import type { Kysely } from 'kysely';
import type { Config } from '../../shared/config.ts';
import type { Schema } from '../../workers/review/database.ts';
import { type Refusal, refuse } from '../write/outcome.ts';
import type { PageText } from '../write/page-text.ts';
import type { Composed, Means } from '../write/save.ts';
import { replaceBlock } from './block.ts';
import { type Entry, type OpenFinding, ofVerdicts, readOpen } from './findings.ts';
import { renderTable } from './render.ts';
import { readWish } from './wish.ts';

export interface ReportOptions {
  db: Kysely<Schema>;
  /** As `listOpen` gave them. */
  entries: readonly Entry[];
  config: Pick<Config, 'wiki' | 'bot' | 'reviewUrl'>;
}

/** The new text of the page, with all of it but the report kept. */
export async function composeReport(
  { db, entries, config }: ReportOptions,
  page: PageText,
  { site, unlinkable }: Means,
): Promise<Composed | Refusal> {
  const wish = readWish(page, config.bot.reportTemplate, site);
  if (wish.kind === 'refused') return wish;
  const wanted = ofVerdicts(entries, wish.verdicts);
  const findings = await readOpen(
    db,
    wanted.slice(0, wish.max).map(({ id }) => id),
  );
  const kept = replaceBlock(page, '');
  if (typeof kept !== 'string') return kept;
  const rendered = renderTable(findings, {
    wikiOrigins: [config.wiki.origin],
    indexPath: `${new URL(config.wiki.apiUrl).pathname.replace(/api\.php$/, '')}index.php`,
    prefixes: site.prefixes,
    unlinkable,
    reviewUrl: config.reviewUrl,
    total: wanted.length,
    room: site.maxBytes - Buffer.byteLength(kept),
  });
  if (findings.length > 0 && rendered.shown === 0) return refuse('too_large', `${page.title} has no room for a report`);
  const text = replaceBlock(page, rendered.text);
  if (typeof text !== 'string') return text;
  return { kind: 'composed', text, summary: summaryOf(findings.slice(0, rendered.shown), wanted.length, config) };
}

/** Names the bot's page, where people find who runs it and how it is stopped. */
function summaryOf(shown: readonly OpenFinding[], total: number, { bot }: ReportOptions['config']): string {
  const articles = new Set(shown.map(({ finding }) => finding.page.id)).size;
  const by = bot.name === null ? 'Sidelight' : `[[User:${bot.name}|Sidelight]]`;
  return `${by} report: ${shown.length} of ${total} open findings, in ${articles} ${articles === 1 ? 'article' : 'articles'}`;
}
