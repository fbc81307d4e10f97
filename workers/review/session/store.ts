/** Sessions in SQL, for @fastify/session. In: the id that a cookie holds. Out: what is known of that session. Kept under the id's hash. */
import type { SessionStore } from '@fastify/session';
import type { Session } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Schema, writing } from '../database.ts';
import { hashSecret } from './secret.ts';

/** A sign-in that went off to the wiki and has not come back. */
const PendingSignIn = z.object({ state: z.string(), verifier: z.string(), to: z.string(), at: z.number() });
export type PendingSignIn = z.infer<typeof PendingSignIn>;

export const Kept = z.object({
  /** Of the table `users`. Undefined: nobody is signed in yet. */
  userId: z.number().optional(),
  /** ms */
  startedAt: z.number().optional(),
  seenAt: z.number().optional(),
  pending: z.array(PendingSignIn).optional(),
  /** Of @fastify/csrf-protection. */
  _csrf: z.string().optional(),
});
export type Kept = z.infer<typeof Kept>;

declare module 'fastify' {
  interface Session extends Kept {
    /** It came from the database, and so is written only if it is still there. */
    isLoaded?: true;
  }
}

/** How long a session lives after it was used last. */
export const SESSION_MS = 30 * 24 * 3600 * 1000;

export function createSessionStore(db: Kysely<Schema>): SessionStore {
  return {
    get: (id, done) => void load(db, id).then((session) => done(null, session), done),
    set: (id, session, done) => void save(db, id, session).then(() => done(), done),
    destroy: (id, done) =>
      void db
        .deleteFrom('sessions')
        .where('id', '=', hashSecret(id))
        .execute()
        .then(() => done(), done),
  };
}

async function load(db: Kysely<Schema>, id: string): Promise<Session | null> {
  const row = await db
    .selectFrom('sessions')
    .select('data')
    .where('id', '=', hashSecret(id))
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...Kept.parse(JSON.parse(row.data)), isLoaded: true, cookie: { originalMaxAge: null } };
}

/** A request may still run while its session is ended elsewhere: that must not bring the session back. */
async function save(db: Kysely<Schema>, id: string, session: Session): Promise<void> {
  const row = {
    user_id: session.userId ?? null,
    data: JSON.stringify(Kept.parse(session)),
    expires_at: Date.now() + (session.userId === undefined ? PENDING_MS : SESSION_MS),
  };
  if (session.isLoaded) {
    await db.updateTable('sessions').set(row).where('id', '=', hashSecret(id)).execute();
    return;
  }
  await writing(db, async (tx) => {
    await tx.deleteFrom('sessions').where('expires_at', '<=', Date.now()).execute();
    await tx.deleteFrom('sessions').where('id', '=', hashSecret(id)).execute();
    await tx
      .insertInto('sessions')
      .values({ id: hashSecret(id), ...row })
      .execute();
  });
}

/** How long somebody may take at the wiki. */
const PENDING_MS = 15 * 60 * 1000;
