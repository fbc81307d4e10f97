/**
 * BullMQ → handlers. In: handlers by stage. Each job's payload is parsed, its handler called, what comes next published, and
 * its answer kept for its parent. Handlers never see a queue; this file knows nothing of what they do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { type Attempts, createAttempts } from './attempts.ts';
import { BrokenPayload, Busy, ModelFailure, RefuseToStart, TransientError } from './errors.ts';
import { gather } from './gathered.ts';
import { type Hands, openHands } from './hands.ts';
import { jobFields } from './job-fields.ts';
import { MOST_KILLS, waitAfterKill } from './killed.ts';
import type { Logger } from './logger.ts';
import { asPassing } from './passing.ts';
import { NewerPayload, parseOr, readPayload } from './payload.ts';
import {
  type Context,
  denseQueue,
  type Handlers,
  type Outcome,
  type Priority,
  type Stage,
  stages,
} from './pipeline.ts';
import { createProgress, type Progress } from './progress.ts';
import { followedJob, type Publisher, queueOptions } from './queue.ts';

export interface RunnerOptions {
  handlers: Handlers;
  /** A connection of role `worker`. */
  redis: Redis;
  publisher: Publisher;
  log: Logger;
  /** Asked before each job is begun; Busy puts it off. */
  admit?: (stage: Stage, priority: Priority) => Promise<void>;
  /** A job that is worked on for so long hangs, and is tried again. Milliseconds. */
  longestMs?: number;
  /** For how long a job is this process's without a sign of life. Milliseconds. */
  lockMs?: number;
}

/** What a composition root gives back. */
export interface Service {
  /** Stops taking work and waits for what runs; what still runs shortly before `deadlineMs` is told to end. Resolves by then. */
  stop(deadlineMs: number): Promise<void>;
  /** Names of what is needed and does not answer: `redis`, `sql` … Default: nothing is needed. */
  ready?(): Promise<string[]>;
}

export interface Runner extends Service {
  /** Drains the queue of a dense shard too, from now on. One that is drained already is left as it is. */
  attend(shard: number): void;
  /** As for any service. Jobs that do not end are handed back to the queue, where another worker takes them at once. */
  stop(deadlineMs: number): Promise<void>;
}

/** Drains the queues of all stages that have a handler; those of dense shards when they are attended. */
export function run(options: RunnerOptions): Runner {
  const { longestMs = LONGEST_MS, log } = options;
  const hands = openHands(longestMs);
  const workers = new Map<string, Worker>();
  const [progress, attempts] = [createProgress(options.redis), createAttempts(options.redis)];
  const attend = (queue: string, stage: Stage) => {
    if (!workers.has(queue)) workers.set(queue, drain(queue, stage, { ...options, progress, attempts, hands }));
  };
  // Object.keys loses the key type; Handlers has stages as keys only
  for (const stage of Object.keys(options.handlers) as Stage[]) {
    if (stage !== 'retrieval-dense') attend(stage, stage);
  }
  return {
    attend: (shard) => attend(denseQueue(shard), 'retrieval-dense'),
    stop: (deadlineMs) => stop([...workers.values()], hands, deadlineMs, log),
  };
}

/** BullMQ's own `close` waits for jobs without end. */
async function stop(workers: readonly Worker[], hands: Hands, deadlineMs: number, log: Logger): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  hands.close();
  const closing = Promise.allSettled(workers.map((worker) => worker.close())).then(() => true);
  const handingBackMs = Math.min(deadlineMs / 4, HANDING_BACK_MS);
  if (await isDone(closing, deadlineMs - 2 * handingBackMs)) return;
  hands.abort();
  if (await isDone(closing, handingBackMs)) return;
  const givingBack = hands.giveBack().then((jobs) => {
    if (jobs > 0) log.info({ jobs }, 'jobs handed back');
    return true;
  });
  await isDone(givingBack, Math.max(deadline - Date.now(), 0));
  await isDone(closing, Math.max(deadline - Date.now(), 0)); // what was told to end may be about to
}

async function isDone(work: Promise<boolean>, withinMs: number): Promise<boolean> {
  const late = new AbortController();
  const isLate = sleep(withinMs, false, { signal: late.signal }).catch(() => false);
  return Promise.race([work, isLate]).finally(() => late.abort());
}

interface Drained extends RunnerOptions {
  progress: Progress;
  attempts: Attempts;
  hands: Hands;
}

