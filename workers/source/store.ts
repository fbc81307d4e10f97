/**
 * Sources that were read, in a SQLite file that several processes open, or a MariaDB that all hosts share. In and out: `Source`, known
 * by the hash of its canonical URL, so that a page and its archived copy are one; a text that several addresses have is stored once.
 * Beside them lie the health of links and what people gave; responses lie on each host. Fetches nothing.
 */
import type { Kysely } from 'kysely';
import { Source } from '../../shared/citation.ts';
import { hashCitation } from '../../shared/hash.ts';
import { openStore, type StoreKind } from '../../shared/sql/stores.ts';
import { type DatabasePlace, isShared, openSql, repeated } from '../../shared/sql.ts';
import { type Given, openGiven } from './given.ts';
import { type Links, openLinks } from './health-store.ts';
import * as shared from './migrations/0001-shared.ts';
import { unpackText } from './packed-text.ts';
import { migrateResponses, openResponses, type Responses, type ResponseTables } from './responses.ts';
import type { SourceTables } from './tables.ts';
import { openTexts, type StoredTexts, type Texts } from './texts.ts';

export interface SourceStore {
  /** Also what a person gave, by its own key. */
  get(key: string): Promise<Source | null>;
  /** Replaces what was known of the page; gives its key. A source without a URL can't be stored: see `sources.ts`. */
  put(source: Source): Promise<string>;
  /**
   * What is known of the page, if it was fetched within the last `maxAgeMs` and no person has said anything of it since. Null for what
   * bears a time to come, by a clock that was wrong: nobody knows how old it is, and a requeue would take it for read since.
   */
  fresh(url: string, maxAgeMs: number): Promise<{ key: string; source: Source } | null>;
  count(): Promise<number>;
  /**
   * Up to `limit` sources after a position (0: from the first), in the order in which their pages were first put. Never what a
   * person gave.
   */
  pages(after: number, limit: number): Promise<{ position: number; source: Source }[]>;
  texts: Texts;
  responses: Responses;
  links: Links;
  given: Given;
  close(): Promise<void>;
}

export interface SourceStoreOptions {
  /** Of responses. */
  keepBytes?: number;
  /** SQLite file of this host for responses, where the sources are in a MariaDB; else they lie in the file of the sources. */
  responsesFile?: string;
  /** How long a text stays that no page has any more: longer than any process takes to put a source. */
  looseMs?: number;
}

/** Makes the file if there is none. Throws as openStore does; every verb TransientError where the database is away, busy or full. */
export async function openSourceStore(place: DatabasePlace, options: SourceStoreOptions = {}): Promise<SourceStore> {
  const { keepBytes = KEEP_BYTES, looseMs = LOOSE_MS, responsesFile } = options;
  const db = await openStore<SourceTables & ResponseTables>(place, SOURCE_STORE, { durable: false });
  const own = isShared(place) ? openSql<ResponseTables>(responsesFile ?? ':memory:', { durable: false }) : db;
  const close = async () => void (await Promise.all([db, own].map((one) => one.destroy())));
  try {
    await migrateResponses(own);
  } catch (error) {
    await close();
    throw error;
  }
  const [links, given, texts] = [openLinks(db), openGiven(db), openTexts(db, looseMs)];
  return {
    ...openSources(db, { links, given, texts }),
    texts,
    responses: openResponses(own, keepBytes),
    links,
    given,
    close,
  };
}

interface Beside {
  links: Links;
  given: Given;
  texts: StoredTexts;
}

function openSources(
  db: Kysely<SourceTables>,
  { links, given, texts }: Beside,
): Pick<SourceStore, 'get' | 'put' | 'fresh' | 'count' | 'pages'> {
  const find = async (key: string) => {
    const row = await withText(db).where('key', '=', key).executeTakeFirst();
    return row === undefined ? null : toSource(row);
  };
  return {
    get: async (key) => (await find(key)) ?? given.get(key),
    async put(source) {
      if (source.kind === 'readable' && source.given) throw new Error('what a person gave is no fetched page');
      const key = keyOf(source.url ?? '');
      await repeated(() => put(db, texts, key, source));
      return key;
    },
    async fresh(url, maxAgeMs) {
      const key = keyOf(url);
      const [source, saidAt] = await Promise.all([find(key), links.saidAt(url)]);
      const fetchedAt = Date.parse(source?.fetchedAt ?? '');
      const age = Date.now() - fetchedAt;
      const isFresh = age <= maxAgeMs && age >= -APART_MS && fetchedAt >= saidAt;
      return source !== null && isFresh ? { key, source } : null;
    },
    async count() {
      const { count } = await db
        .selectFrom('sources')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async pages(after, limit) {
      const rows = await withText(db).where('position', '>', after).orderBy('position').limit(limit).execute();
      const read = await Promise.all(
        rows.map(async (row) => ({ position: row.position, source: await toSource(row) })),
      );
      return read.flatMap(({ position, source }) => (source === null ? [] : [{ position, source }]));
    },
  };
}

/** The text before the source that names it, and each by itself: done in part it has changed nothing, and may be done again. */
async function put(db: Kysely<SourceTables>, texts: StoredTexts, key: string, source: Source): Promise<void> {
  const before = await db.selectFrom('sources').select('content_hash').where('key', '=', key).executeTakeFirst();
  const { text, ...rest } = source.kind === 'readable' ? source : { ...source, text: null };
  const hash = source.kind === 'readable' ? source.contentHash : null;
  if (hash !== null) await texts.put(hash, text ?? '');
  const values = { content_hash: hash, source: JSON.stringify(rest), fetched_at: Date.parse(source.fetchedAt) };
  await db
    .insertInto('sources')
    .values({ key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
  const old = before?.content_hash ?? null;
  if (old !== null && old !== hash) await texts.loosen(old);
}

function withText(db: Kysely<SourceTables>) {
  return db
    .selectFrom('sources')
    .leftJoin('source_texts', 'source_texts.hash', 'sources.content_hash')
    .select(['position', 'content_hash', 'source', 'body']);
}

/** A page whose text is lost is not known: it is fetched again. */
async function toSource(row: { content_hash: string | null; source: string; body: Buffer | null }) {
  const stored: unknown = JSON.parse(row.source);
  if (row.content_hash === null) return Source.parse(stored);
  return row.body === null ? null : Source.parse({ ...Object(stored), text: await unpackText(row.body) });
}

/** The same as the hash of a citation of that URL. */
function keyOf(url: string): string {
  return hashCitation({ url, text: '' });
}

export const SOURCE_STORE: StoreKind = {
  migrations: { '0001-shared': shared },
  table: 'source_migrations',
  fileVersion: 3,
};
const KEEP_BYTES = 1024 ** 3;
const LOOSE_MS = 10 * 60 * 1000;
/** Clocks that are kept right are no further apart. */
const APART_MS = 10_000;
