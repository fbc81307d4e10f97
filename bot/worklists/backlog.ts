/** How much of what worklists asked for still waits, and what became of single articles. In: Redis. Publishes nothing. */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { jobId, type Next, PRIORITY, type Stage } from '../../shared/pipeline.ts';
import { PREFIX } from '../../shared/queue.ts';

export interface Backlog {
  /** Sources and claims that wait with a worklist's priority or before it. What patrol left is behind all of them. */
  claims(): Promise<number>;
  /** `gone`: no queue knows it: it was done and forgotten, or Redis was emptied. */
  stateOf(article: Next): Promise<'open' | 'done' | 'failed' | 'gone'>;
  close(): Promise<void>;
}

export function openBacklog(redis: Redis): Backlog {
  const open = (stage: Stage) => new Queue(stage, { connection: redis, prefix: PREFIX });
  const counted = [open('sources'), open('verification')];
  const articles = open('articles');
  return {
    async claims() {
      const counts = await Promise.all(counted.map((queue) => queue.getCountsPerPriority([...BEFORE_PATROL])));
      return counts.flatMap((byPriority) => Object.values(byPriority)).reduce((sum, count) => sum + count, 0);
    },
    async stateOf(article) {
      const state = await articles.getJobState(jobId(article));
      if (state === 'completed') return 'done';
      if (state === 'failed') return 'failed';
      return state === 'unknown' ? 'gone' : 'open';
    },
    async close() {
      await Promise.all([...counted, articles].map((queue) => queue.close()));
    },
  };
}

const BEFORE_PATROL = [PRIORITY.gadget, PRIORITY.requeue, PRIORITY.worklist] as const;
