/**
 * Next[] → BullMQ: jobs and flows are published here, counted here and nowhere else; `runner.ts` drains them.
 * A payload carries ids and small values only; texts live in stores.
 */
import { type FlowJob, FlowProducer, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { denseQueue, jobId, type Next, type Priority, queueOf, STAGE_NAMES } from './pipeline.ts';

/** Braces keep all keys of one installation in one slot of a Redis cluster. Never ioredis' keyPrefix. */
export const PREFIX = '{sidelight}';

/** What a job holds in Redis. `asked`: how many children it was given, since a child that was given up leaves no trace. */
export const Payload = z.object({ version: z.literal(1), input: z.unknown(), asked: z.int().nonnegative() });
export type Payload = z.infer<typeof Payload>;

export interface Publisher {
  /** Adds jobs with their children, all or none. A job whose id the queue still holds is not added again. */
  publish(next: readonly Next[], priority: Priority): Promise<void>;
  close(): Promise<void>;
}

export function createPublisher(redis: Redis): Publisher {
  const producer = new FlowProducer({ connection: redis, prefix: PREFIX });
  return {
    async publish(next, priority) {
      if (next.length > 0) await producer.addBulk(next.map((job) => toFlow(job, priority)));
    },
    close: () => producer.close(),
  };
}

export interface QueueCounts {
  done: number;
  failed: number;
  /** Waiting, delayed, running, or waiting for children. */
  open: number;
}

export interface Queues {
  count(): Promise<Map<string, QueueCounts>>;
  /**
   * Gives up what waits in a retrieval queue that no worker has listened to for `forMs`, so that a lost shard gives a partial
   * answer and never a stuck parent. Ask again and again: only what was seen at earlier looks counts. Returns how many were
   * given up.
   */
  giveUpUnattended(forMs: number): Promise<number>;
  close(): Promise<void>;
}

/** All queues of an installation with so many dense shards. */
export function openQueues(redis: Redis, denseShards: number): Queues {
  const queues = queueNames(denseShards).map((name) => new Queue(name, { connection: redis, prefix: PREFIX }));
  const unattendedSince = new Map<string, number>();
  const retrieval = queues.filter((queue) => queue.name.startsWith('retrieval-'));
  return {
    async count() {
      return new Map(await Promise.all(queues.map(async (queue) => [queue.name, await countJobs(queue)] as const)));
    },
    async giveUpUnattended(forMs) {
      const counts = await Promise.all(retrieval.map((queue) => giveUp(queue, unattendedSince, forMs)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

/** Queue names in the order of the stages. */
function queueNames(denseShards: number): string[] {
  return STAGE_NAMES.flatMap((stage) =>
    stage === 'retrieval-dense' ? Array.from({ length: denseShards }, (_, shard) => denseQueue(shard)) : [stage],
  );
}

function toFlow(job: Next, priority: Priority): FlowJob {
  return { ...toJob(job, priority), ...withChildren(job, priority) };
}

function withChildren(job: Next, priority: Priority) {
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

function toJob(job: Next, priority: Priority) {
  const data: Payload = { version: 1, input: job.input, asked: job.children?.length ?? 0 };
  return {
    name: job.stage,
    queueName: queueOf(job),
    data,
    opts: { jobId: jobId(job), priority, ...RETRY, ...RETENTION },
  };
}

/** 1, 2, 4 … 256 s, nine minutes in all: longer than a wiki or a database is away for a restart. */
const RETRY = { attempts: 10, backoff: { type: 'exponential', delay: 1000 } } as const;
/** A job that is kept blocks its id: this is the window in which the same work is not done twice. Seconds. */
const RETENTION = {
  removeOnComplete: { age: 24 * 3600, count: 10_000 },
  removeOnFail: { age: 7 * 24 * 3600 },
} as const;

async function countJobs(queue: Queue): Promise<QueueCounts> {
  const counts = await queue.getJobCounts(...OPEN, 'completed', 'failed');
  const open = OPEN.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return { done: counts.completed ?? 0, failed: counts.failed ?? 0, open };
}

const OPEN = ['waiting', 'active', 'delayed', 'prioritized', 'waiting-children'] as const;

async function giveUp(queue: Queue, unattendedSince: Map<string, number>, forMs: number): Promise<number> {
  if ((await queue.getWorkersCount()) > 0) {
    unattendedSince.delete(queue.name);
    return 0;
  }
  const since = unattendedSince.get(queue.name);
  if (since === undefined) unattendedSince.set(queue.name, Date.now());
  if (since === undefined || Date.now() - since < forMs) return 0;
  const jobs = await queue.getJobs(['waiting', 'prioritized', 'delayed'], 0, 999, true);
  await Promise.all(jobs.map((job) => job.remove()));
  return jobs.length;
}
