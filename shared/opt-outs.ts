/**
 * Pages that patrol leaves alone, in Redis, so that a bot on any host knows them. The review service keeps them in its database and
 * writes them here; the bot asks.
 */
import type { Redis } from 'ioredis';
import { PREFIX } from './redis.ts';

export interface OptOuts {
  /** In place of all that were there. */
  tell(pages: readonly OptedOut[]): Promise<void>;
  has(page: OptedOut): Promise<boolean>;
}

export interface OptedOut {
  wiki: string;
  pageId: number;
}

export function createOptOuts(redis: Redis): OptOuts {
  return {
    async tell(pages) {
      const change = redis.multi().del(KEY);
      for (const page of pages) change.sadd(KEY, memberOf(page));
      await change.exec();
    },
    has: async (page) => (await redis.sismember(KEY, memberOf(page))) === 1,
  };
}

function memberOf({ wiki, pageId }: OptedOut): string {
  return `${wiki}/${pageId}`;
}

/** Redis set. */
const KEY = `${PREFIX}:opt-outs`;
