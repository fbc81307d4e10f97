/** A check that was begun → a row and its first job, or the check of the same that runs already; and a key for who asked. */
import type { Kysely } from 'kysely';
import { type Next, PRIORITY } from '../../../shared/pipeline.ts';
import type { Publisher } from '../../../shared/queue.ts';
import type { Schema } from '../database.ts';
import type { Begun } from './begin.ts';
import type { Look } from './look.ts';
import * as store from './store.ts';

export interface JoinDependencies {
  db: Kysely<Schema>;
  publisher: Pick<Publisher, 'publish'>;
  closely: Look;
}

export async function join(
  { db, publisher, closely }: JoinDependencies,
  { row, job }: Begun,
): Promise<{ id: string; key: string }> {
  // those that are over without having been looked at since are not joined
  for (const { id } of await store.openChecks(db, row.subject)) await closely(id);
  const joined = await store.joinCheck(db, row);
  if (job !== null && joined.id === row.id) await publish({ db, publisher }, row.id, job);
  return joined;
}

/** Without its job there is no check. */
async function publish({ db, publisher }: Omit<JoinDependencies, 'closely'>, id: string, job: Next): Promise<void> {
  try {
    await publisher.publish([job], PRIORITY.gadget);
  } catch (error) {
    await store.deleteCheck(db, id);
    throw error;
  }
}
