/**
 * Where the bot stands in a wiki's recent changes, and which it has handed on, kept in Redis so that a restart goes on from
 * there and does nothing twice. Follows nothing.
 */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { parseJson } from '../shared/json.ts';

export const Cursor = z.object({
  /** ISO time of the last change that was handed on. */
  time: z.iso.datetime(),
  /** EventStreams' own position (Last-Event-ID); null for feeds that go by time. */
  eventId: z.string().nullable(),
});
export type Cursor = z.infer<typeof Cursor>;

export interface CursorStore {
  /** Cursor: null where none is stored, or what is stored does not parse. `handedOn`: ids of changes, oldest first. */
  load(): Promise<{ cursor: Cursor | null; handedOn: string[] }>;
  /** `handedOn`: ids of changes since the last time. All or nothing is saved. */
  save(cursor: Cursor, handedOn: readonly string[]): Promise<void>;
}

/** A feed may tell so many of the last changes again, and none is handed on twice. */
export const REMEMBERED = 10_000;

/** One cursor a wiki and feed: positions of one feed mean nothing to another. Ids of changes are the same in all of them. */
export function createCursorStore(redis: Redis, wiki: string, feed: string): CursorStore {
  const key = `sidelight:${wiki}:cursor:${feed}`;
  const handedOnKey = `sidelight:${wiki}:handed-on`;
  return {
    async load() {
      const [stored, handedOn] = await Promise.all([redis.get(key), redis.lrange(handedOnKey, 0, -1)]);
      return { cursor: Cursor.safeParse(parseJson(stored ?? '')).data ?? null, handedOn };
    },
    async save(cursor, handedOn) {
      const saving = redis.multi().set(key, JSON.stringify(cursor));
      if (handedOn.length > 0) saving.rpush(handedOnKey, ...handedOn).ltrim(handedOnKey, -REMEMBERED, -1);
      await saving.exec();
    },
  };
}
