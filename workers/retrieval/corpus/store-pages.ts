/** The pages of the corpus. In: records. Out: whole pages. Passages belong to store-passages.ts. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { Hash } from '../../../shared/citation.ts';
import { hashText } from '../../../shared/hash.ts';
import type { Database } from '../../../shared/sql/better-sqlite3.ts';
import { canonicalUrl } from '../../../shared/url.ts';
import { PageRecord } from './page-record.ts';
import type { CorpusPage } from './store.ts';

/** Dates as the input gave them. */
const StoredPage = PageRecord.extend({
  id: z.int(),
  sourceKey: Hash.nullable(),
  /** Host name without `www.`. */
  domain: z.string(),
  /** Of `text`, as of a source's. */
  contentHash: Hash,
});
export type StoredPage = z.infer<typeof StoredPage>;

export interface Pages {
  outdated(page: CorpusPage): number[];
  /** `same`: title and text are what they were. A page that is replaced keeps its id and loses its passages. */
  put(page: CorpusPage): { pageId: number; state: 'new' | 'replaced' | 'same' };
  get(pageId: number): StoredPage | null;
}

export function openPages(database: Database): Pages {
  const select = database.prepare(SELECT);
  const outdated = database.prepare(SELECT_OUTDATED).pluck();
  return {
    outdated: ({ url, title, text }) =>
      z.array(z.int()).parse(outdated.all({ canonicalUrl: canonical(url), title, contentHash: hashText(text) })),
    put: preparePut(database),
    get: (pageId) => {
      const row = select.get(pageId);
      return row === undefined ? null : toPage(row);
    },
  };
}

function preparePut(database: Database): Pages['put'] {
  const find = database.prepare('SELECT id, title, content_hash AS contentHash FROM pages WHERE canonical_url = ?');
  const insert = database.prepare(INSERT);
  const update = database.prepare(UPDATE);
  const touch = database.prepare(TOUCH);
  const deletePassages = database.prepare('DELETE FROM passages WHERE page = ?');
  return (page) => {
    const row = toRow(page);
    const known = Known.optional().parse(find.get(row.canonicalUrl));
    if (known === undefined) return { pageId: Number(insert.run(row).lastInsertRowid), state: 'new' };
    const pageId = known.id;
    if (known.title === row.title && known.contentHash === row.contentHash) {
      touch.run({ ...row, pageId });
      return { pageId, state: 'same' };
    }
    update.run({ ...row, pageId });
    deletePassages.run(pageId);
    return { pageId, state: 'replaced' };
  };
}

function toRow({ text, ...page }: CorpusPage) {
  return {
    ...page,
    canonicalUrl: canonical(page.url),
    domain: new URL(page.url).hostname.replace(/^www\./, ''),
    contentHash: hashText(text),
    deflatedText: deflateRawSync(text),
  };
}

/** What is no http(s) URL is no page: see PageRecord. */
function canonical(url: string): string {
  return canonicalUrl(url) ?? url;
}

function toPage(row: unknown): StoredPage {
  const { deflatedText, ...page } = Row.parse(row);
  return StoredPage.parse({ ...page, text: inflateRawSync(deflatedText).toString() });
}

const Known = z.object({ id: z.int(), title: z.string(), contentHash: z.string() });
const Row = z.looseObject({ deflatedText: z.instanceof(Uint8Array) });

const SELECT = `
  SELECT id, source_key AS sourceKey, url, title, domain, language, crawled_at AS crawledAt, published_at AS publishedAt,
    content_hash AS contentHash, deflated_text AS deflatedText
  FROM pages WHERE id = ?`;
const SELECT_OUTDATED = `
  SELECT passages.id FROM passages JOIN pages ON pages.id = passages.page
  WHERE canonical_url = @canonicalUrl AND (content_hash <> @contentHash OR title <> @title) ORDER BY position`;
const INSERT = `
  INSERT INTO pages (canonical_url, source_key, url, title, domain, language, crawled_at, published_at, content_hash,
    deflated_text)
  VALUES (@canonicalUrl, @sourceKey, @url, @title, @domain, @language, @crawledAt, @publishedAt, @contentHash,
    @deflatedText)`;
const UPDATE = `
  UPDATE pages SET source_key = coalesce(@sourceKey, source_key), url = @url, title = @title, domain = @domain,
    language = @language, crawled_at = @crawledAt, published_at = @publishedAt, content_hash = @contentHash,
    deflated_text = @deflatedText
  WHERE id = @pageId`;
const TOUCH = `
  UPDATE pages SET source_key = coalesce(@sourceKey, source_key), crawled_at = @crawledAt, published_at = @publishedAt
  WHERE id = @pageId`;
