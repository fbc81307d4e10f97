/**
 * Sources that were read, in one SQLite file that several processes open. In and out: `Source`, known by the hash of its
 * canonical URL, so that a page and its archived copy are one. Fetches nothing.
 */
import { z } from 'zod';
import { Source } from '../../shared/citation.ts';
import { hashCitation } from '../../shared/hash.ts';
import { openDatabase } from '../sqlite.ts';

export interface SourceStore {
  get(key: string): Promise<Source | null>;
  /** Replaces what was known of the page; gives its key. A source without a URL can't be stored: see `sources.ts`. */
  put(source: Source): Promise<string>;
  /** What is known of the page, if it was fetched within the last `maxAgeMs`. */
  fresh(url: string, maxAgeMs: number): Promise<{ key: string; source: Source } | null>;
  count(): Promise<number>;
  /** Up to `limit` sources after a position (0: from the first), in the order in which their pages were first put. */
  pages(after: number, limit: number): Promise<{ position: number; source: Source }[]>;
  close(): void;
}

/** Creates the file if there is none. Throws RefuseToStart for one that a newer Sidelight wrote. */
export function openSourceStore(path: string): SourceStore {
  const database = openDatabase(path, SCHEMA);
  const select = database.prepare('SELECT source, fetched_at FROM sources WHERE key = ?');
  const upsert = database.prepare(
    'INSERT INTO sources (key, source, fetched_at) VALUES (:key, :source, :fetchedAt) ' +
      'ON CONFLICT (key) DO UPDATE SET source = excluded.source, fetched_at = excluded.fetched_at',
  );
  const list = database.prepare('SELECT rowid AS position, source FROM sources WHERE rowid > ? ORDER BY rowid LIMIT ?');
  const find = (key: string) => {
    const row = Row.optional().parse(select.get(key));
    return row === undefined ? null : Source.parse(JSON.parse(row.source));
  };
  return {
    get: async (key) => find(key),
    async put(source) {
      const key = keyOf(source.url ?? '');
      upsert.run({ key, source: JSON.stringify(source), fetchedAt: Date.parse(source.fetchedAt) });
      return key;
    },
    async fresh(url, maxAgeMs) {
      const key = keyOf(url);
      const source = find(key);
      return source !== null && Date.now() - Date.parse(source.fetchedAt) <= maxAgeMs ? { key, source } : null;
    },
    count: async () => Count.parse(database.prepare('SELECT count(*) AS count FROM sources').get()).count,
    pages: async (after, limit) =>
      Listed.parse(list.all(after, limit)).map(({ position, source }) => ({
        position,
        source: Source.parse(JSON.parse(source)),
      })),
    close: () => database.close(),
  };
}

/** The same as the hash of a citation of that URL. */
function keyOf(url: string): string {
  return hashCitation({ url, text: '' });
}

const SCHEMA = {
  version: 1,
  sql: 'CREATE TABLE IF NOT EXISTS sources (key TEXT PRIMARY KEY, source TEXT NOT NULL, fetched_at INTEGER NOT NULL) STRICT',
};
const Row = z.object({ source: z.string() });
const Listed = z.array(z.object({ position: z.int(), source: z.string() }));
const Count = z.object({ count: z.int() });
