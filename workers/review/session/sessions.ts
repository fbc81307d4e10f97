/** The open sessions of a person, to be shown and ended. */
import type { Kysely } from 'kysely';
import type { Schema } from '../database.ts';
import { hashSecret } from './secret.ts';
import { Kept } from './store.ts';

export interface OpenSession {
  /** ISO times. */
  startedAt: string;
  seenAt: string;
  isThisOne: boolean;
}

/** This one first, then the one used last; `sessionId`: as the asking browser's cookie holds it. */
export async function openSessions(db: Kysely<Schema>, userId: number, sessionId: string): Promise<OpenSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'data'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', Date.now())
    .execute();
  const own = hashSecret(sessionId);
  return rows
    .map(({ id, data }) => ({ ...Kept.parse(JSON.parse(data)), isThisOne: id === own }))
    .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne) || (b.seenAt ?? 0) - (a.seenAt ?? 0))
    .map(({ startedAt = 0, seenAt = startedAt, isThisOne }) => ({
      startedAt: new Date(startedAt).toISOString(),
      seenAt: new Date(seenAt).toISOString(),
      isThisOne,
    }));
}

/** All at once, wherever they are. */
export async function endSessions(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}
