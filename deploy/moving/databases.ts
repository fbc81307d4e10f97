/** The stores' databases as SQLite files of a backup. In: Config. Out: files, each as it was at one moment, whoever writes meanwhile. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Config, sqliteDatabases } from '../../shared/config.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import { Database } from '../../shared/sql/better-sqlite3.ts';
import { refuseHalfFilled } from '../../shared/sql/stores.ts';
import { isShared, openSql } from '../../shared/sql.ts';
import { begin, type Copying, compareTables, copyTables, end } from './copy.ts';
import { openAlone } from './sides.ts';
import { bringForward, isOfHost, STORES } from './stores.ts';
import { readTables } from './tables.ts';

/** Into `folder`, one file a store. */
export async function saveDatabases(config: Config, folder: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (isShared(config.databases.review)) return saveMariaDb(config.databases.review, folder, signal);
  for (const store of STORES) {
    signal.throwIfAborted();
    refuseHalfFilled(config.databases[store]);
    await saveSqlite(config.databases[store], join(folder, `${store}.sqlite`));
  }
}

/**
 * A copy of a SQLite file that others write, by https://sqlite.org/backup.html. Nothing where there is none. Throws RefuseToStart if the
 * copy is damaged.
 */
export async function saveSqlite(path: string, to: string): Promise<void> {
  if (!existsSync(path)) return;
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    // all in one go: a write between two goes makes it begin again, for ever where others never rest
    await database.backup(to, { progress: () => ALL_PAGES });
  } finally {
    database.close();
  }
  const copy = new Database(to);
  copy.pragma('journal_mode = DELETE'); // one file, without its log beside it
  const found = copy.pragma('quick_check', { simple: true });
  copy.close();
  if (found !== 'ok') throw new RefuseToStart(`${path} is damaged: ${String(found)}`);
}

async function saveMariaDb(place: string, folder: string, signal: AbortSignal): Promise<void> {
  for (const store of STORES) await bringForward(store, place);
  await inSnapshot(place, async (from) => {
    for (const store of STORES) await saveStore(from, store, sqliteDatabases(folder)[store], signal);
  });
}

/** All stores as they were when the first row was read: https://mariadb.com/kb/en/start-transaction/. It may stand idle for long. */
export async function inSnapshot<T>(place: string, read: (from: Kysely<unknown>) => Promise<T>): Promise<T> {
  const db = openSql<unknown>(place);
  try {
    return await db.connection().execute(async (from) => {
      await sql`set session transaction isolation level repeatable read`.execute(from);
      await sql`set session idle_transaction_timeout = 0`.execute(from);
      await sql`start transaction with consistent snapshot`.execute(from);
      const answer = await read(from);
      await sql`commit`.execute(from);
      return answer;
    });
  } finally {
    await db.destroy();
  }
}

async function saveStore(
  from: Kysely<unknown>,
  store: (typeof STORES)[number],
  path: string,
  signal: AbortSignal,
): Promise<void> {
  await bringForward(store, path);
  const side = await openAlone(path);
  try {
    const tables = (await readTables(side.db)).filter((table) => !isOfHost(table));
    const copying: Copying = { from, to: side.db, tables, signal };
    await begin(side.db, store, 'backup');
    await copyTables(copying);
    const { differing } = await compareTables(copying);
    if (differing.length > 0) throw new Error(`the copy differs from MariaDB in ${differing.join(', ')}`);
    await end(copying, store);
  } finally {
    await side.close();
  }
}

/** More than a file can have, as a 32-bit number. */
const ALL_PAGES = 2 ** 31 - 1;
