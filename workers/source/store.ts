/**
 * Sources that were read, in one SQLite file that several processes open. In and out: `Source`, known by the hash of its
 * canonical URL, so that a page and its archived copy are one; a text that several addresses have is stored once. Beside them
 * lie responses, the health of links, and what people gave. Fetches nothing.
 */
import { z } from 'zod';
import { Source } from '../../shared/citation.ts';
import { hashCitation } from '../../shared/hash.ts';
import { openDatabase } from '../sqlite.ts';
import { GIVEN_SQL, type Given, openGiven } from './given.ts';
import { LINKS_SQL, type Links, openLinks } from './health-store.ts';
import { openResponses, RESPONSES_SQL, type Responses } from './responses.ts';
import { KEPT_SQL, openTexts, type Texts } from './texts.ts';

export interface SourceStore {
  /** Also what a person gave, by its own key. */
  get(key: string): Promise<Source | null>;
  /** Replaces what was known of the page; gives its key. A source without a URL can't be stored: see `sources.ts`. */
  put(source: Source): Promise<string>;
  /** What is known of the page, if it was fetched within the last `maxAgeMs` and no person has said anything of it since. */
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
  close(): void;
}

/** Creates the file if there is none. `keepBytes`: of responses. Throws RefuseToStart for one that a newer Sidelight wrote. */
export function openSourceStore(path: string, { keepBytes = KEEP_BYTES }: { keepBytes?: number } = {}): SourceStore {
  const database = openDatabase(path, SCHEMA);
  const select = database.prepare(`SELECT source, text FROM ${WITH_TEXT} WHERE key = ?`);
  const list = database.prepare(
    `SELECT sources.rowid AS position, source, text FROM ${WITH_TEXT} WHERE position > ? ORDER BY position LIMIT ?`,
  );
  const put = createPut(database);
  const [links, given] = [openLinks(database), openGiven(database)];
  const find = (key: string) => {
    const row = Row.optional().parse(select.get(key));
    return row === undefined ? null : toSource(row);
  };
  return {
    get: async (key) => find(key) ?? given.get(key),
    async put(source) {
      if (source.kind === 'readable' && source.given) throw new Error('what a person gave is no fetched page');
      const key = keyOf(source.url ?? '');
      put(key, source);
      return key;
    },
    async fresh(url, maxAgeMs) {
      const key = keyOf(url);
      const source = find(key);
      const fetchedAt = Date.parse(source?.fetchedAt ?? '');
      const isFresh = Date.now() - fetchedAt <= maxAgeMs && fetchedAt >= links.saidAt(url);
      return source !== null && isFresh ? { key, source } : null;
    },
    count: async () => Count.parse(database.prepare('SELECT count(*) AS count FROM sources').get()).count,
    pages: async (after, limit) =>
      Listed.parse(list.all(after, limit)).map(({ position, ...row }) => ({ position, source: toSource(row) })),
    texts: openTexts(database),
    responses: openResponses(database, keepBytes),
    links,
    given,
    close: () => database.close(),
  };
}

/** A text that no page has any more goes, unless it is kept. */
function createPut(database: ReturnType<typeof openDatabase>): (key: string, source: Source) => void {
  const keep = database.prepare('INSERT INTO texts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const upsert = database.prepare(
    'INSERT INTO sources (key, source, fetched_at) VALUES (:key, :source, :fetchedAt) ' +
      'ON CONFLICT (key) DO UPDATE SET source = excluded.source, fetched_at = excluded.fetched_at',
  );
  const before = database.prepare(`SELECT ${HASH} FROM sources WHERE key = ?`).pluck();
  const forget = database.prepare(
    `DELETE FROM texts WHERE hash = :hash AND NOT EXISTS (SELECT 1 FROM sources WHERE ${HASH} = :hash) ` +
      'AND NOT EXISTS (SELECT 1 FROM kept WHERE hash = :hash)',
  );
  return database.transaction((key: string, source: Source) => {
    const hash = before.get(key);
    const { text = null, ...rest } = source.kind === 'readable' ? source : { ...source, text: null };
    if (source.kind === 'readable') keep.run(source.contentHash, text);
    upsert.run({ key, source: JSON.stringify(rest), fetchedAt: Date.parse(source.fetchedAt) });
    forget.run({ hash });
  }).immediate;
}

/** Rows of the first version have their text within. */
function toSource({ source, text }: z.infer<typeof Row>): Source {
  const stored: unknown = JSON.parse(source);
  return Source.parse(text === null ? stored : { ...Object(stored), text });
}

/** The same as the hash of a citation of that URL. */
function keyOf(url: string): string {
  return hashCitation({ url, text: '' });
}

const HASH = "source ->> '$.contentHash'";
const WITH_TEXT = `sources LEFT JOIN texts ON texts.hash = ${HASH}`;
const SCHEMA = {
  version: 2,
  sql: `
CREATE TABLE IF NOT EXISTS sources (key TEXT PRIMARY KEY, source TEXT NOT NULL, fetched_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS sources_text ON sources (${HASH});
${KEPT_SQL}
${RESPONSES_SQL}
${LINKS_SQL}
${GIVEN_SQL}`,
};
const KEEP_BYTES = 1024 ** 3;
const Row = z.object({ source: z.string(), text: z.string().nullable() });
const Listed = z.array(Row.extend({ position: z.int() }));
const Count = z.object({ count: z.int() });
