/** Where the bot stands in a wiki's recent changes, kept in Redis so that a restart goes on from there. Follows nothing. */
import { z } from 'zod';

export const Cursor = z.object({
  /** ISO time of the last change that was handed on. */
  time: z.iso.datetime(),
  /** EventStreams' own position (Last-Event-ID); null for feeds that go by time. */
  eventId: z.string().nullable(),
});
export type Cursor = z.infer<typeof Cursor>;

export interface CursorStore {
  /** null where none is stored, or what is stored does not parse. */
  load(): Promise<Cursor | null>;
  save(cursor: Cursor): Promise<void>;
}

/** Two commands of Redis, as ioredis has them. */
export interface KeyValues {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
}

/** One cursor a wiki and feed: positions of one feed mean nothing to another. */
export function createCursorStore(redis: KeyValues, wiki: string, feed: string): CursorStore {
  const key = `sidelight:${wiki}:cursor:${feed}`;
  return {
    async load() {
      const stored = await redis.get(key);
      return stored === null ? null : parse(stored);
    },
    async save(cursor) {
      await redis.set(key, JSON.stringify(cursor));
    },
  };
}

function parse(stored: string): Cursor | null {
  try {
    return Cursor.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}
