/**
 * What the lists of wikis say of sites, as it was last imported: a SQLite file, or a MariaDB that all hosts share, that the bot writes
 * and the workers read. In: whole lists. Out: what stands there for an address, with the list's revision, from a copy in memory that
 * is renewed when a list is. Fetches nothing.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ImportedList } from '../../../shared/reliability.ts';
import { openStore, type StoreKind } from '../../../shared/sql/stores.ts';
import { type DatabasePlace, transact } from '../../../shared/sql.ts';
import * as shared from './migrations/0001-shared.ts';
import { createSiteLists, type EntryRow, type SiteLists } from './site-lists.ts';
import type { ReliabilityTables } from './tables.ts';

export interface ReliabilityStore {
  /** As they stand now, for all wikis. One look at the database, and no more where nothing was imported since. */
  current(): Promise<SiteLists>;
  /** Puts the lists of one place (a key of who imports) as they are now in the place of what was there. All or nothing. */
  replace(wiki: string, place: string, lists: readonly ImportedList[]): Promise<void>;
  /** Forgets what was imported from any other place. */
  keepOnly(wiki: string, places: readonly string[]): Promise<void>;
  lists(wiki: string): Promise<ListSummary[]>;
  close(): Promise<void>;
}

export interface ListSummary {
  home: string;
  title: string;
  revision: number;
  date: string;
  /** ISO time of the import. */
  fetchedAt: string;
  entries: number;
  patterns: number;
  skipped: string[];
}

/** Throws as openStore does; every verb TransientError where the database is away or full. */
export async function openReliabilityStore(place: DatabasePlace): Promise<ReliabilityStore> {
  const db = await openStore<ReliabilityTables>(place, RELIABILITY_STORE, { durable: false });
  return {
    current: createCurrent(db),
    replace: (wiki, place, lists) => transact(db, (trx) => replace(trx, wiki, place, lists), { turn: 'reliability' }),
    keepOnly: (wiki, places) => transact(db, (trx) => keepOnly(trx, wiki, places), { turn: 'reliability' }),
    lists: (wiki) => readSummaries(db, wiki),
    close: () => db.destroy(),
  };
}

function createCurrent(db: Kysely<ReliabilityTables>): ReliabilityStore['current'] {
  let known: { version: string; lists: Promise<SiteLists> } | null = null;
  return async () => {
    const version = await readVersion(db);
    if (known?.version === version) return known.lists;
    const lists = readLists(db);
    known = { version, lists };
    return lists.catch((error: unknown) => {
      known = null; // is read again by the next who asks
      throw error;
    });
  };
}

/** Changes with each import. What is imported while lists are read is read the next time. */
async function readVersion(db: Kysely<ReliabilityTables>): Promise<string> {
  const { count, last } = await db
    .selectFrom('site_lists')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
    .executeTakeFirstOrThrow();
  return `${count} ${last}`;
}

async function readLists(db: Kysely<ReliabilityTables>): Promise<SiteLists> {
  const about = ['site_lists.id', 'wiki', 'home', 'title', 'revision', day] as const;
  const entries = await db
    .selectFrom('site_lists')
    .innerJoin('site_entries', 'site_entries.list', 'site_lists.id')
    .select([...about, 'kind', 'domain', 'path', 'status', 'user_generated'])
    .orderBy('site_lists.id')
    .orderBy('site_entries.id')
    .execute();
  const patterns = await db
    .selectFrom('site_lists')
    .innerJoin('site_patterns', 'site_patterns.list', 'site_lists.id')
    .select([...about, 'about', 'effect', 'pattern'])
    .orderBy('site_lists.id')
    .orderBy('site_patterns.id')
    .execute();
  const toEntry = ({ user_generated, ...row }: (typeof entries)[number]): EntryRow => {
    return { ...row, userGenerated: user_generated === 1 };
  };
  return createSiteLists(entries.map(toEntry), patterns);
}

async function replace(
  trx: Transaction<ReliabilityTables>,
  wiki: string,
  place: string,
  lists: readonly ImportedList[],
): Promise<void> {
  await trx.deleteFrom('site_lists').where('wiki', '=', wiki).where('place', '=', place).execute();
  for (const { entries, patterns, skipped, ...about } of lists) {
    const row = { ...about, wiki, place, fetched_at: new Date().toISOString(), skipped: JSON.stringify(skipped) };
    const { id: list } = await trx.insertInto('site_lists').values(row).returning('id').executeTakeFirstOrThrow();
    const toRow = ({ userGenerated, ...entry }: (typeof entries)[number]) => {
      return { list, ...entry, user_generated: userGenerated ? (1 as const) : (0 as const) };
    };
    for (const some of inParts(entries)) await trx.insertInto('site_entries').values(some.map(toRow)).execute();
    for (const some of inParts(patterns)) {
      await trx
        .insertInto('site_patterns')
        .values(some.map((pattern) => ({ list, ...pattern })))
        .execute();
    }
  }
}

async function keepOnly(trx: Transaction<ReliabilityTables>, wiki: string, places: readonly string[]): Promise<void> {
  const all = trx.deleteFrom('site_lists').where('wiki', '=', wiki);
  await (places.length === 0 ? all : all.where('place', 'not in', [...places])).execute();
}

async function readSummaries(db: Kysely<ReliabilityTables>, wiki: string): Promise<ListSummary[]> {
  const countOf = (table: 'site_entries' | 'site_patterns') =>
    sql<number>`(select count(*) from ${sql.table(table)} where list = site_lists.id)`;
  const rows = await db
    .selectFrom('site_lists')
    .select(['home', 'title', 'revision', day, 'fetched_at as fetchedAt', 'skipped'])
    .select([countOf('site_entries').as('entries'), countOf('site_patterns').as('patterns')])
    .where('wiki', '=', wiki)
    .orderBy('id')
    .execute();
  return rows.map(({ skipped, ...row }) => ({ ...row, skipped: JSON.parse(skipped) }));
}

/** What one statement takes. */
function inParts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / ROWS) }, (_, at) => all.slice(at * ROWS, (at + 1) * ROWS));
}

const day = sql<string>`substr(timestamp, 1, 10)`.as('date');
const ROWS = 500;
export const RELIABILITY_STORE: StoreKind = {
  migrations: { '0001-shared': shared },
  table: 'reliability_migrations',
  fileVersion: 2,
};