function drain(queue: string, stage: Stage, options: Drained): Worker {
  const worker = new Worker(queue, (job, token) => handle(stage, job, token, options), {
    ...queueOptions(options.redis),
    concurrency: CONCURRENCY[stage],
    lockDuration: options.lockMs ?? LOCK_MS,
    stalledInterval: options.lockMs ?? LOCK_MS,
    maxStalledCount: MOST_KILLS,
  });
  // a job that was handed back is no longer this worker's, which BullMQ notices when its handler ends at last
  worker.on(
    'error',
    (error) => worker.closing === undefined && options.log.warn({ queue, err: error }, 'queue connection'),
  );
  worker.on('failed', (job, error) => {
    const isLast = job === undefined || job.finishedOn !== undefined;
    options.attempts.failed(queue, job, isLast);
    logFailure(queue, job, error, { isLast, log: options.log });
    if (job !== undefined && isLast) tellFailed(job, options);
  });
  return worker;
}

async function handle(stage: Stage, job: Job, token: string | undefined, options: Drained): Promise<unknown> {
  try {
    await waitAfterKill(job, token);
    return await options.hands.hold(job, token, (signal) =>
      options.attempts.measure(job, () => work(stage, job, options, signal)),
    );
  } catch (error) {
    if (UNRECOVERABLE.some((kind) => error instanceof kind)) throw new UnrecoverableError(String(error));
    if (error instanceof TransientError) await postpone(job, token, error, options.log);
    throw error;
  }
}

async function work(stage: Stage, job: Job, options: Drained, signal: AbortSignal): Promise<unknown> {
  try {
    const { input: given, asked } = readPayload(job.data, stage);
    await options.admit?.(stage, job.priority);
    const schema: z.ZodType = stages[stage].input;
    const input = parseOr(schema, given);
    const gathered = await gather(job, asked);
    options.attempts.silent(gathered.coverage.missing);
    // the schema that parsed the input and the handler belong to the same stage, which TypeScript can't follow
    const handler = options.handlers[stage] as (input: unknown, context: Context) => Promise<Outcome<Stage>>;
    const outcome = await handler(input, { gathered, signal });
    signal.throwIfAborted(); // the job is another's by now, or about to be
    await options.publisher.publish(outcome.next, job.priority);
    await options.progress.finished(followedJob(job), 'done');
    return outcome.answer;
  } catch (error) {
    throw asPassing(error);
  }
}

/** Trying again won't help: the payload, the model, or the part of an index that this host does not hold. */
const UNRECOVERABLE = [BrokenPayload, ModelFailure, RefuseToStart] as const;

/** What passes by itself is waited for, however long it takes, and costs none of the job's attempts. Always throws. */
async function postpone(job: Job, token: string | undefined, error: TransientError, log: Logger): Promise<never> {
  const isExpected = error instanceof Busy || error instanceof NewerPayload;
  const delay = error instanceof Busy ? error.retryAfterMs : pauseOf(error, job.attemptsStarted);
  const fields = { ...jobFields(job.data), queue: job.queueName, job: job.id, err: error, retryInMs: delay };
  log[isExpected ? 'debug' : 'warn'](fields, 'job postponed');
  await job.moveToDelayed(Date.now() + delay, token);
  throw new DelayedError();
}

/** Who can do what a newer program published is most likely there already, beside this one. */
function pauseOf(error: TransientError, begun: number): number {
  const times = Math.min(begun, 20);
  return error instanceof NewerPayload
    ? Math.min(200 * 1.5 ** times, 30_000)
    : Math.min(1000 * 2 ** times, LONGEST_DELAY_MS);
}

function tellFailed(job: Job, { progress, log }: Drained): void {
  progress.finished(followedJob(job), 'failed').catch((err: unknown) => log.warn({ job: job.id, err }, 'not told'));
}

function logFailure(
  queue: string,
  job: Job | undefined,
  error: Error,
  { isLast, log }: { isLast: boolean; log: Logger },
): void {
  const fields = { ...jobFields(job?.data), queue, job: job?.id, attempt: job?.attemptsMade, err: error };
  if (isLast) log.error(fields, 'job failed');
  else log.warn(fields, 'job will be retried after an unexpected error');
}

/** Waiting for the network: many at a time. Using the processor: one, since a busy loop loses BullMQ's locks (#3183). */
const CONCURRENCY: Record<Stage, number> = {
  worklists: 1,
  articles: 4,
  sources: 16,
  corpus: 1,
  verification: 1,
  'retrieval-sparse': 2,
  'retrieval-dense': 1,
  suggestion: 1,
  find: 1,
  review: 4,
};
const LONGEST_DELAY_MS = 300_000;
/** How long a job waits after its worker was killed; a running one renews its lock at half of it. */
const LOCK_MS = 30_000;
/** What takes longest by far is the list of a large category. */
const LONGEST_MS = 3_600_000;
/** Each of the two ends of stopping: told to end, and handed back. */
const HANDING_BACK_MS = 1000;
