/** Rows of any table, a batch at a time in the order of its key. In: an open database, of either engine. Out: rows, or a sum of them. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Table } from './tables.ts';

export type Value = string | number | null | Uint8Array;
export type Row = Record<string, Value>;
/** The key of the last row that was read. */
export type Place = readonly Value[];

/** All rows behind a place (null: from the first), at most about `BATCH_BYTES` at a time. */
export async function* batches(db: Kysely<unknown>, table: Table, after: Place | null): AsyncGenerator<Row[]> {
  let place = after;
  let limit = FIRST_ROWS;
  for (;;) {
    const rows = await readAfter(db, table, place, limit);
    yield* inStatements(rows);
    if (rows.length < limit) return;
    place = placeOf(table, rows);
    const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0) / rows.length;
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor(BATCH_BYTES / Math.max(1, bytes))));
  }
}

/** Cut where they become too many bytes for one statement. A row that is that by itself stands alone. */
function* inStatements(rows: readonly Row[]): Generator<Row[]> {
  let piece: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = sizeOf(row);
    if (piece.length > 0 && bytes + more > BATCH_BYTES) {
      yield piece;
      [piece, bytes] = [[], 0];
    }
    piece.push(row);
    bytes += more;
  }
  if (piece.length > 0) yield piece;
}

/** Of the last of some rows. */
export function placeOf(table: Table, rows: readonly Row[]): Place {
  const last = rows.at(-1) ?? {};
  return table.key.map((column) => last[column] ?? null);
}

export async function insert(db: Kysely<unknown>, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => row[column] ?? null))})`);
  await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(db);
}

export async function isEmpty(db: Kysely<unknown>, table: Table): Promise<boolean> {
  return (await readAfter(db, table, null, 1)).length === 0;
}

export interface Sum {
  rows: number;
  /** Of all values of all rows, in whatever order they were read. */
  sha256: string;
}

/** The same on both engines for the same rows. */
export async function sumOf(db: Kysely<unknown>, table: Table): Promise<Sum> {
  let rows = 0;
  let total = 0n;
  for await (const batch of batches(db, table, null)) {
    rows += batch.length;
    for (const row of batch) total = (total + digest(table, row)) % 2n ** 256n;
  }
  return { rows, sha256: total.toString(16).padStart(64, '0') };
}

async function readAfter(db: Kysely<unknown>, table: Table, after: Place | null, limit: number): Promise<Row[]> {
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const order = sql.join(table.key.map((column) => sql.ref(column)));
  const behind = after === null ? sql`1 = 1` : isBehind(table.key, after);
  const found = await sql<Row>`
    select ${columns} from ${sql.table(table.name)} where ${behind} order by ${order} limit ${sql.lit(limit)}`.execute(
    db,
  );
  return found.rows;
}

/** Rows are compared column by column: MariaDB reads no range of an index for `(a, b) > (?, ?)`. */
function isBehind([column = '', ...others]: readonly string[], [value = null, ...rest]: Place): ReturnType<typeof sql> {
  const first = sql.ref(column);
  if (others.length === 0) return sql`${first} > ${value}`;
  return sql`${first} >= ${value} and (${first} > ${value} or (${isBehind(others, rest)}))`;
}

function digest(table: Table, row: Row): bigint {
  const hash = createHash('sha256');
  for (const column of table.columns) {
    const value = row[column] ?? null;
    const text = value instanceof Uint8Array ? `x${Buffer.from(value).toString('hex')}` : JSON.stringify(value);
    hash.update(`${text.length}:${text}`);
  }
  return BigInt(`0x${hash.digest('hex')}`);
}

function sizeOf(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + (value instanceof Uint8Array ? 2 * value.length : 8); // a statement holds bytes as hexadecimal digits
  }, 0);
}

/** Well below what a server takes as one statement by default (max_allowed_packet, 16 MB). */
const BATCH_BYTES = 4 * 1024 ** 2;
const FIRST_ROWS = 20;
const MOST_ROWS = 500;
