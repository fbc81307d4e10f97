/**
 * Which page the corpus has already: by address, by its words, or nearly by its words. In: pages in their order. Out: the
 * earlier page that a page repeats. What is known lies in tables of the corpus: memory does not grow, a restart goes on.
 */

import { z } from 'zod';
import { hashText } from '../../../shared/hash.ts';
import type { Database } from '../../../shared/sql/better-sqlite3.ts';
import { canonicalUrl } from '../../../shared/url.ts';
import { bands, containment, digestText, resemblance, type TextDigest } from './duplicates-sketch.ts';

export interface Duplicate {
  /** The same canonical URL, the same words, or nearly the same words. */
  kind: 'url' | 'content' | 'near';
  /** The page that stays: of several, the one that was remembered with the smallest id. */
  pageId: number;
}

export interface Duplicates {
  /** The page that `page` repeats; null if it is new. Depends on the order in which pages were remembered, and on nothing else. */
  find(page: { url: string; text: string }): Duplicate | null;
  /** Remembers a page that stays. An id that is known is replaced. */
  remember(pageId: number, page: { url: string; text: string }): void;
  /** A page that leaves the corpus. Unknown ids are no error. */
  forget(pageId: number): void;
}

/** Creates its tables where they are missing. Opens no transaction: several calls are one step inside the caller's. */
export function openDuplicates(database: Database): Duplicates {
  database.exec(SCHEMA);
  const digest = rememberLast();
  const byUrl = database.prepare('SELECT page FROM duplicate_pages WHERE url = ? ORDER BY page LIMIT 1').pluck();
  const byContent = database
    .prepare('SELECT page FROM duplicate_pages WHERE content = ? ORDER BY page LIMIT 1')
    .pluck();
  const near = prepareNear(database);
  const write = prepareWrite(database);
  return {
    find({ url, text }) {
      const sameUrl = Id.parse(byUrl.get(hashUrl(url)));
      if (sameUrl !== undefined) return { kind: 'url', pageId: sameUrl };
      const digested = digest(text);
      const sameContent = Id.parse(byContent.get(digested.content));
      if (sameContent !== undefined) return { kind: 'content', pageId: sameContent };
      const pageId = near(digested);
      return pageId === null ? null : { kind: 'near', pageId };
    },
    remember(pageId, { url, text }) {
      write.forget(pageId);
      write.remember(pageId, hashUrl(url), digest(text));
    },
    forget: write.forget,
  };
}

/** `find` and `remember` are called with the same text, one after the other: it is digested once. */
function rememberLast(): (text: string) => TextDigest {
  let last: { text: string; digest: TextDigest } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, digest: digestText(text) };
    return last.digest;
  };
}

function prepareNear(database: Database): (digest: TextDigest) => number | null {
  const inBand = database.prepare('SELECT page FROM duplicate_bands WHERE key = ? ORDER BY page LIMIT ?').pluck();
  const select = database.prepare('SELECT shingles, numbers FROM duplicate_pages WHERE page = ?');
  return (digest) => {
    const candidates = bands(digest.shingles).flatMap((key) => Ids.parse(inBand.all(key, BAND_CANDIDATES)));
    const found = [...new Set(candidates)].sort((a, b) => a - b);
    return found.find((page) => isNear(digest, toSketches(select.get(page)))) ?? null;
  };
}

/**
 * Numbers are compared by themselves: pages that a template fills (a census, a season's matches) have nearly all their
 * shingles in common and are about different things. Those that one page has beyond the other's don't part them: a date of
 * update, a count of comments.
 */
function isNear(a: Sketches, b: Sketches): boolean {
  return resemblance(a.shingles, b.shingles) >= SAME && containment(a.numbers, b.numbers) >= SAME;
}

function prepareWrite(database: Database) {
  const select = database.prepare('SELECT shingles, numbers FROM duplicate_pages WHERE page = ?');
  const insertPage = database.prepare(
    'INSERT INTO duplicate_pages (page, url, content, shingles, numbers) VALUES (?, ?, ?, ?, ?)',
  );
  const insertBand = database.prepare('INSERT OR IGNORE INTO duplicate_bands (key, page) VALUES (?, ?)');
  const deletePage = database.prepare('DELETE FROM duplicate_pages WHERE page = ?');
  const deleteBand = database.prepare('DELETE FROM duplicate_bands WHERE key = ? AND page = ?');
  return {
    remember(page: number, url: string, { content, shingles, numbers }: TextDigest) {
      insertPage.run(page, url, content, toBlob(shingles), toBlob(numbers));
      for (const key of bands(shingles)) insertBand.run(key, page);
    },
    forget(page: number) {
      const known = select.get(page);
      if (known === undefined) return;
      for (const key of bands(toSketches(known).shingles)) deleteBand.run(key, page);
      deletePage.run(page);
    },
  };
}

type Sketches = Pick<TextDigest, 'shingles' | 'numbers'>;

/** What is no http(s) URL counts as it is written. */
function hashUrl(url: string): string {
  return hashText(canonicalUrl(url) ?? url);
}

function toSketches(row: unknown): Sketches {
  const { shingles, numbers } = Row.parse(row);
  return { shingles: fromBlob(shingles), numbers: fromBlob(numbers) };
}

function toBlob(sketch: Uint32Array): Buffer {
  return Buffer.from(sketch.buffer, sketch.byteOffset, sketch.byteLength);
}

/** SQLite's buffers need not be aligned to 4 bytes: copied. */
function fromBlob(blob: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(blob).buffer);
}

const Id = z.int().optional();
const Ids = z.array(z.int());
const Row = z.object({ shingles: z.instanceof(Uint8Array), numbers: z.instanceof(Uint8Array) });

/**
 * About one changed word in a hundred: a changed word takes 5 shingles with it and brings 5 others, so the same page with
 * another notice stays above, and a page that tells the same story in part does not. Resemblance, not containment: an
 * article that stands whole inside a long page of several is a source of its own, and a better one.
 */
const SAME = 0.9;
/** Pages of one template share a band by the thousand; more of them are not looked at. */
const BAND_CANDIDATES = 32;

/** Numbers and shingles are kept as sketches (`duplicates-sketch.ts`): at most 2.3 kB a page. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS duplicate_pages (
    page INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    content TEXT NOT NULL,
    shingles BLOB NOT NULL,
    numbers BLOB NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS duplicate_pages_url ON duplicate_pages (url);
  CREATE INDEX IF NOT EXISTS duplicate_pages_content ON duplicate_pages (content);
  CREATE TABLE IF NOT EXISTS duplicate_bands (
    key INTEGER NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (key, page)
  ) STRICT, WITHOUT ROWID;`;
