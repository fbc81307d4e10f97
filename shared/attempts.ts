/**
 * What becomes of each attempt at a job, told to the metrics of this process, and to Redis for `sidelight status`. Changes nothing
 * about the job. In: work and how it ended. Out: numbers, and a short list of the last troubles.
 */
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { Busy, codeOf, TransientError } from './errors.ts';
import { jobFields } from './job-fields.ts';
import { loggedWith } from './logger.ts';
import { count, observe } from './metrics.ts';
import { PREFIX } from './redis.ts';
import { describe, markFailed } from './tracing.ts';

export interface Attempts {
  /** Works on a job; what it throws is thrown on. */
  measure<T>(job: Job, work: () => Promise<T>): Promise<T>;
  /** An attempt failed; `isLast`: the job is given up. Undefined: BullMQ does not know any more which it was. */
  failed(queue: string, job: Job | undefined, isLast: boolean): void;
  /** A search ended without these retrievers. */
  silent(queues: readonly string[]): void;
}

export function createAttempts(redis: Redis): Attempts {
  const codes = new WeakMap<Job, string>();
  const tell = (trouble: Trouble) => void tellTrouble(redis, trouble);
  const tellPostponed = (trouble: Trouble, error: TransientError) => {
    const { what: outcome, queue, code } = trouble;
    count('sidelight_jobs_postponed_total', { queue, code });
    describe(() => ({ outcome, code }));
    if (!(error instanceof Busy)) tell(trouble); // who waits for its turn has no trouble
  };
  return {
    async measure(job, work) {
      const queue = job.queueName;
      const fields = () => ({ ...jobFields(job.data), job: job.id ?? '', queue });
      const begun = performance.now();
      const ended = (outcome: string) =>
        observe('sidelight_job_seconds', { queue, outcome }, (performance.now() - begun) / 1000);
      if (job.attemptsStarted <= 1) observe('sidelight_job_waited_seconds', { queue }, waited(job));
      describe(fields);
      try {
        const result = await loggedWith(fields, work);
        ended('done');
        return result;
      } catch (error) {
        const code = codeOf(error);
        codes.set(job, code);
        ended(error instanceof TransientError ? 'postponed' : 'failed');
        if (!(error instanceof TransientError)) markFailed(error);
        else tellPostponed({ what: 'postponed', queue, code, job: job.id ?? '' }, error);
        throw error;
      }
    },
    failed(queue, job, isLast) {
      // what never got to an end here was found stalled: its process was killed, or blocked for too long
      const code = (job && codes.get(job)) ?? 'stalled';
      count(isLast ? 'sidelight_jobs_failed_total' : 'sidelight_jobs_retried_total', { queue, code });
      tell({ what: isLast ? 'failed' : 'retried', queue, code, job: job?.id ?? '' });
    },
    silent(queues) {
      for (const queue of queues) {
        count('sidelight_shards_silent_total', { queue });
        tell({ what: 'silent', queue, code: 'silent', job: '' });
      }
    },
  };
}

function waited({ timestamp, processedOn = Date.now() }: Job): number {
  return Math.max(processedOn - timestamp, 0) / 1000;
}

const Trouble = z.object({
  what: z.enum(['failed', 'retried', 'postponed', 'silent', 'dropped']),
  queue: z.string(),
  code: z.string(),
  job: z.string(),
});
export type Trouble = z.infer<typeof Trouble>;

/** Tells what went wrong; where Redis is away, which many troubles come from, it is not told. */
export async function tellTrouble(redis: Redis, trouble: Trouble): Promise<void> {
  if (redis.status !== 'ready') return;
  const fields = Object.entries(trouble).flat();
  await redis.xadd(TROUBLES, 'MAXLEN', '~', KEPT, '*', ...fields).catch(() => undefined);
}

/** The last troubles, newest first, with the time of each in ms. */
export async function readTroubles(redis: Redis, most: number = KEPT): Promise<(Trouble & { at: number })[]> {
  const entries = await redis.xrevrange(TROUBLES, '+', '-', 'COUNT', most);
  return entries.flatMap(([id, fields]) => {
    const pairs = fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]] as const] : []));
    const parsed = Trouble.safeParse(Object.fromEntries(pairs));
    return parsed.success ? [{ ...parsed.data, at: Number.parseInt(id, 10) }] : [];
  });
}

/** Redis stream, short: what metrics tell over weeks, this tells of the last hours to who has no Prometheus. */
const TROUBLES = `${PREFIX}:troubles`;
const KEPT = 2000;
