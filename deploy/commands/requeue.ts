/** `sidelight requeue`: findings are checked again, chosen by what is known of them; and cancelled. Out: how many. */
import { createAsk } from '../../bot/wiki.ts';
import type { Config } from '../../shared/config.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { cancelRequeue, type Requeued, requeue, requireRequeue } from '../../workers/requeue/requeue.ts';
import { type Named, wantedOf } from '../../workers/requeue/wanted.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { print } from './print.ts';

export interface RequeueCommand extends Omit<Named, 'articles'> {
  /** Titles. */
  article?: string[];
  dryRun: boolean;
  json: boolean;
}

/** Throws RequestError where nothing is chosen by, or for an article, a category or an address that is none. */
export async function requeueFindings(config: Config, options: RequeueCommand, signal: AbortSignal): Promise<void> {
  const wanted = await wantedOf(config, { ...options, articles: options.article }, signal);
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
