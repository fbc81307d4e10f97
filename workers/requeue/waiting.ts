/** What waits in the queues and what failed, for a maintainer. In: Redis. Out: jobs by who asked for them, and why jobs failed. */
import { type Job, Queue, QueueKeys } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseRequest } from '../../bot/worklists/worklist.ts';
import { PREFIX } from '../../shared/redis.ts';
import { isRequeue } from '../../shared/requeue.ts';

/** Jobs that one request led to and that are not done. */
export const Waiting = z.object({
  /** Null: nobody asked, edits did. */
  request: z.string().nullable(),
  kind: z.enum(['patrol', 'worklist', 'requeue', 'other']),
  jobs: z.int().positive(),
});
export type Waiting = z.infer<typeof Waiting>;

/** A job that is not tried again. */
export const FailedJob = z.object({
  queue: z.string(),
  id: z.string(),
  /** Title of the page that it was about; null where it was about none. */
  page: z.string().nullable(),
  /** Class of the error, where the queue knows it: nothing else tells what to do. */
  error: z.enum(['BrokenPayload', 'ModelFailure', 'RefuseToStart', 'other']),
  message: z.string(),
  attempts: z.int().nonnegative(),
  failedAt: z.iso.datetime(),
});
export type FailedJob = z.infer<typeof FailedJob>;

/** The most first. Of each queue and state 100,000 jobs at most are looked at. */
export async function countWaiting(redis: Redis, queues: Iterable<string>): Promise<Waiting[]> {
  const counts = new Map<string | null, number>();
  for (const queue of queues) {
    for await (const id of openJobs(redis, queue)) {
      const request = requestOf(id);
      counts.set(request, (counts.get(request) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([request, jobs]) => ({ request, kind: kindOf(request), jobs }))
    .sort((a, b) => b.jobs - a.jobs);
}

/** The newest of all queues. */
export async function newestFailures(redis: Redis, queues: Iterable<string>, limit: number): Promise<FailedJob[]> {
  const failed: FailedJob[] = [];
  for (const name of queues) {
    const queue = new Queue(name, { connection: redis, prefix: PREFIX });
    const jobs = await queue.getFailed(0, limit - 1);
    failed.push(...jobs.flatMap((job) => (job === undefined ? [] : [describe(name, job)])));
    await queue.close();
  }
  return failed.sort((a, b) => b.failedAt.localeCompare(a.failedAt)).slice(0, limit);
}

/** How many processes drain a queue now. */
export async function countWorkers(redis: Redis, name: string): Promise<number> {
  const queue = new Queue(name, { connection: redis, prefix: PREFIX });
  const count = await queue.getWorkersCount();
  await queue.close();
  return count;
}

async function* openJobs(redis: Redis, queue: string): AsyncGenerator<string> {
  const keys = new QueueKeys(PREFIX);
  for (const state of ['wait', 'active']) yield* await redis.lrange(keys.toKey(queue, state), 0, MOST - 1);
  for (const state of ['prioritized', 'delayed', 'waiting-children']) yield* members(redis, keys.toKey(queue, state));
}

async function* members(redis: Redis, key: string): AsyncGenerator<string> {
  let seen = 0;
  for (let cursor = '0'; ; ) {
    const [next, found] = await redis.zscan(key, cursor, 'COUNT', 1000);
    yield* found.filter((_, at) => at % 2 === 0); // each is followed by its score
    seen += found.length / 2;
    if (next === '0' || seen >= MOST) return;
    cursor = next;
  }
}

/** As `requestPrefix` (shared/pipeline.ts) writes it. */
function requestOf(id: string): string | null {
  return /^([a-z0-9_]+)-for-/.exec(id)?.[1] ?? null;
}

function kindOf(request: string | null): Waiting['kind'] {
  if (request === null) return 'patrol';
  if (isRequeue(request)) return 'requeue';
  return parseRequest(request) === null ? 'other' : 'worklist';
}

function describe(queue: string, job: Job): FailedJob {
  const { failedReason = '', attemptsMade, finishedOn, timestamp, id = '', data } = job;
  // the runner ends a job for good with the class's name before its message, which is all that a queue keeps of an error
  const [, name = '', rest] = /^(BrokenPayload|ModelFailure|RefuseToStart): (.*)$/s.exec(failedReason) ?? [];
  const error = FailedJob.shape.error.safeParse(name);
  return {
    queue,
    id,
    page: titleOf(data),
    error: error.success ? error.data : 'other',
    message: (rest ?? failedReason).slice(0, 500),
    attempts: attemptsMade,
    failedAt: new Date(finishedOn ?? timestamp).toISOString(),
  };
}

function titleOf(data: unknown): string | null {
  const known = About.safeParse(data).data?.input;
  return known?.page?.title ?? known?.finding?.page.title ?? null;
}

const Titled = z.object({ title: z.string() });
/** Of a payload of any version. */
const About = z.object({
  input: z.object({ page: Titled.optional(), finding: z.object({ page: Titled }).optional() }),
});
const MOST = 100_000;
