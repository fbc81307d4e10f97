/**
 * The database of worklists: lists, their runs, and the articles of each run; a SQLite file that several processes open, or a MariaDB
 * that all hosts share. Asks no wiki.
 */
import { type DatabasePlace, migrateSql, openSql } from '../../shared/sql.ts';
import { refuseNewerFile } from '../../workers/sqlite.ts';
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

/** Migrates. Throws RefuseToStart for what a newer version wrote; every verb TransientError where the database is away or full. */
export async function openWorklists(place: DatabasePlace): Promise<WorklistStore> {
  const db = openSql<WorklistTables>(place, { durable: false });
  try {
    await refuseNewerFile(db, place, VERSION);
    await migrateSql(db, { '0001-shared': shared }, { table: 'worklist_migrations' });
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { lists: createLists(db), runs: createRuns(db), members: createMembers(db), close: () => db.destroy() };
}

/** `user_version` of a file. Older ones have no migrations; newer ones are refused. */
const VERSION = 2;
