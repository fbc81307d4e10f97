/**
 * All stores from one engine to the other: `sidelight migrate`. In: Config, with DATA_DIR and DATABASE_URL. Out: what was moved, table by
 * table. Safe to repeat: it goes on where it was killed, and refuses a target that has other data.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Config, sqliteDatabases } from '../../shared/config.ts';
import { RefuseToStart, RequestError } from '../../shared/errors.ts';
import { type DatabasePlace, isShared, redact } from '../../shared/sql.ts';
import { begin, begunFrom, type Copied, type Copying, compareTables, copyTables, end, startOver } from './copy.ts';
import type { Engine } from './engines.ts';
import { packLongTexts } from './long-texts.ts';
import { marked } from './mark.ts';
import { isEmpty } from './rows.ts';
import { closeAll, openAll, opened, type Side, type Sides } from './sides.ts';
import { bringForward, isOfHost, STORES, type StoreName } from './stores.ts';
import { isOwn, readTables, type Table } from './tables.ts';

export interface Watch {
  signal: AbortSignal;
  onRows?(store: StoreName, table: string, rows: number): void;
  /** Once nothing starts on the target any more, before the first row. */
  onBegun?(): Promise<void>;
}

/** Of one store. `was there`: the target had the same rows already. */
export interface Moved {
  store: StoreName;
  outcome: 'moved' | 'was there';
  sums: Copied['sums'];
}

/** Throws RequestError for engines that can't be meant, RefuseToStart while processes run and for a target that has other data. */
export async function migrate(
  config: Config,
  { from, to }: { from: Engine; to: Engine },
  watch: Watch,
): Promise<Moved[]> {
  if (from === to) throw new RequestError('same_engine', '--from and --to name the same engine');
  const [sources, targets] = [placesOf(config, from), placesOf(config, to)];
  const stores = STORES.filter((store) => isShared(sources[store]) || existsSync(sources[store]));
  if (stores.length === 0) throw new RefuseToStart(`there is no database in ${config.dataDir}: is DATA_DIR right?`);
  return moveAll(stores, { sources, targets }, watch);
}

export type Places = Record<StoreName, DatabasePlace>;

/** Everything is opened before the first row is copied, so that nobody starts in between. */
export async function moveAll(
  stores: readonly StoreName[],
  { sources, targets }: { sources: Places; targets: Places },
  watch: Watch,
): Promise<Moved[]> {
  for (const store of stores) {
    await bringForward(store, sources[store]);
    await bringForward(store, targets[store], { isTarget: true });
  }
  const sides = await openAll(stores.flatMap((store) => [sources[store], targets[store]]));
  try {
    const moves: Move[] = [];
    for (const store of stores) moves.push(await plan(store, sources[store], targets[store], { sides, watch }));
    const folder = stores.map((store) => targets[store]).find((place) => !isShared(place));
    return await marked(folder === undefined ? null : dirname(folder), () => carryOut(moves, watch));
  } finally {
    await closeAll(sides);
  }
}

/** Of one store, once it is known that nothing stands against it. */
interface Move {
  store: StoreName;
  copying: Copying;
  sides: { from: Side; to: Side };
  target: DatabasePlace;
  /** What a repeated one is known by. */
  known: string;
  isBegun: boolean;
  /** The target had the same rows already. */
  there: Moved | null;
}

/** All are begun before the first row is copied: a target with some stores in place and others not yet can be told from a whole one. */
async function carryOut(moves: readonly Move[], { onBegun }: Watch): Promise<Moved[]> {
  const fresh = moves.filter(({ there, isBegun }) => there === null && !isBegun);
  for (const { store, copying, known } of fresh) await begin(copying.to, store, known);
  await onBegun?.();
  await requireStillEmpty(fresh);
  const moved: Moved[] = [];
  for (const move of moves) moved.push(move.there ?? (await carryOutOne(move)));
  return moved;
}

/** Who came before it was begun was not refused: what it wrote would be gone when the move is repeated. */
async function requireStillEmpty(fresh: readonly Move[]): Promise<void> {
  try {
    for (const { sides, copying, target } of fresh) {
      await sides.to.requireAlone();
      if (!(await areEmpty(copying.to, copying.tables))) throw hasOtherData(target);
    }
  } catch (error) {
    for (const { store, copying } of fresh) await end(copying, store);
    throw error;
  }
}

