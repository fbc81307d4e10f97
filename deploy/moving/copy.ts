/**
 * The rows of a store's tables, from one open database to another. In: both. Out: what was copied, by table. How far it came stands in
 * the target (table `moving`), written with the rows, so that a copy that was killed goes on where it was.
 */
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { begun } from '../../shared/sql/stores.ts';
import { isMariaDb, transact } from '../../shared/sql.ts';
import { batches, insert, type Place, placeOf, type Row, type Sum, sumOf } from './rows.ts';
import type { Table } from './tables.ts';

export interface Copying {
  from: Kysely<unknown>;
  to: Kysely<unknown>;
  tables: readonly Table[];
  signal: AbortSignal;
  /** After each batch, with the rows of the table so far in this run. */
  onRows?(table: string, rows: number): void;
}

/** The copied tables with their rows and checksums. Those that differ from the source are in `differing`. */
export interface Copied {
  sums: Record<string, Sum>;
  differing: string[];
}

export async function copyTables(copying: Copying): Promise<void> {
  for (const table of copying.tables) await copyTable(copying, table);
}

/** Reads everything on both sides. */
export async function compareTables({ from, to, tables, signal }: Copying): Promise<Copied> {
  const sums: Copied['sums'] = {};
  const differing: string[] = [];
  for (const table of tables) {
    signal.throwIfAborted();
    const [source, target] = [await sumOf(from, table), await sumOf(to, table)];
    sums[table.name] = target;
    if (source.rows !== target.rows || source.sha256 !== target.sha256) differing.push(table.name);
  }
  return { sums, differing };
}

/** Null where no move of that store was begun; else where it came from. */
export async function begunFrom(to: Kysely<unknown>, store: string): Promise<string | null> {
  const tables = await to.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'moving')) return null;
  const { rows } = await sql<{ source: string }>`select source from moving where name = ${begun(store)}`.execute(to);
  return rows[0]?.source ?? null;
}

/** `source`: what a repeated move is known by. */
export async function begin(to: Kysely<unknown>, store: string, source: string): Promise<void> {
  await sql`create table if not exists moving (
    name varchar(64) primary key, source varchar(500) not null, place text)`.execute(to);
  await sql`insert into moving (name, source, place) values (${begun(store)}, ${source}, null)`.execute(to);
}

/** Forgets the move of that store; another one's may have been begun in the same database. */
export async function end({ to, tables }: Pick<Copying, 'to' | 'tables'>, store: string): Promise<void> {
  for (const name of [...tables.map((table) => table.name), begun(store)]) {
    await sql`delete from moving where name = ${name}`.execute(to);
  }
  const { rows } = await sql<{ name: string }>`select name from moving limit 1`.execute(to);
  if (rows.length === 0) await sql`drop table moving`.execute(to);
}

/** Empties the tables and forgets how far they came, so that all is copied again. */
export async function startOver({ to, tables }: Pick<Copying, 'to' | 'tables'>): Promise<void> {
  for (const table of [...tables].reverse()) await sql`delete from ${sql.table(table.name)}`.execute(to);
  for (const table of tables) await sql`delete from moving where name = ${table.name}`.execute(to);
}

async function copyTable(copying: Copying, table: Table): Promise<void> {
  const { from, to, signal, onRows } = copying;
  const after = await reached(to, table);
  if (after === null && table.isKept) await sql`delete from ${sql.table(table.name)}`.execute(to);
  let rows = 0;
  for await (const batch of batches(from, table, after)) {
    signal.throwIfAborted();
    await write(to, table, batch);
    rows += batch.length;
    onRows?.(table.name, rows);
  }
  if (table.isNumbered) await copyNumber(from, to, table);
}

async function write(to: Kysely<unknown>, table: Table, batch: readonly Row[]): Promise<void> {
  const place = JSON.stringify(placeOf(table, batch).map(toJson));
  await transact(to, async (trx) => {
    await insert(trx, table, batch);
    await sql`delete from moving where name = ${table.name}`.execute(trx);
    await sql`insert into moving (name, source, place) values (${table.name}, '', ${place})`.execute(trx);
  });
}

async function reached(to: Kysely<unknown>, table: Table): Promise<Place | null> {
  const { rows } = await sql<{ place: string }>`select place from moving where name = ${table.name}`.execute(to);
  return rows[0] === undefined ? null : StoredPlace.parse(JSON.parse(rows[0].place));
}

function toJson(value: Place[number]): string | number | null | { hex: string } {
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;
}

const StoredPlace = z.array(
  z.union([
    z.string(),
    z.number(),
    z.null(),
    z.object({ hex: z.string() }).transform(({ hex }) => Buffer.from(hex, 'hex')),
  ]),
);

/** A number that was given away is not given again, though its row is gone. */
async function copyNumber(from: Kysely<unknown>, to: Kysely<unknown>, table: Table): Promise<void> {
  const next = await nextNumber(from, table.name);
  if (next === null) return;
  if (isMariaDb(to)) {
    await sql`alter table ${sql.table(table.name)} auto_increment = ${sql.lit(next)}`.execute(to);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table.name}`.execute(to);
  await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${next - 1})`.execute(to);
}

async function nextNumber(from: Kysely<unknown>, name: string): Promise<number | null> {
  if (!isMariaDb(from)) {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${name}`.execute(from);
    return rows[0] === undefined ? null : rows[0].seq + 1;
  }
  const { rows } = await sql<{ next: number | null }>`
    select auto_increment as next from information_schema.tables
    where table_schema = database() and table_name = ${name}`.execute(from);
  return rows[0]?.next ?? null;
}
