/** A check that was begun → a row and its first job, or the check of the same that runs already; and a key for who asked. */
import type { Kysely } from 'kysely';
import { type Next, PRIORITY } from '../../../shared/pipeline.ts';
import type { Publisher } from '../../../shared/queue.ts';
import type { Schema } from '../database.ts';
import type { Begun } from './begin.ts';
import type { Look } from './look.ts';
import { isFinal } from './standing.ts';
import * as store from './store.ts';

export interface JoinDependencies {
  db: Kysely<Schema>;
  publisher: Pick<Publisher, 'publish'>;
  closely: Look;
}

/** To be called for one at a time: two who ask at once for the same get one check. */
export async function join(dependencies: JoinDependencies, { row, job }: Begun): Promise<{ id: string; key: string }> {
  const { db } = dependencies;
  const running = job === null ? null : await sameRunning(dependencies, row.subject);
  if (running !== null) return { id: running, key: await store.giveKey(db, running) };
  await store.insertCheck(db, row);
  const key = await store.giveKey(db, row.id);
  if (job !== null) await publish(dependencies, row.id, job);
  return { id: row.id, key };
}

async function sameRunning({ db, closely }: JoinDependencies, subject: string): Promise<string | null> {
  for (const { id } of await store.openChecks(db, subject)) {
    const check = await closely(id);
    if (check !== null && !isFinal(check.state)) return id;
  }
  return null;
}

/** Without its job there is no check. */
async function publish({ db, publisher }: JoinDependencies, id: string, job: Next): Promise<void> {
  try {
    await publisher.publish([job], PRIORITY.gadget);
  } catch (error) {
    await store.deleteCheck(db, id);
    throw error;
  }
}
