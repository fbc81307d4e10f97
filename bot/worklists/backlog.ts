/** How many claims that people asked for are still open, and what became of single articles. In: Redis. Publishes nothing. */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { jobId, type Next, PRIORITY, requestPrefix } from '../../shared/pipeline.ts';
import { PREFIX } from '../../shared/redis.ts';

export interface Backlog {
  /** Claims of worklists and requeues whose sources are being read, and what waits with their priority or before it. */
  claims(): Promise<number>;
  /** `gone`: no queue knows it: it was done and forgotten, or Redis was emptied. */
  stateOf(article: Next): Promise<'open' | 'done' | 'failed' | 'gone'>;
  close(): Promise<void>;
}

export function openBacklog(redis: Redis): Backlog {
  const articles = new Queue('articles', { connection: redis, prefix: PREFIX });
  const verification = new Queue('verification', { connection: redis, prefix: PREFIX });
  return {
    async claims() {
      const byPriority = Object.values(await verification.getCountsPerPriority([...BEFORE_PATROL]));
      const apart = ['waiting-children', 'delayed'].map((state) => countAsked(redis, verification.toKey(state)));
      return [...byPriority, ...(await Promise.all(apart))].reduce((sum, count) => sum + count, 0);
    },
    async stateOf(article) {
      const state = await articles.getJobState(jobId(article));
      if (state === 'completed') return 'done';
      if (state === 'failed') return 'failed';
      return state === 'unknown' ? 'gone' : 'open';
    },
    async close() {
      await Promise.all([articles.close(), verification.close()]);
    },
  };
}

/** These states are in the order of time, whatever the priority. Patrol, which would hold every worklist up, has no request. */
async function countAsked(redis: Redis, key: string): Promise<number> {
  let count = 0;
  let cursor = '0';
  do {
    const [next, members] = await redis.zscan(key, cursor, 'MATCH', `${requestPrefix('*')}*`, 'COUNT', 1000);
    count += members.length / 2; // each with its score
    cursor = next;
  } while (cursor !== '0');
  return count;
}

const BEFORE_PATROL = [PRIORITY.gadget, PRIORITY.requeue, PRIORITY.worklist] as const;
