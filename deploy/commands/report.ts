/**
 * `sidelight report`: open findings → a page of the wiki that asks for them. Without `save` it prints the difference and changes
 * nothing; with it the page is saved by the bot's account. A refusal is printed with its code, and ends with exit status 1.
 */
import { createTwoFilesPatch } from 'diff';
import type { Kysely } from 'kysely';
import { categoryArticles, oneArticle, worklistArticles } from '../../bot/report/articles.ts';
import { type Article, listOpen } from '../../bot/report/findings.ts';
import { composeReport } from '../../bot/report/report.ts';
import { createAsk } from '../../bot/wiki.ts';
import { openWorklists, type WorklistStore } from '../../bot/worklists/store.ts';
import { ApiFailure } from '../../bot/write/connection.ts';
import { meaningOf, type Refusal, type WriteOutcome } from '../../bot/write/outcome.ts';
import type { PageText } from '../../bot/write/page-text.ts';
import { type Compose, createWriter, type Writer } from '../../bot/write/save.ts';
import { type Config, parseConfig } from '../../shared/config.ts';
import { RequestError, TransientError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import { openReviewDatabase, type Schema } from '../../workers/review/database.ts';
import { withSampleWiki } from '../local/sample-wiki.ts';
import { ACCOUNTS, apiLogin } from '../wiki/accounts.ts';
import { print } from './print.ts';

export interface ReportWish {
  /** The page to write. */
  target: string;
  worklist?: string;
  category?: string;
  /** The category that holds the project's talk pages. */
  wikiproject?: string;
  /** The article. */
  page?: string;
  depth?: number;
  save: boolean;
  json: boolean;
}

/** Throws RequestError for what was asked wrongly, and with the code of a refusal; TransientError if the wiki is away. */
export async function report(config: Config, wish: ReportWish, signal: AbortSignal): Promise<void> {
  const { worklist, category, wikiproject, depth } = wish;
  if (depth !== undefined && category === undefined && wikiproject === undefined) {
    throw new RequestError('no_depth', '--depth goes with --category and --wikiproject');
  }
  const db = await openReviewDatabase(config.databases.review);
  const store = worklist === undefined ? null : await openWorklists(config.databases.worklists);
  try {
    await withSampleWiki(withAccount(config), (settings) => reportFrom(settings, { db, store }, wish, signal));
  } finally {
    await store?.close();
    await db.destroy();
  }
}

/** On the sample wiki its own bot writes, whose password is known to everybody. */
function withAccount(config: Config): Config {
  const { bot, wiki } = config;
  if (bot.name !== null || wiki.origin !== parseConfig({}).wiki.origin) return config;
  const { name } = ACCOUNTS.bot;
  const login = { kind: 'bot_password', ...apiLogin(ACCOUNTS.bot) } as const;
  return { ...config, bot: { ...bot, name, login, switchPage: bot.switchPage ?? `User:${name}/switch` } };
}

interface Stores {
  db: Kysely<Schema>;
  store: WorklistStore | null;
}

async function reportFrom(config: Config, { db, store }: Stores, wish: ReportWish, signal: AbortSignal): Promise<void> {
  const entries = await listOpen(db, config.wiki.id, articlesOf(config, store, wish, signal));
  const compose: Compose = (page, means) => composeReport({ db, entries, config }, page, means);
  const log = createLogger(config.logLevel, 'report');
  const templates = [config.bot.reportTemplate];
  const writer = createWriter({ wiki: config.wiki, bot: config.bot, log, templates });
  if (wish.save) printOutcome(await writer.save(wish.target, compose, signal), wish);
  else await show(writer, compose, wish, signal);
}

function articlesOf(
  config: Config,
  store: WorklistStore | null,
  { worklist, category, wikiproject, page, depth }: ReportWish,
  signal: AbortSignal,
): AsyncIterable<Article> | null {
  const ask = createAsk(config.wiki);
  if (store !== null && worklist !== undefined) return worklistArticles(store, config.wiki.id, worklist);
  if (category !== undefined)
    return categoryArticles(ask, { kind: 'category', title: category, depth: depth ?? 0 }, signal);
  if (wikiproject !== undefined)
    return categoryArticles(ask, { kind: 'assessment', title: wikiproject, depth: depth ?? 1 }, signal);
  return page === undefined ? null : oneArticle(ask, page, signal);
}

async function show(writer: Writer, compose: Compose, wish: ReportWish, signal: AbortSignal): Promise<void> {
  const prepared = await writer.prepare(wish.target, compose, signal).catch((error: unknown) => {
    throw error instanceof ApiFailure ? away(error) : error;
  });
  if (prepared.kind === 'refused') throw refused(prepared, wish);
  const { page, text, summary } = prepared;
  const [isChanged, title] = [text !== page.text, page.title];
  const diff = isChanged ? diffOf(page, text) : '';
  const said = isChanged
    ? `${diff}\n${summary}\nNothing was saved: --save writes it.`
    : `${title} has this report already.`;
  print(wish.json ? { kind: isChanged ? 'would_save' : 'unchanged', title, summary, diff } : said);
}

/** Pages have no line break at their end, and differences want one. */
function diffOf({ title, text: before, revision }: PageText, after: string): string {
  return createTwoFilesPatch(title, title, `${before}\n`, `${after}\n`, `revision ${revision}`, 'not saved');
}

function printOutcome(outcome: WriteOutcome, wish: ReportWish): void {
  if (outcome.kind === 'refused') throw refused(outcome, wish);
  const text =
    outcome.kind === 'saved'
      ? `${outcome.title}: saved as revision ${outcome.revision}\n${outcome.summary}`
      : `${outcome.title} has this report already.`;
  print(wish.json ? outcome : text);
}

function refused(refusal: Refusal, { json }: ReportWish): RequestError {
  if (json) print(refusal);
  const advice = ADVICE[refusal.code];
  const detail = advice === undefined ? refusal.detail : `${refusal.detail}; ${advice}`;
  return new RequestError(refusal.code, `nothing was written (${refusal.code}): ${detail}`);
}

const ADVICE: Partial<Record<Refusal['code'], string>> = {
  missing_page: 'there is no such page: make it, with the template by which it asks for a report',
  not_opted_in: 'put it there if its people want a report',
  namespace: 'reports go to pages of the project, or of the bot’s own user space',
  not_own_user_space: 'reports go to pages of the project, or of the bot’s own user space',
  redirect: 'name the page that it leads to',
  invalid_title: 'the wiki has no page of such a title',
  switched_off: 'that page must be empty or say “run”',
  bad_parameter: 'max is a number from 1 to 9999, verdicts are verdicts parted by commas',
};

function away(error: ApiFailure): Error {
  const { code, again } = meaningOf(error.code);
  if (again !== undefined) return new TransientError(`the wiki does not answer now (${code})`, { cause: error });
  return new RequestError(code, `the wiki refuses to answer (${error.code})`);
}
