/**
 * Jobs that wait for a while, one a key: what comes meanwhile is merged into it. In: jobs without children. Out: delayed jobs
 * in their own queue, counted there as open, which survive a restart. What merging means is the caller's.
 */
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { isNewer, readPayload } from './payload.ts';
import { type Input, jobId, type Next, type Priority, type Stage, stages } from './pipeline.ts';
import { queueOptions, toJob } from './queue.ts';

export interface Hold<S extends Stage> {
  input: Input<S>;
  /** Of those of one key only one waits. */
  key: string;
  priority: Priority;
}

export interface Waits {
  /** For so long after the last that came. Milliseconds. */
  quietMs: number;
  /** And after the first at most for so long. */
  longestMs: number;
}

export interface Holder<S extends Stage> {
  /** Safe to do twice. Those of one key are held one after the other. */
  hold(hold: Hold<S>): Promise<void>;
  close(): Promise<void>;
}

/** `merge`: the earlier input, which waits, and a later one → what is to be done instead of both. `waits` is asked for each. */
export function openHolder<S extends Stage>(
  redis: Redis,
  stage: S,
  merge: (earlier: Input<S>, later: Input<S>) => Input<S>,
  waits: () => Waits,
): Holder<S> {
  const queue = new Queue(stage, queueOptions(redis));
  // stage and input belong together, which TypeScript can't follow
  const add = (input: Input<S>, priority: Priority, opts: object) => {
    const { name, data, opts: usual } = toJob({ stage, input } as Next, priority);
    return queue.add(name, data, { ...usual, ...opts });
  };
  return {
    async hold({ input, key, priority }) {
      const waiting = await waitingJob(queue, key);
      const merged = waiting === null ? input : merge(inputOf(waiting, stage), input);
      if (waiting !== null && waiting.id === idOf(stage, merged)) {
        const { data } = toJob({ stage, input: merged } as Next, priority);
        const isThere = await waiting.updateData(data).then(
          () => true,
          async (error: unknown) => {
            if ((await queue.getJobState(waiting.id ?? '')) !== 'unknown') throw error;
            return false; // it was dropped meanwhile
          },
        );
        // one that has begun meanwhile may not know of it
        if (isThere && (await waiting.getState()) === 'active') await add(input, priority, {});
        if (isThere) return;
      }
      const { quietMs, longestMs } = waits();
      const now = Date.now();
      const timestamp = waiting?.timestamp ?? now;
      const delay = Math.min(now - timestamp + quietMs, longestMs);
      const opts = { timestamp, delay, deduplication: { id: key, replace: true } };
      const added = await add(merged, priority, opts);
      if (added.id === idOf(stage, merged)) return;
      // BullMQ replaces only what is delayed: the one of this key is due, or runs
      await queue.removeDeduplicationKey(key);
      await add(merged, priority, opts);
      await waiting?.remove().catch(() => undefined); // locked: it runs
    },
    close: () => queue.close(),
  };
}

async function waitingJob(queue: Queue, key: string): Promise<Job | null> {
  const id = await queue.getDeduplicationJobId(key);
  const job = id === null ? undefined : await queue.getJob(id);
  if (job === undefined || !WAITING.has(await job.getState())) return null;
  if (!isNewer(job.data)) return job;
  await queue.removeDeduplicationKey(key); // it is left to who can read it, beside the one that comes
  return null;
}

const WAITING = new Set(['delayed', 'prioritized', 'waiting']);

function inputOf<S extends Stage>(job: Job, stage: S): Input<S> {
  return stages[stage].input.parse(readPayload(job.data, stage).input) as Input<S>;
}

function idOf<S extends Stage>(stage: S, input: Input<S>): string {
  return jobId({ stage, input } as Next);
}
