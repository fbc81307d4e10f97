/**
 * A store of an installation: its database opened, and its tables brought forward, by whoever comes first. In: a place, and how its
 * tables came about. Out: Kysely, or a refusal: here is asked whether there is a whole database that this program knows.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Kysely, type Migration, sql } from 'kysely';
import { RefuseToStart } from '../errors.ts';
import { type DatabasePlace, isShared, migrateSql, openSql, redact, type SqlOptions } from '../sql.ts';

/** How the tables of a store came about. */
export interface StoreKind {
  migrations: Record<string, Migration>;
  /** Keeps which of them were run. */
  table: string;
  /** `user_version` of its SQLite files from before they had migrations: the first one raises it, and newer ones are refused. */
  fileVersion?: number;
}

interface StoreOptions extends SqlOptions {
  /** For who moves something into it: a move into it may have been begun. */
  isTarget?: boolean;
}

/**
 * Throws RefuseToStart for a place into which a move was begun and not ended, where what people did would be lost when it is repeated,
 * and for one that a newer version has migrated; TransientError where it is away or full. Makes no file where it refuses.
 */
export async function openStore<Schema>(
  place: DatabasePlace,
  { migrations, table, fileVersion }: StoreKind,
  { isTarget = false, ...options }: StoreOptions = {},
): Promise<Kysely<Schema>> {
  if (!isTarget) refuseHalfFilled(place);
  const db = openSql<Schema>(place, options);
  try {
    if (!isTarget && isShared(place) && (await begunStores(db)).length > 0) throw halfMoved(redact(place));
    if (fileVersion !== undefined && !isShared(place)) await refuseNewerFile(db, place, fileVersion);
    await migrateSql(db, migrations, { table });
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Stands in a folder of SQLite files while they are moved or restored: all of them are whole, or none is used. */
export function markOfMove(folder: string): string {
  return join(folder, 'half-moved');
}

/** Throws RefuseToStart for a SQLite file in a folder that a move or a restore has not filled to its end. */
export function refuseHalfFilled(place: DatabasePlace): void {
  if (isShared(place)) return;
  const mark = markOfMove(dirname(place));
  if (existsSync(mark)) throw halfMoved(mark);
}

/** Stores of which a move into this database was begun and not ended. */
async function begunStores<Schema>(to: Kysely<Schema>): Promise<string[]> {
  const tables = await to.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'moving')) return [];
  const { rows } = await sql<{ name: string }>`select name from moving where name like ${begun('%')}`.execute(to);
  return rows.map(({ name }) => name.slice(begun('').length));
}

/** Stands in the table `moving` for the move of a store as a whole: no table is called so. */
export function begun(store: string): string {
  return `*${store}`;
}

function halfMoved(what: string): RefuseToStart {
  return new RefuseToStart(
    `${what}: a move into it was begun and not ended: repeat \`sidelight migrate\` (or \`restore\`) as it was begun`,
  );
}

async function refuseNewerFile<Schema>(db: Kysely<Schema>, path: string, known: number): Promise<void> {
  const { rows } = await sql<{ user_version: number }>`PRAGMA user_version`.execute(db);
  const found = rows[0]?.user_version ?? 0;
  if (found > known)
    throw new RefuseToStart(`${path} is of version ${found}, this program knows ${known}: update Sidelight.`);
}
