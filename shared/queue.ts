/**
 * Next[] → BullMQ: jobs and flows are published here, counted here and nowhere else; `runner.ts` drains them.
 * A payload carries ids and small values only; texts live in stores.
 */
import { FlowProducer, type Job, type JobsOptions, Queue, type QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { cancelledAmong, rememberCancelled } from './cancelled.ts';
import { count } from './metrics.ts';
import { toPayload } from './payload.ts';
import {
  denseQueue,
  jobId,
  type Next,
  type Priority,
  queueOf,
  RequestId,
  requestPrefix,
  STAGE_NAMES,
  type Stage,
} from './pipeline.ts';
import { createProgress, type FollowedJob, type Progress } from './progress.ts';
import { PREFIX } from './redis.ts';
import { traced } from './tracing.ts';

/** Who asked for a job, whatever its stage; undefined: nobody did, or its payload is broken. */
export function requestOf(data: unknown): string | undefined {
  const request = fieldOf(fieldOf(data, 'input'), 'request');
  return request === undefined ? undefined : RequestId.safeParse(request).data; // asked of every job, and few have one
}

function fieldOf(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
}

export interface Publisher {
  /**
   * Adds jobs with their children, all or none, but for those of a request that was cancelled, which are left out. A job whose id
   * the queue still holds is not added again.
   */
  publish(next: readonly Next[], priority: Priority): Promise<void>;
  close(): Promise<void>;
}

export function createPublisher(redis: Redis): Publisher {
  const [producer, queues] = [openProducer(redis), openEach(redis)];
  const progress = createProgress(redis);
  const told = new Set<number>();
  return {
    async publish(all, priority) {
      const next = await leaveOutCancelled(redis, all);
      if (next.length === 0) return;
      await tellShards(redis, next, told);
      const flows = next.map((job) => toFlow(job, priority));
      const jobs = flows.flatMap(followed);
      await progress.published(jobs);
      await add(flows, producer, queues);
      for (const { stage } of jobs) count('sidelight_jobs_published_total', { stage });
    },
    close: async () => void (await Promise.all([producer.close(), queues.close()])),
  };
}

/** One job alone is one command, which says itself that it is refused; a flow is a transaction, which costs half as much again. */
async function add(flows: readonly Flow[], producer: FlowProducer, queues: OpenQueues): Promise<void> {
  const [only] = flows;
  if (only === undefined || flows.length > 1 || only.children !== undefined) await producer.addBulk([...flows]);
  else await queues.open(only.queueName).add(only.name, only.data, only.opts);
}

/** Of everything that speaks to queues: workers, queues, producers. */
export function queueOptions(redis: Redis): Pick<QueueOptions, 'connection' | 'prefix' | 'telemetry'> {
  return { connection: redis, prefix: PREFIX, ...traced() };
}

/**
 * BullMQ's `addBulk` resolves also where Redis refused a job, because its memory or its disk is full
 * (https://docs.bullmq.io/guide/flows/adding-in-bulk says nothing of errors): here that is thrown.
 */
function openProducer(redis: Redis): FlowProducer {
  const producer = new FlowProducer(queueOptions(redis));
  const backend = producer.getBackend();
  const addFlow = backend.addFlow.bind(backend);
  backend.addFlow = async (entries) => {
    const added = await addFlow(entries);
    for (const [error, id] of added) {
      if (error !== null) throw error;
      if (typeof id === 'number' && id < 0) throw new Error(`BullMQ refuses a job: code ${id}`);
    }
    return added;
  };
  return producer;
}

async function leaveOutCancelled(redis: Redis, next: readonly Next[]): Promise<readonly Next[]> {
  const requests = next.map((input) => requestOf(input));
  const cancelled = await cancelledAmong(redis, new Set(requests.filter((request) => request !== undefined)));
  return next.filter((_, at) => !cancelled.has(requests[at] ?? ''));
}

/** A job of a queue, as its progress is told. */
export function followedJob(job: Job): FollowedJob {
  // a job is named by its stage: `toJob`
  return { request: requestOf(job.data), stage: job.name as Stage, id: job.id ?? '' };
}

/** A job and its children, as their queues will know them. */
function followed({ name, data, opts, children = [] }: Flow): FollowedJob[] {
  return [{ request: requestOf(data), stage: name, id: opts.jobId }, ...children.flatMap(followed)];
}

/** A shard's queue is there from its first job on; who counts queues must know of it, also when its generation is gone. */
async function tellShards(redis: Redis, next: readonly Next[], told: Set<number>): Promise<void> {
  const asked = next.flatMap((job) => [job, ...(job.children ?? [])]);
  const shards = asked.flatMap((job) => (job.stage === 'retrieval-dense' ? [job.input.shard] : []));
  const untold = shards.filter((shard) => !told.has(shard));
  if (untold.length === 0) return;
  await redis.sadd(SHARDS, ...untold);
  for (const shard of untold) told.add(shard);
}

/** Redis set: the dense shards that were ever asked. */
const SHARDS = `${PREFIX}:shards`;

export interface QueueCounts {
  done: number;
  failed: number;
  /** Waiting, delayed, running, or waiting for children. */
  open: number;
}

export interface Queues {
  /** By queue, in the order of the stages. */
  count(): Promise<Map<string, QueueCounts>>;
  /**
   * Gives up what waits in a retrieval queue that no worker has listened to for `forMs`, or in which nothing was done for as
   * long, so that a lost or stuck shard gives a partial answer and never a stuck parent. Ask again and again: only what was
   * seen at earlier looks counts. Returns how many were given up.
   */
  giveUpUnattended(forMs: number): Promise<number>;
  /**
   * Takes out what still waits for a run of a worklist, a requeue or a check. What runs goes on, and nothing is published for it
   * any more. Returns how many jobs were taken out.
   */
  cancel(request: string): Promise<number>;
  /** Whether a job of it waits or runs anywhere. Looks through all queues. */
  holds(request: string): Promise<boolean>;
  close(): Promise<void>;
}

/** All queues of an installation: one a stage, and one a dense shard that was ever asked. */
export function openQueues(redis: Redis): Queues {
  const { open, close } = openEach(redis);
  const all = async () => (await queueNames(redis)).map(open);
  const looks = new Map<string, Look>();
  const progress = createProgress(redis);
  return {
    async count() {
      return new Map(
        await Promise.all((await all()).map(async (queue) => [queue.name, await countJobs(queue)] as const)),
      );
    },
    async giveUpUnattended(forMs) {
      const retrieval = (await all()).filter((queue) => queue.name.startsWith('retrieval-'));
      const counts = await Promise.all(retrieval.map((queue) => giveUp(queue, looks, forMs, progress)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async cancel(request) {
      await rememberCancelled(redis, request);
      let removed = 0;
      // parents first: a parent whose children are gone would be run
      for (const state of ['waiting-children', ...WAITING] as const) {
        for (const queue of await all()) removed += await takeOut(queue, state, request);
      }
      return removed;
    },
    async holds(request) {
      for (const queue of await all()) {
        if (await holdsOne(queue, request)) return true;
      }
      return false;
    },
    close,
  };
}

interface OpenQueues {
  open(name: string): Queue;
  close(): Promise<void>;
}

/** Each at its first use. */
function openEach(redis: Redis): OpenQueues {
  const opened = new Map<string, Queue>();
  return {
    open(name) {
      const queue = opened.get(name) ?? new Queue(name, queueOptions(redis));
      opened.set(name, queue);
      return queue;
    },
    async close() {
      await Promise.all([...opened.values()].map((queue) => queue.close()));
    },
  };
}

/** In the order of the stages. */
export async function queueNames(redis: Redis): Promise<string[]> {
  const shards = (await redis.smembers(SHARDS)).map(Number).sort((a, b) => a - b);
  return STAGE_NAMES.flatMap((stage) => (stage === 'retrieval-dense' ? shards.map(denseQueue) : [stage]));
}

interface Flow extends Omit<ReturnType<typeof toJob>, 'opts'> {
  opts: Omit<ReturnType<typeof toJob>['opts'], 'removeOnFail'> & Pick<JobsOptions, 'removeOnFail'>;
  children?: Flow[];
}

function toFlow(job: Next, priority: Priority): Flow {
  return { ...toJob(job, priority), ...withChildren(job, priority) };
}

function withChildren(job: Next, priority: Priority): { children?: Flow[] } {
  if (job.children === undefined || job.children.length === 0) return {};
  const children = job.children.map((child) => {
    const node = toJob(child, priority);
    const childId = `${jobId(job)}-${jobId(child)}`; // of this parent only: BullMQ does not give a job a second one
    // a failed child that is kept would block the same parent, published again, for as long
    const opts = { ...node.opts, jobId: childId, ignoreDependencyOnFailure: true, removeOnFail: true };
    return { ...node, opts };
  });
  return { children };
}

/** One job without its children, as BullMQ takes it. */
export function toJob(job: Next, priority: Priority) {
  return {
    name: job.stage,
    queueName: queueOf(job),
    data: toPayload(job.input, (job.children ?? []).map(queueOf)),
    opts: { jobId: jobId(job), priority, ...RETRY, ...RETENTION },
  };
}

/** 1, 2, 4 … 256 s, nine minutes in all: longer than a wiki or a database is away for a restart. */
const RETRY = { attempts: 10, backoff: { type: 'exponential', delay: 1000 } } as const;
/** A job that is kept blocks its id: this is the window in which the same work is not done twice. Seconds. */
const RETENTION = {
  removeOnComplete: { age: 24 * 3600, count: 10_000 },
  removeOnFail: { age: 7 * 24 * 3600, count: 10_000 },
} as const;

async function countJobs(queue: Queue): Promise<QueueCounts> {
  const counts = await queue.getJobCounts(...OPEN, 'completed', 'failed');
  const open = OPEN.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return { done: counts.completed ?? 0, failed: counts.failed ?? 0, open };
}

const OPEN = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;

/** A job that is taken out takes its children along; one that runs is locked, and left. Page by page: queues are long. */
async function takeOut(
  queue: Queue,
  state: (typeof WAITING)[number] | 'waiting-children',
  request: string,
): Promise<number> {
  let removed = 0;
  for (let start = 0; ; ) {
    const jobs = await queue.getJobs([state], start, start + SCANNED - 1);
    const own = jobs.filter((job) => job?.id?.startsWith(requestPrefix(request)));
    const outcomes = await Promise.allSettled(own.map((job) => job.remove({ removeChildren: true })));
    const gone = outcomes.filter(({ status }) => status === 'fulfilled').length;
    removed += gone;
    if (jobs.length < SCANNED) return removed;
    start += SCANNED - gone; // those behind have moved up
  }
}

async function holdsOne(queue: Queue, request: string): Promise<boolean> {
  for (let start = 0; ; start += SCANNED) {
    const jobs = await queue.getJobs([...OPEN], start, start + SCANNED - 1);
    if (jobs.some((job) => job?.id?.startsWith(requestPrefix(request)))) return true;
    if (jobs.length === 0) return false;
  }
}

const SCANNED = 1000;

/** What a queue looked like. */
interface Look {
  /** When it was first seen so, ms. */
  since: number;
  /** When its newest job was done, ms. */
  done: number;
  waiting: number;
  workers: number;
}

async function giveUp(queue: Queue, looks: Map<string, Look>, forMs: number, progress: Progress): Promise<number> {
  const before = looks.get(queue.name);
  const look = await lookAt(queue);
  const stands = before !== undefined && isStanding(before, look);
  looks.set(queue.name, { ...look, since: stands ? before.since : look.since });
  if (!stands || look.since - before.since < forMs) return 0;
  const jobs = await queue.getJobs([...WAITING, 'active'], 0, 999, true);
  // one that a worker holds is refused; the lock of a worker that hangs runs out
  const removed = await Promise.allSettled(
    jobs.map(async (job) => {
      await job.remove();
      await progress.finished(followedJob(job), 'failed');
    }),
  );
  return removed.filter(({ status }) => status === 'fulfilled').length;
}

async function lookAt(queue: Queue): Promise<Look> {
  const [newest] = await queue.getJobs(['completed'], 0, 0);
  const counts = await queue.getJobCounts(...WAITING, 'active');
  const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { since: Date.now(), done: newest?.finishedOn ?? 0, waiting, workers: await queue.getWorkersCount() };
}

/** A worker that came meanwhile has its time; jobs that failed are no longer waiting. */
function isStanding(before: Look, now: Look): boolean {
  return (
    before.waiting > 0 && now.waiting >= before.waiting && now.done === before.done && now.workers <= before.workers
  );
}

const WAITING = ['waiting', 'prioritized', 'delayed'] as const;
