/**
 * What is kept in SQL, in a file of SQLite or in a MariaDB that all hosts share. In: a place. Out: Kysely, and the few verbs that
 * differ between both. Tables and queries live beside who asks.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, type Migration, Migrator, type QueryExecutorProvider, sql, type Transaction } from 'kysely';
import { RefuseToStart, TransientError } from './errors.ts';
import { MariaDbAdapter, mariaDbDialect } from './sql/mariadb.ts';
import { SqlConflict } from './sql/mariadb-errors.ts';
import { sqliteDialect } from './sql/sqlite.ts';

/** Path of a SQLite file, or `mariadb://user:password@host:port/name`, which is never logged. */
export type DatabasePlace = string;

export interface SqlOptions {
  /** What was acknowledged outlives a loss of power; default true. MariaDB itself decides that for all. */
  durable?: boolean;
}

/**
 * Connects on first use. All that is written for SQLite holds on both: `onConflict` is translated, `returning` of inserts works, text
 * compares byte for byte, sums are numbers, JSON columns are text. Errors that pass by themselves are TransientError.
 */
export function openSql<Schema>(place: DatabasePlace, { durable = true }: SqlOptions = {}): Kysely<Schema> {
  if (isShared(place)) return known(new Kysely<Schema>({ dialect: mariaDbDialect(place) }), place);
  mkdirSync(dirname(place), { recursive: true });
  return known(new Kysely<Schema>({ dialect: sqliteDialect(place, durable) }), place);
}

/** Of a transaction too. */
export function isMariaDb(db: QueryExecutorProvider): boolean {
  return db.getExecutor().adapter instanceof MariaDbAdapter;
}

/** Whether a place is a MariaDB that other hosts reach too. */
export function isShared(place: DatabasePlace): boolean {
  return place.startsWith('mariadb://');
}

/**
 * A transaction that reads what it changes. On SQLite transactions wait for each other where they begin; on MariaDB those with the same
 * `turn` do, of all hosts; without one, rows are locked as MariaDB does it (read committed). One that MariaDB rolled back for another's
 * sake (a deadlock) is repeated: `work` changes nothing but the database. Throws TransientError if its turn doesn't come.
 */
export async function transact<Schema, T>(
  db: Kysely<Schema>,
  work: (trx: Transaction<Schema>) => Promise<T>,
  { turn }: { turn?: string } = {},
): Promise<T> {
  if (!isMariaDb(db)) return db.transaction().execute(work);
  return repeated(() => (turn === undefined ? db.transaction().execute(work) : inTurn(db, turn, work)));
}

/** Reads that see the database as it was at one moment, whatever others write meanwhile. */
export function atOneMoment<Schema, T>(db: Kysely<Schema>, read: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(read);
}

/** Repeats what MariaDB rolled back for another's sake, a statement or a whole transaction. TransientError once that is of no use. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SqlConflict) || attempt === ATTEMPTS) throw error;
      await wait(Math.random() * Math.min(20 * 2 ** attempt, 1000));
    }
  }
}

/**
 * Brings a database forward, one process at a time however many start at once. Throws RefuseToStart for one that a newer version has
 * migrated further. On MariaDB a migration that was killed is run again, so that its statements must bear that: tables, columns and
 * indexes that are there already are left alone.
 */
export async function migrateSql<Schema>(
  db: Kysely<Schema>,
  migrations: Record<string, Migration>,
  { table }: { table: string },
): Promise<void> {
  const place = places.get(db) ?? '';
  const done = await migrationsOf(db, table);
  refuseNewer(done, migrations, place);
  if (Object.keys(migrations).every((name) => done.includes(name))) return;
  if (!isShared(place)) return migrate(db, migrations, table);
  // a column of a large table takes longer than any query may
  const patient = new Kysely<Schema>({ dialect: mariaDbDialect(place, { connections: 1, statementMs: 0 }) });
  try {
    await repeated(() => migrate(patient, migrations, table));
  } finally {
    await patient.destroy();
  }
}

async function migrate<Schema>(
  db: Kysely<Schema>,
  migrations: Record<string, Migration>,
  table: string,
): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const names = { migrationTableName: table, migrationLockTableName: `${table}_lock` };
  const { error } = await new Migrator({ db, provider, ...names }).migrateToLatest();
  if (error !== undefined) throw error;
}

async function migrationsOf<Schema>(db: Kysely<Schema>, table: string): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === table)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Kysely would say so too, but only in a message's words. */
function refuseNewer(done: readonly string[], migrations: Record<string, Migration>, place: DatabasePlace): void {
  const unknown = done.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  const other = isShared(place) ? 'DATABASE_URL to another database' : 'DATA_DIR to another folder';
  throw new RefuseToStart(
    `${redact(place)} was written by a newer version (migration ${unknown}): update Sidelight, or set ${other}.`,
  );
}

/** Only one connection of a process waits for a turn, so that others are left for reading. */
async function inTurn<Schema, T>(
  db: Kysely<Schema>,
  turn: string,
  work: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  const queues = turns.get(db) ?? new Map<string, Promise<unknown>>();
  turns.set(db, queues);
  const before = queues.get(turn) ?? Promise.resolve();
  const mine = before.then(
    () => holding(db, turn, work),
    () => holding(db, turn, work),
  );
  queues.set(turn, mine);
  return mine;
}

/** https://mariadb.com/kb/en/get_lock/: ends with its connection, so that whoever is killed or cut off hands it on. */
async function holding<Schema, T>(
  db: Kysely<Schema>,
  turn: string,
  work: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    const name = sql`md5(concat(database(), ${` ${turn}`}))`;
    const { rows } = await sql<{ got: number | null }>`select get_lock(${name}, ${TURN_S}) as got`.execute(connection);
    if (rows[0]?.got !== 1) throw new TransientError(`others write without end: no turn (${turn}) in ${TURN_S} s`);
    try {
      return await connection.transaction().execute(work);
    } finally {
      // a connection that is gone holds nothing
      await sql`select release_lock(${name})`.execute(connection).catch(() => undefined);
    }
  });
}

/** What messages may show of a place: no password. */
export function redact(place: DatabasePlace): string {
  return isShared(place) ? `${new URL(place).host}${new URL(place).pathname}` : place;
}

function known<Schema>(db: Kysely<Schema>, place: DatabasePlace): Kysely<Schema> {
  places.set(db, place);
  return db;
}

const places = new WeakMap<object, DatabasePlace>();
const turns = new WeakMap<object, Map<string, Promise<unknown>>>();
const ATTEMPTS = 10;
const TURN_S = 20;
