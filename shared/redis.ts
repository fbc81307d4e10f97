/** Redis connections as BullMQ wants them, and what all keys begin with. In: URL. Out: a connection, or a refusal to start on a Redis that may drop jobs. */
import { Redis } from 'ioredis';
import { RefuseToStart, RequestError, TransientError } from './errors.ts';

/**
 * `worker`: waits for Redis however long it is away. `producer`: says within seconds that it is away. `counter`: at once, since it is
 * asked with each request of a person.
 */
export type Role = 'worker' | 'producer' | 'counter';

/** Braces keep all keys of one installation in one slot of a Redis cluster. Never ioredis' keyPrefix. */
export const PREFIX = '{sidelight}';

export async function connectRedis(url: string, role: Role): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: role === 'worker' ? null : 3,
    ...(role === 'counter' && { enableOfflineQueue: false, commandTimeout: 500 }),
    retryStrategy: (attempt) => Math.min(100 * 2 ** attempt, 5000),
  });
  redis.on('error', () => undefined); // reconnects by itself; commands carry the error to whoever waits for them
  await redis.connect().catch(() => {
    redis.disconnect();
    throw new RefuseToStart(
      `Redis does not answer at ${redact(url)}: “sidelight start” runs one; or start your own and set REDIS_URL.`,
    );
  });
  await refuseEviction(redis, url);
  return redis;
}

/**
 * What needs a connection of role `producer`; TransientError where it is away. A connection that was cut says so in errors of many
 * kinds: what counts is how it stands.
 */
export async function queued<T>(redis: Redis, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError || redis.status === 'ready') throw error;
    throw new TransientError('Redis, which holds the queues, does not answer. Nothing was changed there.', {
      cause: error,
    });
  }
}

/** An evicting Redis silently loses jobs (https://docs.bullmq.io/guide/going-to-production#max-memory-policy). */
async function refuseEviction(redis: Redis, url: string): Promise<void> {
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  if (policy === 'noeviction') return;
  redis.disconnect();
  throw new RefuseToStart(
    `Redis at ${redact(url)} evicts keys (maxmemory-policy ${policy}) and would lose jobs: set it to noeviction.`,
  );
}

function redact(url: string): string {
  const parsed = new URL(url);
  return parsed.host;
}
