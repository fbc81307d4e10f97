/**
 * Whether somebody may still decide: a block on the wiki counts here within minutes, and so does a group. In: a person who changes
 * something. Out: the person as the wiki has them now, or null where it knows no such account. A wiki that is away changes nothing.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { createAsk } from '../../../bot/wiki.ts';
import { TransientError } from '../../../shared/errors.ts';
import type { Schema } from '../database.ts';
import { endSessions } from './sessions.ts';
import { isLocal, type User } from './users.ts';

export interface StandingOptions {
  db: Kysely<Schema>;
  wiki: { apiUrl: string; userAgent: string };
  log: FastifyBaseLogger;
}

export type Standing = (user: User, now?: number) => Promise<User | null>;

/** Asks at most once in three minutes, for all requests of a person together. */
export function createStanding({ db, wiki, log }: StandingOptions): Standing {
  const ask = createAsk(wiki);
  return async (user, now = Date.now()) => {
    if (isLocal(user) || now - user.asked_at < FRESH_MS || !(await takeTurn(db, user, now))) return user;
    try {
      const answer = await ask(Users, { list: 'users', ususers: user.name, usprop: 'blockinfo|groups' });
      const [said] = answer.query.users;
      if (said?.userid !== undefined) return await keep(db, user, said);
      await endSessions(db, user.id);
      return null;
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      log.warn({ err: error }, 'the wiki does not say who is blocked: asked again in a while');
      return user;
    }
  };
}

const FRESH_MS = 3 * 60 * 1000;

/** Others who ask at the same time go on with what is known. */
async function takeTurn(db: Kysely<Schema>, { id, asked_at }: User, now: number): Promise<boolean> {
  const turn = db.updateTable('users').set({ asked_at: now }).where('id', '=', id).where('asked_at', '=', asked_at);
  return (await turn.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Without `userid`: there is no such account, or it has another name now. */
const Users = z.object({
  query: z.object({
    users: z.array(
      z.object({
        userid: z.number().optional(),
        groups: z.array(z.string()).default([]),
        blockid: z.number().nullish(),
      }),
    ),
  }),
});

async function keep(
  db: Kysely<Schema>,
  user: User,
  { groups, blockid }: z.infer<typeof Users>['query']['users'][number],
): Promise<User> {
  const said = { groups: JSON.stringify(groups), blocked: blockid == null ? 0 : 1 } as const;
  await db.updateTable('users').set(said).where('id', '=', user.id).execute();
  return { ...user, ...said };
}
