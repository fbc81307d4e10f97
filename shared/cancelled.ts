/** Which requests were cancelled, in Redis for a day: told by who cancels, asked by who publishes. Taking out what waits is `queue.ts`'. */
import type { Redis } from 'ioredis';
import { PREFIX } from './redis.ts';

/** From now on nothing is published for it. A name that was cancelled is never used again. */
export async function rememberCancelled(redis: Redis, request: string): Promise<void> {
  await redis.set(keyOf(request), 1, 'EX', KEPT_S);
}

/** Those of them that were cancelled. Asks nothing of Redis where there are none. */
export async function cancelledAmong(redis: Redis, requests: ReadonlySet<string>): Promise<Set<string>> {
  if (requests.size === 0) return new Set();
  const asked = [...requests];
  const told = await redis.mget(asked.map(keyOf));
  return new Set(asked.filter((_, at) => told[at] !== null));
}

function keyOf(request: string): string {
  return `${PREFIX}:cancelled:${request}`;
}

/** Longer than a job that ran meanwhile, and what it waits for, takes. */
const KEPT_S = 24 * 3600;
