/**
 * What tables a store has, as its SQLite form says: migrations give both engines the same ones. In: an open SQLite database. Out: its
 * tables in an order in which rows can be written. Nothing is named here, so that a new table is not forgotten.
 */
import { type Kysely, sql } from 'kysely';

export interface Table {
  name: string;
  columns: readonly string[];
  /** Columns that name a row. */
  key: readonly string[];
  /** Rows get numbers by themselves: the next one is copied too, so that no number comes twice. */
  isNumbered: boolean;
  /** Triggers write it: what they wrote while rows were copied goes first. */
  isKept: boolean;
}

/** Those that others refer to come first, those that triggers write last. Throws for a table without a key. */
export async function readTables(db: Kysely<unknown>): Promise<Table[]> {
  const { rows: found } = await sql<{ name: string; type: string; sql: string }>`
    select name, type, sql from sqlite_master where type in ('table', 'trigger') and name not like 'sqlite_%' order by name`.execute(
    db,
  );
  const triggers = found.filter(({ type }) => type === 'trigger').map((trigger) => trigger.sql);
  const tables = found.filter(({ type, name }) => type === 'table' && !OWN.test(name));
  const read = await Promise.all(tables.map((table) => readTable(db, table, triggers)));
  return inOrder(read).sort((a, b) => Number(a.isKept) - Number(b.isKept));
}

/** What migrations and moves keep for themselves. */
export function isOwn(name: string): boolean {
  return OWN.test(name);
}

interface Referring extends Table {
  refersTo: readonly string[];
}

async function readTable(
  db: Kysely<unknown>,
  table: { name: string; sql: string },
  triggers: readonly string[],
): Promise<Referring> {
  const { name } = table;
  const columns = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(db);
  const references = await sql<{ table: string }>`select "table" from pragma_foreign_key_list(${name})`.execute(db);
  const primary = columns.rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const key = primary.length > 0 ? primary.map((column) => column.name) : await uniqueKey(db, name);
  return {
    name,
    columns: columns.rows.map((column) => column.name),
    key,
    isNumbered: /autoincrement/i.test(table.sql),
    isKept: triggers.some((text) => new RegExp(`insert\\s+(or\\s+\\w+\\s+)?into\\s+["\`]?${name}\\b`, 'i').test(text)),
    refersTo: references.rows.map((reference) => reference.table).filter((other) => other !== name),
  };
}

/** Of a table without a primary key: columns that together name a row, none of which may be null. */
async function uniqueKey(db: Kysely<unknown>, table: string): Promise<string[]> {
  const { rows } = await sql<{ index: string; name: string }>`
    select i.name as "index", c.name from pragma_index_list(${table}) as i, pragma_index_info(i.name) as c
    where i."unique" and not i.partial order by i.name, c.seqno`.execute(db);
  const { rows: strict } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where "notnull"`.execute(db);
  for (const index of new Set(rows.map((row) => row.index))) {
    const names = rows.filter((row) => row.index === index).map(({ name }) => name);
    if (names.every((name) => strict.some((column) => column.name === name))) return names;
  }
  throw new Error(`${table} has no key: its rows can't be copied in order`);
}

function inOrder(tables: readonly Referring[]): Referring[] {
  const ordered: Referring[] = [];
  const place = (table: Referring): void => {
    if (ordered.includes(table)) return;
    for (const other of tables) if (table.refersTo.includes(other.name)) place(other);
    ordered.push(table);
  };
  for (const table of tables) place(table);
  return ordered;
}

const OWN = /^(kysely_\w+|\w*_?migrations?(_lock)?|moving)$/;
