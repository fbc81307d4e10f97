/**
 * Chosen findings → jobs that check their claims again at the newest revision of their articles, all under one name by which they
 * can be cancelled. In: criteria. Out: how many. What a person decided is checked too, and stays decided unless a source changed
 * (workers/review/stand.ts).
 */
import type { Kysely } from 'kysely';
import type { Ask } from '../../bot/wiki.ts';
import { createLatest, type Latest } from '../../bot/worklists/latest.ts';
import { RequestError } from '../../shared/errors.ts';
import { type Next, PRIORITY } from '../../shared/pipeline.ts';
import type { Publisher, Queues } from '../../shared/queue.ts';
import { isRequeue, requeueName } from '../../shared/requeue.ts';
import type { Schema } from '../review/database.ts';
import { type Category, categoryTitles } from './category.ts';
import { type Among, type ChosenArticle, type Criteria, chooseArticles } from './choose.ts';

export interface RequeueDependencies {
  db: Kysely<Schema>;
  ask: Ask;
  publisher: Pick<Publisher, 'publish'>;
}

export interface Wanted extends Criteria {
  /** Ids of pages. */
  articles?: readonly number[] | undefined;
  category?: Category | undefined;
  /** Sources that were read before the requeue began are read again. */
  readAgain: boolean;
}

export interface Requeued {
  /** By which it is cancelled; null where nothing was published. */
  request: string | null;
  articles: number;
  findings: number;
  /** Articles left out: they are redirects now, or were moved to where no articles are. */
  left: number;
}

export interface RequeueOptions {
  /** Counts only; publishes nothing. */
  dryRun: boolean;
  signal: AbortSignal;
  /** Told before the first job is published, so that it can be cancelled, and after each step. */
  onProgress?: (so: Requeued) => void;
}

/** Throws TransientError where the wiki or Redis does not answer: what was published by then can be cancelled. */
export async function requeue(
  { db, ask, publisher }: RequeueDependencies,
  wanted: Wanted,
  { dryRun, signal, onProgress }: RequeueOptions,
): Promise<Requeued> {
  const latest = createLatest(ask);
  const request = requeueName(new Date(), wanted);
  let so: Requeued = { request: null, articles: 0, findings: 0, left: 0 };
  for await (const articles of chosen(db, ask, wanted, signal)) {
    signal.throwIfAborted();
    const there = dryRun ? articles : await whereTheyAre(articles, latest, signal);
    so = { ...so, request: dryRun || there.length === 0 ? so.request : request };
    onProgress?.(so);
    const next = there.flatMap((article) => jobs(wanted.wiki, article, request));
    if (!dryRun) await publisher.publish(next, PRIORITY.requeue);
    so = count(so, there, articles.length - there.length);
    onProgress?.(so);
  }
  return so;
}

/** Takes out what still waits of a requeue. Returns how many jobs that were. Throws RequestError for a name that is none. */
export async function cancelRequeue(queues: Pick<Queues, 'cancel'>, request: string): Promise<number> {
  requireRequeue(request);
  return queues.cancel(request);
}

/** Throws RequestError for a name that is none. */
export function requireRequeue(request: string): void {
  if (isRequeue(request)) return;
  throw new RequestError('no_requeue', `${request} is no requeue: its name is said when it begins`);
}

/** Each article once, also one of two subcategories. */
async function* chosen(
  db: Kysely<Schema>,
  ask: Ask,
  wanted: Wanted,
  signal: AbortSignal,
): AsyncGenerator<ChosenArticle[]> {
  const seen = new Set<number>();
  for await (const among of amongWhich(ask, wanted, signal)) {
    for await (const articles of chooseArticles(db, wanted, among)) {
      const fresh = articles.filter(({ id }) => !seen.has(id));
      if (wanted.category !== undefined) for (const { id } of fresh) seen.add(id);
      if (fresh.length > 0) yield fresh;
    }
  }
}

async function* amongWhich(ask: Ask, { articles, category }: Wanted, signal: AbortSignal): AsyncGenerator<Among> {
  if (category === undefined) {
    yield articles === undefined ? {} : { pages: articles };
    return;
  }
  for await (const titles of categoryTitles(ask, category, signal))
    yield { titles, ...(articles && { pages: articles }) };
}

/** A page that is gone keeps its revision: reading it tells that, and closes what is open. */
async function whereTheyAre(
  articles: readonly ChosenArticle[],
  latest: Latest,
  signal: AbortSignal,
): Promise<ChosenArticle[]> {
  const now = await latest(
    articles.map(({ id }) => id),
    signal,
  );
  return articles.flatMap((article) => {
    const known = now.get(article.id) ?? 'missing';
    if (known === 'not_article') return [];
    return [known === 'missing' ? article : { ...article, ...known }];
  });
}

function jobs(wiki: string, { id, title, revision, chosen }: ChosenArticle, request: string): Next[] {
  const at = { wiki, page: { id, title }, revision, request, previous: null, scope: 'chosen' as const };
  const parts = Math.ceil(chosen.length / CLAIMS_A_JOB);
  return Array.from({ length: parts }, (_, part) => {
    const some = chosen.slice(part * CLAIMS_A_JOB, (part + 1) * CLAIMS_A_JOB);
    return { stage: 'articles', input: { ...at, chosen: some } };
  });
}

function count(
  { request, articles, findings, left }: Requeued,
  there: readonly ChosenArticle[],
  more: number,
): Requeued {
  const claims = there.reduce((sum, { chosen }) => sum + chosen.length, 0);
  return { request, articles: articles + there.length, findings: findings + claims, left: left + more };
}

const CLAIMS_A_JOB = 1000;
