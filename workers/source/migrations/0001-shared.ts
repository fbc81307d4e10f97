/**
 * The tables that hosts may share. A file of an earlier version, of whatever age, is first brought to the last form that it had
 * without migrations, and then taken over.
 */
import { type Kysely, sql } from 'kysely';
import { isMariaDb } from '../../../shared/sql.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = isMariaDb(db) ? MARIADB : [...BEFORE, ...SQLITE, ...TAKEN_OVER];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const BEFORE = [
  'CREATE TABLE IF NOT EXISTS sources (key TEXT PRIMARY KEY, source TEXT NOT NULL, fetched_at INTEGER NOT NULL) STRICT',
  'CREATE TABLE IF NOT EXISTS texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT',
  'CREATE TABLE IF NOT EXISTS kept (hash TEXT PRIMARY KEY) STRICT',
  `CREATE TABLE IF NOT EXISTS given (
    key TEXT PRIMARY KEY, citation TEXT NOT NULL UNIQUE, source TEXT NOT NULL, given_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE IF NOT EXISTS links (
    key TEXT PRIMARY KEY, url TEXT NOT NULL, health TEXT NOT NULL, due_at INTEGER, said_at INTEGER NOT NULL DEFAULT 0
  ) STRICT`,
  'DROP INDEX IF EXISTS sources_text',
  'DROP INDEX IF EXISTS links_due',
  'ALTER TABLE sources RENAME TO sources_before',
  'ALTER TABLE links RENAME TO links_before',
];

const SQLITE = [
  `CREATE TABLE sources (
    position INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, content_hash TEXT, source TEXT NOT NULL,
    fetched_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX sources_content ON sources (content_hash)',
  `CREATE TABLE source_texts (
    hash TEXT PRIMARY KEY, body BLOB NOT NULL, kept INTEGER NOT NULL DEFAULT 0, loose_at INTEGER
  ) STRICT`,
  'CREATE INDEX source_texts_loose ON source_texts (loose_at) WHERE loose_at IS NOT NULL',
  `CREATE TABLE given_sources (
    key TEXT PRIMARY KEY, citation TEXT NOT NULL, body BLOB NOT NULL, given_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE links (
    key TEXT PRIMARY KEY, url TEXT NOT NULL, health TEXT NOT NULL, state TEXT NOT NULL, looked_at INTEGER NOT NULL,
    due_at INTEGER, said_at INTEGER NOT NULL, version INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX links_due ON links (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX links_state ON links (state)',
];

/** Rows of the first version have their text within. Texts stay as they are: `unpackText` reads both. */
const TAKEN_OVER = [
  `INSERT INTO source_texts (hash, body, kept)
    SELECT hash, CAST(text AS BLOB), EXISTS (SELECT 1 FROM kept WHERE kept.hash = texts.hash) FROM texts`,
  `INSERT OR IGNORE INTO source_texts (hash, body)
    SELECT source ->> '$.contentHash', CAST(source ->> '$.text' AS BLOB) FROM sources_before
    WHERE source ->> '$.kind' = 'readable' AND source ->> '$.text' IS NOT NULL`,
  `INSERT INTO sources (position, key, content_hash, source, fetched_at)
    SELECT rowid, key, source ->> '$.contentHash', json_remove(source, '$.text'), fetched_at FROM sources_before ORDER BY rowid`,
  'INSERT INTO given_sources SELECT key, citation, CAST(source AS BLOB), given_at FROM given',
  `INSERT INTO links
    SELECT key, url, health, iif(health ->> '$.correction' IS NULL, health ->> '$.state', 'corrected'),
      coalesce(health ->> '$.lookedAt', 0), due_at, said_at, 1 FROM links_before`,
  ...['sources_before', 'texts', 'kept', 'given', 'links_before'].map((table) => `DROP TABLE ${table}`),
  // what a version without migrations would refuse
  'PRAGMA user_version = 3',
];

const HASH = 'varchar(64) CHARACTER SET ascii COLLATE ascii_bin';
const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin';
/** One unique key a table: with two, processes that put the same row at once lock each other out. */
const MARIADB = [
  `CREATE TABLE IF NOT EXISTS sources (
    \`key\` ${HASH} PRIMARY KEY, position BIGINT NOT NULL AUTO_INCREMENT, content_hash ${HASH}, source LONGTEXT NOT NULL,
    fetched_at BIGINT NOT NULL, KEY sources_position (position), KEY sources_content (content_hash)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS source_texts (
    hash ${HASH} PRIMARY KEY, body LONGBLOB NOT NULL, kept TINYINT NOT NULL DEFAULT 0, loose_at BIGINT,
    KEY source_texts_loose (loose_at)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS given_sources (
    \`key\` ${HASH} PRIMARY KEY, citation ${HASH} NOT NULL, body LONGBLOB NOT NULL, given_at BIGINT NOT NULL
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS links (
    \`key\` ${HASH} PRIMARY KEY, url LONGTEXT NOT NULL, health LONGTEXT NOT NULL,
    state VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, looked_at BIGINT NOT NULL, due_at BIGINT,
    said_at BIGINT NOT NULL, version BIGINT NOT NULL, KEY links_due (due_at), KEY links_state (state)
  ) ${OPTIONS}`,
];
