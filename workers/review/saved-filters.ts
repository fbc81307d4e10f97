/** Filters that a person keeps under a name. In: a person, a filter. Out: their own ones, by name; never another person's. */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';
import { type Schema, writing } from './database.ts';
import type { Filter } from './filter.ts';
import { parseList, queryOf } from './request.ts';

export const SavedFilterName = z
  .string({ error: 'give it a name' })
  .trim()
  .min(1, 'give it a name')
  .max(100, 'at most 100 characters');

export interface SavedFilter {
  id: number;
  name: string;
  filter: Filter;
}

/** By name. */
export async function savedFilters(db: Kysely<Schema>, userId: number): Promise<SavedFilter[]> {
  const rows = await db
    .selectFrom('saved_filters')
    .select(['id', 'name', 'query'])
    .where('user_id', '=', userId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ id, name, query }) => {
    const filter = filterFrom(query);
    return filter === null ? [] : [{ id, name, filter }];
  });
}

/** Under a name that is there already it takes the other one's place. Throws RequestError `invalid`. */
export async function saveFilter(db: Kysely<Schema>, userId: number, name: string, filter: Filter): Promise<void> {
  const query = String(new URLSearchParams(queryOf(filter)));
  if (query.length > LONGEST)
    throw new RequestError('invalid', 'This filter is too long to be kept: shorten its titles.');
  await writing(db, async (trx) => {
    const mine = trx.selectFrom('saved_filters').where('user_id', '=', userId);
    const same = await mine.select('id').where('name', '=', name).executeTakeFirst();
    if (same !== undefined) {
      await trx.updateTable('saved_filters').set({ query }).where('id', '=', same.id).execute();
      return;
    }
    const { count } = await mine.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (count >= MOST) throw new RequestError('invalid', `No more than ${MOST} filters are kept: delete one first.`);
    await trx.insertInto('saved_filters').values({ user_id: userId, name, query }).execute();
  });
}

/** Throws RequestError `not_found`, also for another person's. */
export async function deleteSavedFilter(db: Kysely<Schema>, userId: number, id: number): Promise<void> {
  const done = await db
    .deleteFrom('saved_filters')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (done.numDeletedRows === 0n) throw new RequestError('not_found', 'You have no such saved filter any more.');
}

/** More tabs than that nobody finds anything among. */
const MOST = 30;
/** Of the column. */
const LONGEST = 2000;

/** Null: a version that knew other filters saved it. */
function filterFrom(query: string): Filter | null {
  try {
    return parseList(Object.fromEntries(new URLSearchParams(query))).filter;
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}
