/** Stores with something in every table, for tests of moving them: what people do by its own verbs, the rest made up by type. */
import { type Kysely, sql } from 'kysely';
import { isEmpty } from '../../deploy/moving/rows.ts';
import { openAlone } from '../../deploy/moving/sides.ts';
import { bringForward, STORES, type StoreName } from '../../deploy/moving/stores.ts';
import { readTables, type Table } from '../../deploy/moving/tables.ts';
import { sqliteDatabases } from '../../shared/config.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { createDecisions } from '../../workers/review/decisions.ts';
import { createFindings } from '../../workers/review/findings.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { aPerson, decideAs, findingOf } from '../workers/review/store.ts';

/** Every table of every store has rows, in SQLite files of `dataDir`. */
export async function fillStores(dataDir: string, { findings = 30, sources = 40 } = {}): Promise<void> {
  const places = sqliteDatabases(dataDir);
  await decideOnSome(places.review, findings);
  await readSome(places.sources, sources);
  for (const store of STORES) {
    await bringForward(store, places[store]);
    const { db, close } = await openAlone(places[store]);
    for (const table of await readTables(db)) if (await isEmpty(db, table)) await makeUp(db, table);
    await close();
  }
}

/** The tables of every store, as SQLite has them. */
export async function tablesOf(dataDir: string): Promise<Record<StoreName, Table[]>> {
  const tables: Partial<Record<StoreName, Table[]>> = {};
  for (const store of STORES) {
    const { db, close } = await openAlone(sqliteDatabases(dataDir)[store]);
    tables[store] = await readTables(db);
    await close();
  }
  // every store was opened
  return tables as Record<StoreName, Table[]>;
}

/** Accepted, rejected, put off, taken back, looked at; long words and odd letters among them. */
async function decideOnSome(place: string, count: number): Promise<void> {
  const db = await openReviewDatabase(place);
  const findings = createFindings(db);
  for (let at = 0; at < count; at += 1)
    await findings.record(findingOf(`The mill ${at} at Tåsø – “Ørrin” 🏭 closed in ${1900 + at}.`));
  await decideAs(db, 'Ada', 1, { decision: 'accept' });
  await decideAs(db, 'Bob', 2, { decision: 'reject', comment: 'The source says so on page 4; 100 % \\ \' " sure.' });
  await decideAs(db, 'Ada', 3, { decision: 'accept' });
  const decisions = createDecisions(db);
  const ada = await aPerson(db, 'Ada');
  await decisions.undo(3, ada);
  await decisions.take(4, ada);
  await db.destroy();
}

async function readSome(place: string, count: number): Promise<void> {
  const store = await openSourceStore(place);
  for (let at = 0; at < count; at += 1) {
    const [url, fetchedAt] = [`https://orrin.example/${at}`, new Date(1_700_000_000_000 + at * 1000).toISOString()];
    await store.put({ kind: 'unavailable', url, reason: 'dead', detail: 'HTTP 404', fetchedAt });
  }
  await store.close();
}

/** Two rows, by the types of the columns; what refers to another table takes a row that is there. */
async function makeUp(db: Kysely<unknown>, table: Table): Promise<void> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info(${table.name})`.execute(db);
  const { rows: references } = await sql<{ from: string; table: string; to: string | null }>`
    select "from", "table", "to" from pragma_foreign_key_list(${table.name})`.execute(db);
  for (const turn of [1, 2]) {
    const values: unknown[] = [];
    for (const { name, type } of columns) {
      const reference = references.find((one) => one.from === name);
      values.push(
        reference === undefined ? madeUp(type, turn, name) : await nth(db, reference.table, reference.to ?? 'id', turn),
      );
    }
    const names = sql.join(columns.map(({ name }) => sql.ref(name)));
    await sql`insert into ${sql.table(table.name)} (${names}) values (${sql.join(values)})`.execute(db);
  }
}

function madeUp(type: string, turn: number, name: string): unknown {
  const kind = type.toLowerCase();
  if (kind === 'json') return JSON.stringify({ turn, text: 'é🏭' });
  if (kind.includes('int')) return turn;
  if (/real|double|float|numeric|decimal/.test(kind)) return turn / 3;
  if (kind.includes('blob') || kind.includes('binary')) return Buffer.from([0, 255, 39, 92, turn]);
  const length = Number(/\((\d+)\)/.exec(kind)?.[1] ?? 40);
  return `${turn}${name}`.slice(0, length);
}

async function nth(db: Kysely<unknown>, table: string, column: string, turn: number): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.ref(column)} from ${sql.table(table)} order by 1 limit 1 offset ${turn - 1}`.execute(db);
  return rows[0]?.[column];
}
