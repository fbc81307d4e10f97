/**
 * The corpus: pages and their passages in one SQLite file, from which every index can be built again.
 * In: a page with its passages. Out: passages by id. Whole texts are not here but in the source store.
 */
import { z } from 'zod';
import { Hash, Passage } from '../../../shared/citation.ts';
import { openDatabase, type Schema } from '../../sqlite.ts';

/** `sourceKey`: the page's key in the source store, and its identity here. */
export const CorpusPage = z.object({ sourceKey: Hash, url: z.string(), title: z.string(), contentHash: Hash });
export type CorpusPage = z.infer<typeof CorpusPage>;

export const CorpusPassage = Passage.extend({ id: z.int(), pageId: z.int(), sourceKey: Hash });
export type CorpusPassage = z.infer<typeof CorpusPassage>;

export interface CorpusStore {
  /** Ids of the passages that `put` would replace: the page is here with another content. */
  outdated(page: CorpusPage): number[];
  /** Stores or replaces a page; a page with the same content is left as it is. Gives the ids of its passages in order. */
  put(page: CorpusPage, passages: Passage[]): number[];
  /** In the order of `ids`; ids of replaced passages are left out. */
  passages(ids: number[]): CorpusPassage[];
  /** Up to `limit` passage ids above `after`, ascending. */
  idsAfter(after: number, limit: number): number[];
  size(): { pages: number; passages: number };
  close(): void;
}

/** Throws RefuseToStart if the file is of a newer version. */
export function openCorpus(path: string): CorpusStore {
  const database = openDatabase(path, SCHEMA);
  const select = database.prepare(SELECT_PASSAGES);
  const selectOutdated = database.prepare(SELECT_OUTDATED).pluck();
  const selectAfter = database.prepare('SELECT id FROM passages WHERE id > ? ORDER BY id LIMIT ?').pluck();
  const count = database.prepare(COUNT);
  const put = createPut(database);
  return {
    outdated: (page) => z.array(z.int()).parse(selectOutdated.all(page)),
    put: (page, passages) => put.immediate(page, passages),
    passages: (ids) => z.array(CorpusPassage).parse(select.all(JSON.stringify(ids))),
    idsAfter: (after, limit) => z.array(z.int()).parse(selectAfter.all(after, limit)),
    size: () => z.object({ pages: z.int(), passages: z.int() }).parse(count.get()),
    close: () => database.close(),
  };
}

function createPut(database: ReturnType<typeof openDatabase>) {
  const selectIds = database.prepare(SELECT_IDS).pluck();
  const deletePage = database.prepare('DELETE FROM pages WHERE source_key = ?');
  const insertPage = database.prepare(INSERT_PAGE);
  const insertPassage = database.prepare(INSERT_PASSAGE);
  return database.transaction((page: CorpusPage, passages: Passage[]): number[] => {
    const present = z.array(z.int()).parse(selectIds.all(page));
    if (present.length > 0) return present;
    deletePage.run(page.sourceKey);
    const domain = URL.canParse(page.url) ? new URL(page.url).hostname : '';
    const pageId = insertPage.run({ ...page, domain, addedAt: new Date().toISOString() }).lastInsertRowid;
    return passages.map(({ text, start, end }, position) =>
      Number(insertPassage.run({ pageId, position, text, start, end }).lastInsertRowid),
    );
  });
}

/** AUTOINCREMENT: the id of a replaced passage, which an index may still hold for a moment, never names another one. */
const SCHEMA: Schema = {
  version: 1,
  sql: `
    CREATE TABLE IF NOT EXISTS pages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source_key TEXT NOT NULL UNIQUE,
      url TEXT NOT NULL,
      title TEXT NOT NULL,
      domain TEXT NOT NULL,
      content_hash TEXT NOT NULL,
      added_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS passages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      text TEXT NOT NULL,
      start INTEGER NOT NULL,
      "end" INTEGER NOT NULL,
      UNIQUE (page, position)
    ) STRICT;`,
};

const SELECT_PASSAGES = `
  SELECT passages.id, passages.page AS pageId, pages.source_key AS sourceKey, url, title, text, start, "end"
  FROM json_each(?) AS asked JOIN passages ON passages.id = asked.value JOIN pages ON pages.id = passages.page
  ORDER BY asked.key`;
const SELECT_OUTDATED = `
  SELECT passages.id FROM passages JOIN pages ON pages.id = passages.page
  WHERE source_key = @sourceKey AND content_hash <> @contentHash ORDER BY position`;
const SELECT_IDS = `
  SELECT passages.id FROM passages JOIN pages ON pages.id = passages.page
  WHERE source_key = @sourceKey AND content_hash = @contentHash ORDER BY position`;
const INSERT_PAGE = `
  INSERT INTO pages (source_key, url, title, domain, content_hash, added_at)
  VALUES (@sourceKey, @url, @title, @domain, @contentHash, @addedAt)`;
const INSERT_PASSAGE = `
  INSERT INTO passages (page, position, text, start, "end") VALUES (@pageId, @position, @text, @start, @end)`;
const COUNT = `
  SELECT (SELECT count(*) FROM pages) AS pages, (SELECT count(*) FROM passages) AS passages`;
