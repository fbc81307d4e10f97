/**
 * The corpus of one generation: pages and their passages in one SQLite file, from which both arms can be built again.
 * In: a page with its passages. Out: passages by id, whole pages. Neither the words nor the vectors of a passage are here.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { Hash, Passage } from '../../../shared/citation.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { openDatabase } from '../../sqlite.ts';
import { openDuplicates } from './duplicates.ts';
import { PageRecord } from './page-record.ts';
import { openPages, type StoredPage } from './store-pages.ts';
import { openPassages } from './store-passages.ts';
import { SCHEMA } from './store-schema.ts';
import { type IdRange, openShardRanges } from './store-shards.ts';

/** `sourceKey`: the page's key in the source store; null for one that this installation has not fetched. */
export const CorpusPage = PageRecord.extend({ sourceKey: Hash.nullable() });
export type CorpusPage = z.infer<typeof CorpusPage>;

/** A passage without its words: enough to merge rankings, and much cheaper to read. */
export const PassagePlace = Passage.omit({ text: true }).extend({
  id: z.int(),
  pageId: z.int(),
  sourceKey: Hash.nullable(),
  /** Host name without `www.`. */
  domain: z.string(),
  language: z.string(),
  crawledAt: z.iso.datetime().nullable(),
  publishedAt: z.iso.date().nullable(),
  /** 0 for the page's first. */
  position: z.int().nonnegative(),
});
export type PassagePlace = z.infer<typeof PassagePlace>;

export type CorpusPassage = PassagePlace & { text: string };

export type { IdRange, StoredPage };

export interface CorpusStore {
  /** The page that is here already, by address, words or nearly the same words; null for a new one. */
  duplicate(page: Pick<CorpusPage, 'url' | 'text'>): { kind: 'url' | 'content' | 'near'; pageId: number } | null;
  /** Ids of the passages that `put` would replace: a page of that canonical URL is here with another title or text. */
  outdated(page: CorpusPage): number[];
  /**
   * Stores or replaces the page of that canonical URL; of one with the same title and text, only the dates change. Gives the
   * ids of its passages in order. Looks at no other duplicate.
   */
  put(page: CorpusPage, passages: Passage[]): number[];
  /** In the order of `ids`; ids of replaced passages are left out. */
  passages(ids: number[]): CorpusPassage[];
  /** As `passages`, without the words. */
  places(ids: number[]): PassagePlace[];
  /** A whole page: `text.slice(start, end)` of each of its passages is that passage. Null if it was replaced. */
  page(pageId: number): StoredPage | null;
  /** Up to `limit` passage ids above `after`, ascending. */
  idsAfter(after: number, limit: number): number[];
  size(): { pages: number; passages: number };
  /** The id ranges of the dense shards, ascending; the last one is open. At least one. */
  shards(): IdRange[];
  /** Shares all ids out to `shards` ranges of one size, once: before vectors are made. Does nothing the second time. */
  divide(shards: number): void;
  /** The file, for what else is kept in it: one transaction can span pages and progress. */
  readonly database: Database;
  close(): void;
}

export interface CorpusOptions {
  /** How many passages a dense shard has before the next begins. Of the first opening: later ones find it in the file. */
  shardPassages?: number;
}

/** Creates the file if there is none. Throws RefuseToStart if it is of another version. */
export function openCorpus(path: string, { shardPassages = SHARD_PASSAGES }: CorpusOptions = {}): CorpusStore {
  refuseOlder(path);
  const database = openDatabase(path, SCHEMA);
  const duplicates = openDuplicates(database);
  const shards = openShardRanges(database, shardPassages);
  const pages = openPages(database);
  const passages = openPassages(database, pages);
  const put = database.transaction((page: CorpusPage, split: Passage[]): number[] => {
    const { pageId, state } = pages.put(page);
    if (state === 'same') return passages.ofPage(pageId);
    duplicates.remember(pageId, page);
    const ids = passages.add(pageId, split);
    shards.extend(ids);
    return ids;
  });
  const selectSize = database.prepare(SELECT_SIZE);
  return {
    duplicate: duplicates.find,
    outdated: pages.outdated,
    put: (page, split) => put.immediate(page, split),
    passages: passages.get,
    places: passages.places,
    page: pages.get,
    idsAfter: passages.idsAfter,
    size: () => z.object({ pages: z.int(), passages: z.int() }).parse(selectSize.get()),
    shards: shards.ranges,
    divide: shards.divide,
    database,
    close: () => database.close(),
  };
}

/** Files of version 1 lie in another folder and hold no whole texts: there is nothing to go on with. */
function refuseOlder(path: string): void {
  if (!existsSync(path)) return;
  const database = new Database(path, { readonly: true });
  const found = Number(database.pragma('user_version', { simple: true }));
  database.close();
  if (found === 0 || found >= SCHEMA.version) return;
  throw new RefuseToStart(`${path} is of version ${found}: \`sidelight corpus build\` the generation again.`);
}

/** What one process searches exactly in about 100 ms: deploy/decisions/dense-index.md. */
export const SHARD_PASSAGES = 1_000_000;

const SELECT_SIZE = `
  SELECT (SELECT count(*) FROM pages) AS pages, (SELECT count(*) FROM passages) AS passages`;
