/**
 * Articles through the whole of Sidelight: every revision is there at the beginning, and the run ends when no queue holds anything. In:
 * how much, and with how many workers. Out: what each kind of job cost, how long claims took, and what it left on the disk.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { RefuseToStart } from '../../../shared/errors.ts';
import { type Next, patrolPriority } from '../../../shared/pipeline.ts';
import { createPublisher, openQueues, type Queues } from '../../../shared/queue.ts';
import { connectRedis, PREFIX } from '../../../shared/redis.ts';
import { redisUnavailable } from '../../support/redis.ts';
import { type Kind, type StackOptions, startStack, type Usage } from './stack.ts';
import { type ReadRevision, revisionsToRead, WARM } from './world.ts';

export interface Run {
  articles: number;
  claims: number;
  seconds: number;
  used: Usage;
  /** By queue. */
  jobs: Map<string, RanJob[]>;
  failed: number;
  redisBytes: number;
  /** Megabytes, by file. */
  disk: Record<string, number>;
}

/** Milliseconds since 1970. */
export interface RanJob {
  queued: number;
  begun: number;
  done: number;
}

/** Throws RefuseToStart where there is no Redis. */
export async function runArticles(options: StackOptions): Promise<Run> {
  const missing = redisUnavailable();
  if (missing !== null) throw new RefuseToStart(missing);
  const stack = await startStack(options);
  const redis = await connectRedis(stack.config.redisUrl, 'worker');
  const queues = openQueues(redis);
  try {
    const [warming, revisions] = parted(revisionsToRead(WARM + options.articles), WARM);
    await publish(redis, stack.config.wiki.id, warming);
    await untilDone(queues, warming.length);
    const begunAt = Date.now();
    const before = await stack.used();
    const start = performance.now();
    await publish(redis, stack.config.wiki.id, revisions);
    const failed = await untilDone(queues, WARM + revisions.length);
    const seconds = (performance.now() - start) / 1000;
    const used = less(await stack.used(), before);
    return {
      ...{ articles: revisions.length, claims: revisions.reduce((sum, { claims }) => sum + claims, 0), seconds, used },
      ...{
        jobs: await readJobs(redis, queues, begunAt),
        failed,
        redisBytes: await memoryOf(redis),
        disk: diskOf(stack.config.dataDir),
      },
    };
  } finally {
    await queues.close();
    redis.disconnect();
    await stack.stop();
  }
}

async function publish(redis: Redis, wiki: string, revisions: readonly ReadRevision[]): Promise<void> {
  const publisher = createPublisher(redis);
  const next = revisions.map(({ page, revision }): Next => {
    return { stage: 'articles', input: { wiki, page, revision, previous: null, scope: 'touched' } };
  });
  await publisher.publish(next, patrolPriority(new Date()));
  await publisher.close();
}

/** Returns how many jobs failed. */
async function untilDone(queues: Queues, articles: number): Promise<number> {
  for (;;) {
    const counts = [...(await queues.count())];
    const read = counts.find(([queue]) => queue === 'articles')?.[1];
    const open = counts.reduce((sum, [, count]) => sum + count.open, 0);
    const isRead = (read?.done ?? 0) + (read?.failed ?? 0) >= articles;
    if (isRead && open === 0) return counts.reduce((sum, [, { failed }]) => sum + failed, 0);
    await sleep(POLL_MS);
  }
}

const POLL_MS = 250;

function parted<T>(all: readonly T[], at: number): [T[], T[]] {
  return [all.slice(0, at), all.slice(at)];
}

function less(after: Usage, before: Usage): Usage {
  const kinds = Object.keys(after) as Kind[]; // Object.keys loses the key type
  const used = kinds.map((kind) => [
    kind,
    {
      seconds: after[kind].seconds - before[kind].seconds,
      modelSeconds: after[kind].modelSeconds - before[kind].modelSeconds,
      megabytes: after[kind].megabytes,
    },
  ]);
  return Object.fromEntries(used) as Usage; // the same keys
}

/** Completed ones; of a few thousand none was removed yet. */
async function readJobs(redis: Redis, queues: Queues, since: number): Promise<Map<string, RanJob[]>> {
  const names = [...(await queues.count()).keys()];
  const read = names.map(async (name): Promise<[string, RanJob[]]> => {
    const queue = new Queue(name, { connection: redis, prefix: PREFIX });
    const jobs = await queue.getJobs(['completed']);
    await queue.close();
    return [name, jobs.flatMap(ranJob).filter(({ queued }) => queued >= since)];
  });
  return new Map(await Promise.all(read));
}

function ranJob({ timestamp, processedOn, finishedOn }: Job): RanJob[] {
  if (processedOn === undefined || finishedOn === undefined) return [];
  return [{ queued: timestamp, begun: processedOn, done: finishedOn }];
}

async function memoryOf(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? Number.NaN);
}

function diskOf(folder: string): Record<string, number> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sizes = files.map((file) => [file.replace(/-(wal|shm)$/, ''), statSync(join(folder, file))] as const);
  const disk: Record<string, number> = {};
  for (const [file, stat] of sizes) if (stat.isFile()) disk[file] = (disk[file] ?? 0) + stat.size / 1e6;
  return disk;
}
