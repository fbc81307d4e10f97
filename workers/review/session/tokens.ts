/** Tokens by which a maintainer's programs ask. In: a token. Out: whose it is, or RequestError. */
import type { Kysely } from 'kysely';
import { RequestError } from '../../../shared/errors.ts';
import type { Schema } from '../database.ts';
import { hashSecret } from './secret.ts';
import { type User, userOf } from './users.ts';

/** Never null: a token that does not hold is refused, and not taken for nobody. */
export async function userOfToken(db: Kysely<Schema>, secret: string): Promise<User> {
  const token = await db
    .selectFrom('tokens')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const user = token === undefined ? null : await userOf(db, token.user_id);
  if (token === undefined || user === null) return refuseToken();
  await noteUse(db, token.id, token.used_at);
  return user;
}

/** Throws RequestError. */
export function refuseToken(): never {
  throw new RequestError('bad_token', 'This token is not known here, or was revoked.');
}

async function noteUse(db: Kysely<Schema>, id: number, last: string | null): Promise<void> {
  if (last !== null && Date.now() - Date.parse(last) < MINUTE) return;
  await db.updateTable('tokens').set({ used_at: new Date().toISOString() }).where('id', '=', id).execute();
}

const MINUTE = 60_000;
