/**
 * BullMQ → handlers. In: handlers by stage. Each job's payload is parsed, its handler called, what comes next published, and
 * its answer kept for its parent. Handlers never see a queue; this file knows nothing of what they do.
 */
import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { SearchCoverage } from './citation.ts';
import { BrokenPayload, Busy, ModelFailure, RefuseToStart, TransientError } from './errors.ts';
import type { Logger } from './logger.ts';
import {
  type Context,
  denseQueue,
  type Gathered,
  type Handlers,
  type Outcome,
  Retrieved,
  type Stage,
  stages,
} from './pipeline.ts';
import { createProgress, type Progress } from './progress.ts';
import { followedJob, Payload, type Publisher } from './queue.ts';
import { PREFIX } from './redis.ts';

export interface RunnerOptions {
  handlers: Handlers;
  /** A connection of role `worker`. */
  redis: Redis;
  publisher: Publisher;
  log: Logger;
}

/** What a composition root gives back. */
export interface Service {
  /** Stops taking work and waits for what runs; after `deadlineMs` that is aborted. */
  stop(deadlineMs: number): Promise<void>;
}

export interface Runner extends Service {
  /** Drains the queue of a dense shard too, from now on. One that is drained already is left as it is. */
  attend(shard: number): void;
  /** Stops taking jobs and waits for running ones; after `deadlineMs` they are aborted and handed back to the queue. */
  stop(deadlineMs: number): Promise<void>;
}

/** Drains the queues of all stages that have a handler; those of dense shards when they are attended. */
export function run(options: RunnerOptions): Runner {
  const abort = new AbortController();
  const workers = new Map<string, Worker>();
  const progress = createProgress(options.redis);
  const attend = (queue: string, stage: Stage) => {
    if (!workers.has(queue)) workers.set(queue, drain(queue, stage, { ...options, progress }, abort.signal));
  };
  // Object.keys loses the key type; Handlers has stages as keys only
  for (const stage of Object.keys(options.handlers) as Stage[]) {
    if (stage !== 'retrieval-dense') attend(stage, stage);
  }
  return {
    attend: (shard) => attend(denseQueue(shard), 'retrieval-dense'),
    async stop(deadlineMs) {
      const aborting = setTimeout(() => abort.abort(), deadlineMs);
      await Promise.all([...workers.values()].map((worker) => worker.close()));
      clearTimeout(aborting);
    },
  };
}

interface Drained extends RunnerOptions {
  progress: Progress;
}

function drain(queue: string, stage: Stage, options: Drained, signal: AbortSignal): Worker {
  const worker = new Worker(queue, (job, token) => handle(stage, job, token, options, signal), {
    connection: options.redis,
    prefix: PREFIX,
    concurrency: CONCURRENCY[stage],
    lockDuration: LOCK_MS,
    maxStalledCount: STALLS,
  });
  worker.on('error', (error) => options.log.warn({ queue, err: error }, 'queue connection'));
  worker.on('failed', (job, error) => {
    const isLast = job === undefined || job.finishedOn !== undefined;
    logFailure(queue, job, error, { isLast, log: options.log });
    if (job !== undefined && isLast) tellFailed(job, options);
  });
  return worker;
}

async function handle(
  stage: Stage,
  job: Job,
  token: string | undefined,
  options: Drained,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const payload = parse(Payload, job.data);
    const schema: z.ZodType = stages[stage].input;
    const input = parse(schema, payload.input);
    const gathered = await gather(job, payload.asked);
    // the schema that parsed the input and the handler belong to the same stage, which TypeScript can't follow
    const handler = options.handlers[stage] as (input: unknown, context: Context) => Promise<Outcome<Stage>>;
    const outcome = await handler(input, { gathered, signal });
    await options.publisher.publish(outcome.next, job.priority);
    await options.progress.finished(followedJob(job), 'done');
    return outcome.answer;
  } catch (error) {
    if (UNRECOVERABLE.some((kind) => error instanceof kind)) throw new UnrecoverableError(String(error));
    if (error instanceof TransientError) await postpone(job, token, error, options.log);
    throw error;
  }
}

/** Trying again won't help: the payload, the model, or the part of an index that this host does not hold. */
const UNRECOVERABLE = [BrokenPayload, ModelFailure, RefuseToStart] as const;

/** What passes by itself is waited for, however long it takes, and costs none of the job's attempts. Always throws. */
async function postpone(job: Job, token: string | undefined, error: TransientError, log: Logger): Promise<never> {
  const isBusy = error instanceof Busy;
  const delay = isBusy ? error.retryAfterMs : Math.min(1000 * 2 ** Math.min(job.attemptsStarted, 20), LONGEST_DELAY_MS);
  log[isBusy ? 'debug' : 'warn']({ queue: job.queueName, job: job.id, err: error, retryInMs: delay }, 'job postponed');
  await job.moveToDelayed(Date.now() + delay, token);
  throw new DelayedError();
}

function parse<T>(schema: z.ZodType<T>, data: unknown): T {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BrokenPayload(`${issue?.path.map(String).join('.') || 'payload'}: ${issue?.message}`);
}

/** The answers of a job's children. Of one that failed or was given up nothing is known but its queue: `coverage` names it. */
async function gather(job: Job, asked: readonly string[]): Promise<Gathered> {
  const sources: Gathered['sources'] = [];
  const retrieval: Gathered['retrieval'] = [];
  const answered = new Set<string>();
  for (const [key, value] of asked.length === 0 ? [] : Object.entries(await job.getChildrenValues())) {
    const queue = asked.find((name) => key.startsWith(`${PREFIX}:${name}:`)) ?? '';
    answered.add(queue);
    if (queue === 'sources') sources.push(parse(stages.sources.answer, value));
    else retrieval.push({ ...parse(Retrieved, value), arm: queue === 'retrieval-sparse' ? 'sparse' : 'dense' });
  }
  return { sources, retrieval, coverage: cover(asked, answered, retrieval) };
}

/** Counted in parts of indices; a retriever without an answer is one part. */
function cover(
  asked: readonly string[],
  answered: ReadonlySet<string>,
  retrieval: readonly Retrieved[],
): SearchCoverage {
  const missing = asked.filter((queue) => queue.startsWith('retrieval-') && !answered.has(queue));
  const parts = retrieval.map(({ shards }) => shards);
  return {
    shardsAsked: missing.length + parts.reduce((sum, { asked: count }) => sum + count, 0),
    shardsAnswered: parts.reduce((sum, { answered: count }) => sum + count, 0),
    missing,
  };
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
  const fields = { queue, job: job?.id, attempt: job?.attemptsMade, err: error };
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
/** A page that takes a minute to parse blocks the renewal: its job comes again and is not given up at once. */
const STALLS = 3;
