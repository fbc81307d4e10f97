/**
 * A place opened for moving: one connection that nobody else writes beside. In: a place. Out: Kysely, and a handle that closes it. A
 * process that still runs on it is a refusal, since what it writes would stay behind.
 */
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { RefuseToStart } from '../../shared/errors.ts';
import { sqliteCode } from '../../shared/sql/sqlite-errors.ts';
import { type DatabasePlace, isShared, openSql, redact } from '../../shared/sql.ts';

export interface Side {
  db: Kysely<unknown>;
  close(): Promise<void>;
}

/** Throws RefuseToStart while another process has it open. */
export function openAlone(place: DatabasePlace): Promise<Side> {
  return isShared(place) ? openMariaDbAlone(place) : openSqliteAlone(place);
}

/**
 * Whoever has the file open holds it in write-ahead mode, so that only who is alone can leave that
 * (https://sqlite.org/wal.html#activating_and_configuring_wal_mode); in exclusive mode nobody gets in until it is closed.
 */
async function openSqliteAlone(path: string): Promise<Side> {
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (error) {
    database.close();
    if (!sqliteCode(error).startsWith('SQLITE_BUSY')) throw error;
    throw new RefuseToStart(
      `${path} is open in another process: stop the bot, the workers and the review service first`,
    );
  }
  database.pragma('foreign_keys = ON');
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  return {
    db,
    async close() {
      await db.destroy();
      database.close(); // Kysely closes only what it has used
    },
  };
}

async function openMariaDbAlone(place: string): Promise<Side> {
  const db = openSql<unknown>(place);
  try {
    for (const untilMs of LAST_WORDS_MS) {
      if ((await others(db)) === 0) return { db, close: () => db.destroy() };
      await wait(untilMs);
    }
  } catch (error) {
    await db.destroy();
    throw error;
  }
  await db.destroy();
  throw new RefuseToStart(
    `other processes are connected to ${redact(place)}: stop the bot, the workers and the review service first`,
  );
}

/** Our account sees its own connections, which all processes of Sidelight use. */
async function others(db: Kysely<unknown>): Promise<number> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ others: number }>`
      select count(*) as others from information_schema.processlist
      where db = database() and id <> connection_id() and command <> 'Killed'`.execute(connection);
    return rows[0]?.others ?? 0;
  });
}

/** How long the server may take to notice that a connection was closed. */
const LAST_WORDS_MS = [100, 200, 400, 800, 1600] as const;