/** Throws RefuseToStart where a process came to the source meanwhile: what it wrote would stay behind. Then it is to be repeated. */
async function carryOutOne({ store, copying, sides, target, isBegun }: Move): Promise<Moved> {
  const sums = await copyUntilSame(copying, isBegun, target);
  await sides.from.requireAlone();
  await end(copying, store);
  return { store, outcome: 'moved', sums };
}

/** Throws RefuseToStart for a target that has other data, before anything is written. */
async function plan(
  store: StoreName,
  source: DatabasePlace,
  target: DatabasePlace,
  { sides, watch }: { sides: Sides; watch: Watch },
): Promise<Move> {
  const [fromSide, toSide] = [opened(sides, source), opened(sides, target)];
  const [from, to] = [fromSide.db, toSide.db];
  const tables = (await readTables(isShared(source) ? to : from)).filter((table) => !isOfHost(table));
  await requireSameTables(tables, isShared(source) ? from : to, source);
  const onRows = watch.onRows;
  const copying: Copying = {
    ...{ from, to, tables, signal: watch.signal },
    ...(onRows === undefined ? {} : { onRows: (table: string, rows: number) => onRows(store, table, rows) }),
  };
  const begun = await begunFrom(to, store);
  const known = `${store} of ${redact(source)}`;
  const isFull = begun === null && !(await areEmpty(to, tables));
  const there = isFull ? await requireSameRows(store, target, copying) : null;
  if (begun !== null && begun !== known) {
    throw new RefuseToStart(
      `${redact(target)}: another move was begun there (${begun}); end it, or choose an empty database`,
    );
  }
  if (store === 'sources' && isShared(target) && there === null) await packLongTexts(from);
  return { store, copying, sides: { from: fromSide, to: toSide }, target, known, isBegun: begun !== null, there };
}

/** What was copied before the move was killed may have changed since: then all is copied again, once. */
async function copyUntilSame(copying: Copying, isRepeated: boolean, target: DatabasePlace): Promise<Copied['sums']> {
  await copyTables(copying);
  const { sums, differing } = await compareTables(copying);
  if (differing.length > 0 && isRepeated) {
    await startOver(copying);
    return copyUntilSame(copying, false, target);
  }
  if (differing.length > 0) {
    throw new Error(
      `${redact(target)} does not hold what was copied: ${differing.join(', ')} differ in rows or checksum`,
    );
  }
  return sums;
}

async function requireSameRows(store: StoreName, target: DatabasePlace, copying: Copying): Promise<Moved> {
  const { sums, differing } = await compareTables(copying);
  if (differing.length === 0) return { store, outcome: 'was there', sums };
  throw hasOtherData(target, differing);
}

function hasOtherData(target: DatabasePlace, tables: readonly string[] = []): RefuseToStart {
  const which = tables.length === 0 ? '' : ` (${tables.join(', ')})`;
  return new RefuseToStart(
    `${redact(target)} has other data${which}: a move needs an empty database, before Sidelight runs on it`,
  );
}

async function requireSameTables(
  tables: readonly Table[],
  mariaDb: Kysely<unknown>,
  source: DatabasePlace,
): Promise<void> {
  for (const { name, columns } of tables) {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = database() and table_name = ${name}`.execute(mariaDb);
    const there = rows.map((row) => row.name).sort();
    if (there.join() === [...columns].sort().join()) continue;
    throw new Error(
      `${name} has other columns in MariaDB than in SQLite: ${there.join(', ')} (moving ${redact(source)})`,
    );
  }
}

/** Tables of MariaDB that no store's SQLite form has: they would be left behind. */
export async function strangeTables(mariaDb: Kysely<unknown>, known: readonly Table[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = database() and table_type = 'BASE TABLE'`.execute(mariaDb);
  return rows.map(({ name }) => name).filter((name) => !isOwn(name) && !known.some((table) => table.name === name));
}

async function areEmpty(db: Kysely<unknown>, tables: readonly Table[]): Promise<boolean> {
  for (const table of tables) if (!(await isEmpty(db, table))) return false;
  return true;
}

function placesOf(config: Config, engine: Engine): Places {
  if (engine === 'sqlite') return sqliteDatabases(config.dataDir);
  if (isShared(config.databases.review)) return config.databases;
  throw new RequestError('no_database_url', 'DATABASE_URL is needed: mariadb://user:password@host:3306/name');
}
