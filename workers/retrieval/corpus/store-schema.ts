/** The tables of a generation's corpus. AUTOINCREMENT: the id of a replaced passage, which an arm may still hold for a moment, never names another one. */
import type { Schema } from '../../sqlite.ts';

/** A passage is a stretch of its page's text: words are kept once, and compressed (to .43 of their size on web pages). */
export const SCHEMA: Schema = {
  version: 2,
  sql: `
    CREATE TABLE IF NOT EXISTS pages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      canonical_url TEXT NOT NULL UNIQUE,
      source_key TEXT,
      url TEXT NOT NULL,
      title TEXT NOT NULL,
      domain TEXT NOT NULL,
      language TEXT NOT NULL,
      crawled_at TEXT,
      published_at TEXT,
      content_hash TEXT NOT NULL,
      deflated_text BLOB NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS passages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      page INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      start INTEGER NOT NULL,
      "end" INTEGER NOT NULL,
      UNIQUE (page, position)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS shards (shard INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS shard_size (passages INTEGER NOT NULL, divided INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS inputs (
      name TEXT PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      position INTEGER NOT NULL,
      finished INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS left_out (
      input TEXT NOT NULL,
      why TEXT NOT NULL,
      code TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (input, why, code)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS broken (
      input TEXT NOT NULL,
      position INTEGER NOT NULL,
      code TEXT NOT NULL,
      detail TEXT NOT NULL,
      PRIMARY KEY (input, position)
    ) STRICT;`,
};
