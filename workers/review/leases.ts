/**
 * Who looks at which finding now, so that nobody else is given it. In: a finding, a person, the time. Out: until when it is theirs.
 * One lease a finding; it runs out by itself. Reading needs none; which finding comes next is not known here: see `decisions.ts`.
 */
import type { Kysely } from 'kysely';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';
import type { Actor } from './session/actor.ts';

export type Person = Pick<Actor, 'id' | 'name'>;

export interface Holder {
  userId: number;
  name: string;
  /** ISO time at which it runs out. */
  until: string;
}

/** What taking one needs to know: the time and how long it lasts, in ms. */
export interface Term {
  now: number;
  leaseMs: number;
}

/**
 * The person's own one is renewed, one that ran out is taken over. Who takes one more than `MOST` gives back the one that would run
 * out first. Throws RequestError `leased`. Must run within a transaction that began with `dropEnded`.
 */
export async function takeLease(trx: Kysely<Schema>, id: number, person: Person, term: Term): Promise<Holder> {
  await releaseLease(trx, id, person);
  const other = await holderOf(trx, id, term.now);
  if (other !== null) throw new RequestError('leased', `${other.name} looks at this finding until ${hour(other)}.`);
  const expires = term.now + term.leaseMs;
  await trx.insertInto('leases').values({ finding_id: id, user_id: person.id, expires_at: expires }).execute();
  await giveBackOldest(trx, id, person);
  return { userId: person.id, name: person.name, until: new Date(expires).toISOString() };
}

/** Those that ran out are nobody's, and go. */
export async function dropEnded(trx: Kysely<Schema>, now: number): Promise<void> {
  await trx.deleteFrom('leases').where('expires_at', '<=', now).execute();
}

/** Else one person could keep all findings from the others. */
export const MOST = 20;

export async function releaseLease(db: Kysely<Schema>, id: number, person: Person): Promise<void> {
  await db.deleteFrom('leases').where('finding_id', '=', id).where('user_id', '=', person.id).execute();
}

/** At sign-out. */
export async function releaseAll(db: Kysely<Schema>, userId: number): Promise<void> {
  await db.deleteFrom('leases').where('user_id', '=', userId).execute();
}

/** Null: nobody looks at it. */
export async function holderOf(db: Kysely<Schema>, id: number, now: number): Promise<Holder | null> {
  return (await holdersOf(db, [id], now)).get(id) ?? null;
}

/** By finding, of those that somebody looks at. */
export async function holdersOf(db: Kysely<Schema>, ids: readonly number[], now: number): Promise<Map<number, Holder>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('leases')
    .innerJoin('users', 'users.id', 'leases.user_id')
    .select(['leases.finding_id', 'leases.user_id as userId', 'leases.expires_at', 'users.name'])
    .where('leases.finding_id', 'in', [...ids])
    .where('leases.expires_at', '>', now)
    .execute();
  return new Map(
    rows.map(({ finding_id, expires_at, ...who }) => [
      finding_id,
      { ...who, until: new Date(expires_at).toISOString() },
    ]),
  );
}

/** Throws RequestError `no_lease`, which says who holds it or that it ran out. */
export async function requireLease(db: Kysely<Schema>, id: number, person: Person, now: number): Promise<void> {
  const holder = await holderOf(db, id, now);
  if (holder?.userId === person.id) return;
  throw new RequestError(
    'no_lease',
    holder === null ? RAN_OUT : `${holder.name} looks at this finding until ${hour(holder)}.`,
  );
}

const RAN_OUT =
  'The time for this finding has run out, or it was never yours: open it again, then decide. Nothing was changed.';

async function giveBackOldest(trx: Kysely<Schema>, id: number, person: Person): Promise<void> {
  const own = await trx
    .selectFrom('leases')
    .select('finding_id')
    .where('user_id', '=', person.id)
    .where('finding_id', '!=', id)
    .orderBy('expires_at', 'desc')
    .orderBy('finding_id', 'desc')
    .execute();
  const oldest = own.slice(MOST - 1).map((lease) => lease.finding_id);
  if (oldest.length > 0) await trx.deleteFrom('leases').where('finding_id', 'in', oldest).execute();
}

function hour({ until }: Holder): string {
  return `${until.slice(11, 16)} UTC`;
}
