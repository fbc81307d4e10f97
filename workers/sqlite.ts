/** One SQLite file of the workers. In: path, schema. Out: an open database that several processes may share, or a refusal to start. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { RefuseToStart } from '../shared/errors.ts';
import { isMariaDb } from '../shared/sql.ts';

/** `version` is the file's `user_version`; `sql` creates it from nothing and may be run on a file that has it. */
export interface Schema {
  version: number;
  sql: string;
}

/** Write-ahead log, waits up to 10 s for another process's write. Throws RefuseToStart for a file of a newer version. */
export function openDatabase(path: string, schema: Schema): Database.Database {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path, { timeout: 10_000 });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found > schema.version) {
    database.close();
    throw newer(path, found, schema.version);
  }
  database
    .transaction(() => {
      database.exec(schema.sql);
      database.pragma(`user_version = ${schema.version}`);
    })
    .immediate();
  return database;
}

/**
 * For stores with migrations, whose files had a `user_version` before: their first migration raises it. Throws RefuseToStart for one
 * that is higher than `known`.
 */
export async function refuseNewerFile<T>(db: Kysely<T>, path: string, known: number): Promise<void> {
  if (isMariaDb(db)) return;
  const { rows } = await sql<{ user_version: number }>`PRAGMA user_version`.execute(db);
  const found = rows[0]?.user_version ?? 0;
  if (found > known) throw newer(path, found, known);
}

function newer(path: string, found: number, known: number): RefuseToStart {
  return new RefuseToStart(`${path} is of version ${found}, this program knows ${known}: update Sidelight.`);
}
