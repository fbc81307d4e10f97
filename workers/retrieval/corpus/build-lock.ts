/**
 * One process at a time builds, adds to or drops a generation. In: its folder. Out: a lock that the system takes back when the
 * process dies, however it dies. Growing by fetched pages needs none.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RequestError } from '../../../shared/errors.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { sqliteCode } from '../../../shared/sql/sqlite-errors.ts';

/** Throws RequestError where another process has it. */
export function lockGeneration(folder: string, generation: string): { release(): void } {
  mkdirSync(folder, { recursive: true });
  const database = new Database(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (sqliteCode(error) !== 'SQLITE_BUSY') throw error;
    throw new RequestError('busy', `${generation} is being built or added to by another process: wait for it to end`);
  }
  return { release: () => void database.close() };
}
