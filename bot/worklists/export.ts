/** The articles of a run with their findings → CSV, JSON or wikitext, piece by piece. No text of a source is in any of them. */
import type { Kysely } from 'kysely';
import type { Verdict } from '../../shared/citation.ts';
import type { Schema } from '../../workers/review/database.ts';
import { csvHead, csvRows } from './csv.ts';
import { type ArticleFinding, readFindings } from './findings.ts';
import type { Format } from './formats.ts';
import type { Shown } from './members.ts';
import type { WorklistStore } from './store.ts';
import { WIKITEXT_FOOT, WIKITEXT_HEAD, wikitextRows } from './wikitext.ts';
import type { Run, Worklist } from './worklist.ts';

/** An article as it is exported. */
export interface ExportedArticle {
  article: string;
  pageId: number;
  /** Revision that was handed on; null if none was. */
  revision: number | null;
  /** `read`, `waiting`, `open`, or why it was left out. */
  state: string;
  claims: number | null;
  findings: ExportedFinding[];
}

export interface ExportedFinding {
  claim: string;
  section: string[];
  verdict: Verdict;
  score: number | null;
  /** Addresses as cited; for a reference without one, what a reader sees of it. */
  cited: string[];
  suggestion: { url: string; title: string; score: number } | null;
  decision: ArticleFinding['decision'];
  /** Page of the finding. */
  review: string;
}

export interface ExportOptions {
  store: WorklistStore;
  review: Kysely<Schema>;
  worklist: Pick<Worklist, 'wiki'>;
  run: Run;
  format: Format;
  /** [] for all. */
  verdicts: readonly Verdict[];
  /** Where the review page is: `http://127.0.0.1:8145`. */
  reviewOrigin: string;
}

export async function* exportRun(options: ExportOptions): AsyncGenerator<string> {
  const { format } = options;
  if (format === 'csv') yield csvHead();
  if (format === 'wikitext') yield WIKITEXT_HEAD;
  let separator = '[\n';
  for await (const articles of readArticles(options)) {
    if (format === 'csv') yield csvRows(articles);
    if (format === 'wikitext') yield wikitextRows(articles);
    if (format === 'json') yield separator + articles.map((article) => JSON.stringify(article)).join(',\n');
    separator = ',\n';
  }
  if (format === 'wikitext') yield WIKITEXT_FOOT;
  if (format === 'json') yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* readArticles(options: ExportOptions): AsyncGenerator<ExportedArticle[]> {
  const { store, review, run, verdicts } = options;
  for (let after = 0; ; ) {
    const members = await store.members.page(run, after, ARTICLES);
    const last = members.at(-1);
    if (last === undefined) return;
    after = last.page;
    const pages = members.map(({ page }) => page);
    const findings = await readFindings(review, { wiki: options.worklist.wiki, pages, verdicts });
    yield members.map((member) => toArticle(member, findings.get(member.page) ?? [], options.reviewOrigin));
  }
}

function toArticle(member: Shown, findings: readonly ArticleFinding[], origin: string): ExportedArticle {
  const { title: article, page: pageId, revision, state, reason, claims } = member;
  const words = { listed: 'waiting', ready: 'waiting', enqueued: 'open', read: 'read', left_out: reason ?? 'left_out' };
  return {
    article,
    pageId,
    revision,
    state: words[state],
    claims,
    findings: findings.map((one) => toFinding(one, origin)),
  };
}

function toFinding({ id, finding, decision }: ArticleFinding, origin: string): ExportedFinding {
  const { claim, verdict, score, citations, suggestion } = finding;
  return {
    claim: claim.text,
    section: claim.section,
    verdict,
    score,
    cited: citations.map(({ url, text }) => url ?? text),
    suggestion: suggestion && { url: suggestion.url, title: suggestion.title, score: suggestion.score },
    decision,
    review: `${origin}/findings/${id}`,
  };
}

/** At a time: an article may have hundreds of findings. */
const ARTICLES = 50;
