/** The people who have signed in. In: what the wiki says of an account. Out: a row, and what it lets its owner do here. */
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { SignInSettings } from '../../../shared/config.ts';
import { type Schema, type UserTable, writing } from '../database.ts';
import type { Actor, Role } from './actor.ts';

/** By whom roles are given. */
export type RoleSettings = Pick<SignInSettings, 'maintainers' | 'maintainerGroups' | 'patrollerGroups'>;

export type User = Selectable<UserTable>;

/** An account as the wiki describes it. */
export interface Account {
  wiki: string;
  /** The wiki's id of it. */
  subject: string;
  name: string;
  groups: readonly string[];
  blocked: boolean;
}

/** The person at this machine, where no wiki says who it is. */
export const LOCAL: Account = { wiki: 'local', subject: 'local', name: 'local', groups: [], blocked: false };

/** Of the table `users`. */
export async function keepUser(db: Kysely<Schema>, account: Account, now = Date.now()): Promise<number> {
  const { wiki, subject, name, groups, blocked } = account;
  const said = { name, groups: JSON.stringify(groups), blocked: blocked ? 1 : 0, asked_at: now } as const;
  const row = { ...said, signed_in_at: new Date(now).toISOString() };
  return writing(db, async (tx) => {
    const known = await tx
      .selectFrom('users')
      .select('id')
      .where('wiki', '=', wiki)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (known !== undefined) {
      await tx.updateTable('users').set(row).where('id', '=', known.id).execute();
      return known.id;
    }
    const added = await tx
      .insertInto('users')
      .values({ wiki, subject, ...row })
      .executeTakeFirstOrThrow();
    return Number(added.insertId);
  });
}

export async function userOf(db: Kysely<Schema>, id: number): Promise<User | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export function isLocal({ wiki }: Pick<User, 'wiki'>): boolean {
  return wiki === LOCAL.wiki;
}

export function actorOf(user: User, settings: RoleSettings, via: Actor['via']): Actor {
  return { id: user.id, name: user.name, roles: rolesOf(user, settings), via };
}

function rolesOf(user: User, { maintainers, maintainerGroups, patrollerGroups }: RoleSettings): Role[] {
  if (isLocal(user)) return ['patroller', 'maintainer'];
  if (user.blocked) return [];
  const groups = Groups.parse(JSON.parse(user.groups));
  const isOneOf = (chosen: readonly string[]) => groups.some((group) => chosen.includes(group));
  if (maintainers.includes(user.name) || isOneOf(maintainerGroups)) return ['patroller', 'maintainer'];
  return patrollerGroups === null || isOneOf(patrollerGroups) ? ['patroller'] : [];
}

const Groups = z.array(z.string());
