/** Weekly runs: job schedulers on the queue `worklists`. In: Redis. The database says what is scheduled; this makes it so. */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { toPayload } from '../../shared/payload.ts';
import { type Input, PRIORITY } from '../../shared/pipeline.ts';
import { queueOptions } from '../../shared/queue.ts';
import type { Schedule, Worklist } from './worklist.ts';

export interface Schedules {
  /** ISO time of the next run; null where none is scheduled. */
  set(worklist: Pick<Worklist, 'id' | 'wiki'>, schedule: Schedule | null): Promise<string | null>;
  next(worklist: number): Promise<string | null>;
  close(): Promise<void>;
}

export function openSchedules(redis: Redis): Schedules {
  const queue = new Queue('worklists', queueOptions(redis));
  const next = async (id: number) => {
    const at = (await queue.getJobScheduler(schedulerOf(id)))?.next;
    return at === undefined ? null : new Date(at).toISOString();
  };
  return {
    async set({ id, wiki }, schedule) {
      if (schedule === null) {
        await queue.removeJobScheduler(schedulerOf(id));
        return null;
      }
      const input: Input<'worklists'> = { wiki, worklist: id, run: 0, step: 0 };
      const data = toPayload(input);
      const template = { name: 'worklists', data, opts: { priority: PRIORITY.worklist, ...RETRY } };
      await queue.upsertJobScheduler(schedulerOf(id), { pattern: patternOf(schedule), tz: 'UTC' }, template);
      return next(id);
    },
    next,
    close: () => queue.close(),
  };
}

function schedulerOf(worklist: number): string {
  return `worklist-${worklist}`;
}

/** Cron: minute, hour, day of month, month, day of week. */
function patternOf({ day, hour }: Schedule): string {
  return `0 ${hour} * * ${day}`;
}

/** As for other jobs (shared/queue.ts). */
const RETRY = {
  attempts: 10,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { age: 24 * 3600, count: 10_000 },
  removeOnFail: { age: 7 * 24 * 3600 },
} as const;
