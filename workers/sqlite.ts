/** One SQLite file of the workers. In: path, schema. Out: an open database that several processes may share, or a refusal to start. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { RefuseToStart } from '../shared/errors.ts';
import { Database } from '../shared/sql/better-sqlite3.ts';

/** `version` is the file's `user_version`; `sql` creates it from nothing and may be run on a file that has it. */
export interface Schema {
  version: number;
  sql: string;
}

/** Write-ahead log, waits up to 10 s for another process's write. Throws RefuseToStart for a file of a newer version. */
export function openDatabase(path: string, schema: Schema): Database {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path, { timeout: 10_000 });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('foreign_keys = ON');
  const found = Number(database.pragma('user_version', { simple: true }));
  if (found > schema.version) {
    database.close();
    throw new RefuseToStart(`${path} is of version ${found}, this program knows ${schema.version}: update Sidelight.`);
  }
  database
    .transaction(() => {
      database.exec(schema.sql);
      database.pragma(`user_version = ${schema.version}`);
    })
    .immediate();
  return database;
}
