/**
 * A place opened for moving: one connection that nobody else writes beside. In: a place. Out: Kysely, and a handle that closes it. A
 * process that still runs on it is a refusal, since what it writes would stay behind.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { RefuseToStart } from '../../shared/errors.ts';
import { Database } from '../../shared/sql/better-sqlite3.ts';
import { sqliteCode } from '../../shared/sql/sqlite-errors.ts';
import { type DatabasePlace, isShared, openSql, redact } from '../../shared/sql.ts';

export interface Side {
  db: Kysely<unknown>;
  /** Once more, where nothing keeps others out. Throws RefuseToStart while another process has it open. */
  requireAlone(): Promise<void>;
  close(): Promise<void>;
}

/** Throws RefuseToStart while another process has it open. */
export function openAlone(place: DatabasePlace): Promise<Side> {
  return isShared(place) ? openMariaDbAlone(place) : openSqliteAlone(place);
}

export type Sides = Map<DatabasePlace, Side>;

/** Each place once. */
export async function openAll(places: readonly DatabasePlace[]): Promise<Sides> {
  const sides: Sides = new Map();
  try {
    for (const place of places) if (!sides.has(place)) sides.set(place, await openAlone(place));
  } catch (error) {
    await closeAll(sides);
    throw error;
  }
  return sides;
}

export async function closeAll(sides: Sides): Promise<void> {
  for (const side of sides.values()) await side.close();
}

export function opened(sides: Sides, place: DatabasePlace): Side {
  const side = sides.get(place);
  if (side === undefined) throw new Error(`${redact(place)} was not opened`);
  return side;
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
    requireAlone: async () => undefined, // nobody gets in
    async close() {
      await db.destroy();
      database.close(); // Kysely closes only what it has used
    },
  };
}

async function openMariaDbAlone(place: string): Promise<Side> {
  const db = openSql<unknown>(place);
  const side: Side = { db, requireAlone: () => requireNobody(db, place), close: () => db.destroy() };
  try {
    await side.requireAlone();
    return side;
  } catch (error) {
    await side.close();
    throw error;
  }
}

async function requireNobody(db: Kysely<unknown>, place: string): Promise<void> {
  for (const untilMs of LAST_WORDS_MS) {
    if ((await others(db)) === 0) return;
    await wait(untilMs);
  }
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
