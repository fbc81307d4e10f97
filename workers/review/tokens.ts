/** Tokens of a maintainer, for programs. In: the database. Out: a token once, when it is made; then only what it is called. */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';
import { hashSecret } from './session/secret.ts';

export const Token = z.object({
  id: z.int().positive(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** To the minute; null: never. */
  usedAt: z.iso.datetime().nullable(),
});
export type Token = z.infer<typeof Token>;

export const TokenName = z.string().trim().min(1, 'is empty').max(100, 'is longer than 100 characters');

/** `secret` is what programs send; nobody can read it again. Throws RequestError `too_many` past 50 that hold. */
export async function makeToken(
  db: Kysely<Schema>,
  userId: number,
  name: string,
): Promise<{ token: Token; secret: string }> {
  if ((await listTokens(db, userId)).length >= MOST) {
    throw new RequestError('too_many', `You have ${MOST} tokens: revoke one that nothing uses.`);
  }
  const secret = `sidelight_${randomBytes(32).toString('base64url')}`;
  const createdAt = new Date().toISOString();
  const { id } = await db
    .insertInto('tokens')
    .values({ user_id: userId, name, hash: hashSecret(secret), created_at: createdAt, used_at: null, revoked_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { token: { id, name, createdAt, usedAt: null }, secret };
}

/** Those that hold, the newest first. */
export async function listTokens(db: Kysely<Schema>, userId: number): Promise<Token[]> {
  const rows = await db
    .selectFrom('tokens')
    .select(['id', 'name', 'created_at as createdAt', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  return rows;
}

/** It holds no more from the next request on. Throws RequestError `not_found` for one that is none of theirs. */
export async function revokeToken(db: Kysely<Schema>, userId: number, id: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new RequestError('not_found', `You have no token ${id}.`);
}

const MOST = 50;
