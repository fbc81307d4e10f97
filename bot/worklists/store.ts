/**
 * The database of worklists: lists, their runs, and the articles of each run; a SQLite file that several processes open, or a MariaDB
 * that all hosts share. Asks no wiki.
 */
import { openStore, type StoreKind } from '../../shared/sql/stores.ts';
import type { DatabasePlace } from '../../shared/sql.ts';
import { createLists, type Lists } from './lists.ts';
import { createMembers, type Members } from './members.ts';
import * as shared from './migrations/0001-shared.ts';
import { createRuns, type Runs } from './runs.ts';
import type { WorklistTables } from './tables.ts';

export interface WorklistStore {
  lists: Lists;
  runs: Runs;
  members: Members;
  close(): Promise<void>;
}

/** Throws as openStore does; every verb TransientError where the database is away or full. */
export async function openWorklists(place: DatabasePlace): Promise<WorklistStore> {
  const db = await openStore<WorklistTables>(place, WORKLIST_STORE, { durable: false });
  return { lists: createLists(db), runs: createRuns(db), members: createMembers(db), close: () => db.destroy() };
}

export const WORKLIST_STORE: StoreKind = {
  migrations: { '0001-shared': shared },
  table: 'worklist_migrations',
  fileVersion: 2,
};
