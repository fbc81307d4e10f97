/** Real queues, checks and the review stage for one test file; the other stages' jobs wait until the test does them. */
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { createWiki } from '../../bot/wiki.ts';
import type { Config } from '../../shared/config.ts';
import type { Found } from '../../shared/found.ts';
import type { Handlers, Input, Next, Stage } from '../../shared/pipeline.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { run } from '../../shared/runner.ts';
import { type Checks, openChecks } from '../../workers/review/checks/checks.ts';
import type { Schema } from '../../workers/review/database.ts';
import type { Findings } from '../../workers/review/findings.ts';
import { createReview } from '../../workers/review/inbox.ts';
import { type Deferred, deferred } from '../support/deferred.ts';
import { startRedis } from '../support/redis.ts';

export interface Job<S extends Stage> {
  input: Input<S>;
  finish(...next: Next[]): void;
}

export interface Workers {
  checks: Checks;
  /** The next job of this stage, when it comes. */
  take<S extends Held>(stage: S): Promise<Job<S>>;
  stop(): Promise<void>;
}

type Held = 'articles' | 'verification' | 'find';

export async function startWorkers(db: Kysely<Schema>, findings: Findings, config: Config['wiki']): Promise<Workers> {
  const server = await startRedis();
  const redis = await connectRedis(server.url, 'worker');
  const asking = await connectRedis(server.url, 'producer');
  const [publisher, asked, queues] = [createPublisher(redis), createPublisher(asking), openQueues(asking)];
  const wiki = { id: config.id, latestRevision: createWiki(config).latestRevision };
  const checks = await openChecks({ db, redis: asking, publisher: asked, queues, wiki, log: SILENT });
  const bench = createBench();
  const handlers = { ...bench.handlers, review: createReview({ findings, checks: checks.records }) };
  const runner = run({ handlers, redis, publisher, log: SILENT });
  return {
    checks,
    take: bench.take,
    async stop() {
      bench.clear();
      await runner.stop(1000);
      await Promise.all([checks.close(), publisher.close(), asked.close(), queues.close()]);
      redis.disconnect();
      asking.disconnect();
      await server.stop();
    },
  };
}

/** A found page, as the corpus would have it. */
export function foundRow(title: string, quote: string, support: number): Found['supports'][number] {
  const url = `https://corpus.example/${encodeURIComponent(title)}`;
  const place = { quote, start: 0, end: quote.length, passage: quote };
  const plain = { found: [], absent: [], mismatches: [], publishedAt: null, crawledAt: null };
  return { url, title, domain: 'corpus.example', ...place, support, ...plain };
}

function createBench() {
  const waiting: Record<Held, Job<Held>[]> = { articles: [], verification: [], find: [] };
  const wanted: Record<Held, Deferred<Job<Held>>[]> = { articles: [], verification: [], find: [] };
  const hold = (stage: Held) => async (input: Input<Held>) => {
    const done = deferred<Next[]>();
    const job = { input, finish: (...next: Next[]) => done.resolve(next) };
    const taker = wanted[stage].shift();
    if (taker === undefined) waiting[stage].push(job);
    else taker.resolve(job);
    return { answer: null, next: await done.promise };
  };
  const handlers: Handlers = { articles: hold('articles'), verification: hold('verification'), find: hold('find') };
  const stages = Object.keys(waiting) as Held[]; // it has exactly these keys
  return {
    handlers,
    async take<S extends Held>(stage: S): Promise<Job<S>> {
      const job = waiting[stage].shift();
      const coming = deferred<Job<Held>>();
      if (job === undefined) wanted[stage].push(coming);
      return (job ?? (await coming.promise)) as Job<S>; // jobs are kept by stage
    },
    clear() {
      for (const stage of stages) for (const job of waiting[stage].splice(0)) job.finish();
    },
  };
}

const SILENT = pino({ level: 'silent' });
