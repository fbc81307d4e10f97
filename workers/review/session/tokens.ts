/** Tokens by which a maintainer's programs ask. In: the header `Authorization`. Out: the maintainer, or RequestError. */
import type { Kysely } from 'kysely';
import { RequestError } from '../../../shared/errors.ts';
import type { Schema } from '../database.ts';
import type { Actor } from './actor.ts';
import { hashSecret } from './secret.ts';
import { actorOf, type RoleSettings, userOf } from './users.ts';

/** Never null: a token that does not hold is refused, and not taken for nobody. */
export async function actorOfToken(db: Kysely<Schema>, settings: RoleSettings, authorization: string): Promise<Actor> {
  const secret = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  const token = await db
    .selectFrom('tokens')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const user = token === undefined ? null : await userOf(db, token.user_id);
  if (token === undefined || user === null) {
    throw new RequestError('bad_token', 'This token is not known here, or was revoked.');
  }
  const actor = actorOf(user, settings, 'token');
  if (!actor.roles.includes('maintainer')) {
    throw new RequestError('forbidden', 'Whom this token belongs to is no maintainer any more.');
  }
  await noteUse(db, token.id, token.used_at);
  return actor;
}

async function noteUse(db: Kysely<Schema>, id: number, last: string | null): Promise<void> {
  if (last !== null && Date.now() - Date.parse(last) < MINUTE) return;
  await db.updateTable('tokens').set({ used_at: new Date().toISOString() }).where('id', '=', id).execute();
}

const MINUTE = 60_000;
