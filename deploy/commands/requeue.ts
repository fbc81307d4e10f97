/** `sidelight requeue`: findings are checked again, chosen by what is known of them; and cancelled. Out: how many. */
import { createAsk, createWiki } from '../../bot/wiki.ts';
import { categoryTitle } from '../../bot/worklists/worklist.ts';
import type { UnavailableReason, Verdict } from '../../shared/citation.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { hashCitation } from '../../shared/hash.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { parseHttpUrl } from '../../shared/url.ts';
import { currentModel } from '../../workers/requeue/model.ts';
import { cancelRequeue, type Requeued, requeue, requireRequeue, type Wanted } from '../../workers/requeue/requeue.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { print } from './print.ts';

export interface RequeueCommand {
  article?: string[];
  category?: string;
  /** Levels of subcategories. */
  depth: number;
  /** URL. */
  citation?: string;
  reason?: UnavailableReason;
  verdict?: Verdict;
  /** Version, or `other`: any but the one that judges now. */
  model?: string;
  /** Days. */
  olderThan?: number;
  readAgain: boolean;
  dryRun: boolean;
  json: boolean;
}

/** Throws RequestError where nothing is chosen by, or for an article, a category or an address that is none. */
export async function requeueFindings(config: Config, options: RequeueCommand, signal: AbortSignal): Promise<void> {
  const wanted = await whatIsWanted(config, options, signal);
  const redis = options.dryRun ? null : await connectRedis(config.redisUrl, 'producer');
  const publisher = redis === null ? NO_PUBLISHER : createPublisher(redis);
  const db = await openReviewDatabase(config.databases.review);
  const progress = { dryRun: options.dryRun, signal, onProgress: sayName() };
  try {
    const so = await requeue({ db, ask: createAsk(config.wiki), publisher }, wanted, progress);
    print(options.json ? { ...so, dryRun: options.dryRun } : describe(so, options.dryRun));
  } finally {
    await publisher.close();
    redis?.disconnect();
    await db.destroy();
  }
}

/** Throws RequestError for a name that is none. */
export async function cancel(config: Config, request: string, { json }: { json: boolean }): Promise<void> {
  requireRequeue(request);
  const redis = await connectRedis(config.redisUrl, 'producer');
  const queues = openQueues(redis);
  try {
    const jobs = await cancelRequeue(queues, request);
    print(json ? { request, jobs } : `${jobs} jobs of ${request} taken out; what ran already goes on`);
  } finally {
    await queues.close();
    redis.disconnect();
  }
}

async function whatIsWanted(config: Config, options: RequeueCommand, signal: AbortSignal): Promise<Wanted> {
  const { article, category, citation, reason, verdict, model, olderThan } = options;
  const given = [article, category, citation, reason, verdict, model, olderThan];
  if (given.every((one) => one === undefined)) {
    throw new RequestError(
      'no_choice',
      'say which findings: by article, category, citation, reason, verdict, model or age',
    );
  }
  const isAboutSource = citation !== undefined || reason !== undefined || verdict === 'unavailable';
  return {
    wiki: config.wiki.id,
    articles: article === undefined ? undefined : await pagesOf(config, article, signal),
    category: category === undefined ? undefined : { title: categoryTitle(category), depth: options.depth },
    citation: citation === undefined ? undefined : hashOf(citation),
    reason,
    verdict,
    model: model === undefined ? undefined : await modelOf(config, model),
    before: olderThan === undefined ? undefined : new Date(Date.now() - olderThan * DAY_MS).toISOString(),
    readAgain: options.readAgain || isAboutSource,
  };
}

async function modelOf({ modelsDir }: Config, model: string): Promise<Wanted['model']> {
  return model === 'other' ? { not: await currentModel(modelsDir) } : { is: model };
}

async function pagesOf(config: Config, titles: readonly string[], signal: AbortSignal): Promise<number[]> {
  const wiki = createWiki(config.wiki);
  const pages: number[] = [];
  for (const title of titles) {
    const found = await wiki.latestRevision(title, signal);
    if (found === null) throw new RequestError('not_found', `there is no article “${title}” in ${config.wiki.id}`);
    pages.push(found.page.id);
  }
  return pages;
}

function hashOf(url: string): string {
  if (parseHttpUrl(url) === null) throw new RequestError('invalid_url', `${url} is no http(s) address`);
  return hashCitation({ url, text: '' });
}

/** Before anything is published: who stops the command can still cancel. */
function sayName(): (so: Requeued) => void {
  let isSaid = false;
  return ({ request }) => {
    if (isSaid || request === null) return;
    isSaid = true;
    process.stderr.write(`requeue ${request}: to cancel it, sidelight requeue cancel ${request}\n`);
  };
}

function describe({ articles, findings, left }: Requeued, dryRun: boolean): string {
  if (articles + left === 0) return 'no finding is like that';
  const will = dryRun ? 'would be checked again' : findings === 1 ? 'is checked again' : 'are checked again';
  const rest = left === 0 ? '' : `; left out, since no article stands there now: ${left}`;
  const things = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;
  return `${things(findings, 'finding')} on ${things(articles, 'article')} ${will}${rest}`;
}

const NO_PUBLISHER = { publish: async () => undefined, close: async () => undefined };
const DAY_MS = 24 * 3600 * 1000;
