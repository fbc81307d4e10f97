/**
 * Who drains a queue has the databases in use, also one that has said nothing to them for long. In: address of Redis. Out: a refusal,
 * or nothing.
 */
import { Redis } from 'ioredis';
import { RefuseToStart } from '../../shared/errors.ts';
import { readQueueStates } from '../../shared/queue-state.ts';

/** Throws RefuseToStart while a process drains a queue. A Redis that does not answer is passed over: without it nobody does. */
export async function requireQuiet(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl, {
    ...{ lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null, connectTimeout: ANSWER_MS },
  });
  redis.on('error', () => undefined);
  try {
    const isThere = await redis.connect().then(
      () => true,
      () => false,
    );
    if (!isThere) return;
    const drained = (await readQueueStates(redis)).filter(({ workers }) => workers > 0).map(({ queue }) => queue);
    if (drained.length === 0) return;
    throw new RefuseToStart(
      `a process still drains ${drained.join(', ')}: stop the bot, the workers and the review service first`,
    );
  } finally {
    redis.disconnect();
  }
}

const ANSWER_MS = 5000;
