/** The tables that hosts may share. A file of the version without migrations is taken over. */
import { type Kysely, sql } from 'kysely';
import { isMariaDb } from '../../../../shared/sql.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = isMariaDb(db) ? MARIADB : [...BEFORE, ...SQLITE, ...TAKEN_OVER];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const BEFORE = [
  `CREATE TABLE IF NOT EXISTS list (
    id INTEGER PRIMARY KEY, wiki TEXT NOT NULL, place TEXT NOT NULL, home TEXT NOT NULL, title TEXT NOT NULL,
    kind TEXT NOT NULL, revision INTEGER NOT NULL, timestamp TEXT NOT NULL, fetched_at TEXT NOT NULL, skipped TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS entry (
    list INTEGER NOT NULL, domain TEXT NOT NULL, path TEXT NOT NULL, status TEXT NOT NULL, user_generated INTEGER NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS pattern (
    list INTEGER NOT NULL, about TEXT NOT NULL, effect TEXT NOT NULL, pattern TEXT NOT NULL
  )`,
];

const SQLITE = [
  `CREATE TABLE site_lists (
    id INTEGER PRIMARY KEY AUTOINCREMENT, wiki TEXT NOT NULL, place TEXT NOT NULL, home TEXT NOT NULL, title TEXT NOT NULL,
    kind TEXT NOT NULL, revision INTEGER NOT NULL, timestamp TEXT NOT NULL, fetched_at TEXT NOT NULL, skipped TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX site_lists_place ON site_lists (wiki, place)',
  `CREATE TABLE site_entries (
    id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES site_lists (id) ON DELETE CASCADE, domain TEXT NOT NULL,
    path TEXT NOT NULL, status TEXT NOT NULL, user_generated INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX site_entries_list ON site_entries (list)',
  `CREATE TABLE site_patterns (
    id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES site_lists (id) ON DELETE CASCADE, about TEXT NOT NULL,
    effect TEXT NOT NULL, pattern TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX site_patterns_list ON site_patterns (list)',
];

const TAKEN_OVER = [
  `INSERT INTO site_lists
    SELECT id, wiki, place, home, title, kind, revision, timestamp, fetched_at, skipped FROM list`,
  `INSERT INTO site_entries (list, domain, path, status, user_generated)
    SELECT list, domain, path, status, user_generated FROM entry ORDER BY rowid`,
  'INSERT INTO site_patterns (list, about, effect, pattern) SELECT list, about, effect, pattern FROM pattern ORDER BY rowid',
  ...['entry', 'pattern', 'list'].map((table) => `DROP TABLE ${table}`),
  // what a version without migrations would refuse
  'PRAGMA user_version = 2',
];

const WORD = 'VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';
const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin';
const LIST = 'list BIGINT NOT NULL REFERENCES site_lists (id) ON DELETE CASCADE';
const MARIADB = [
  `CREATE TABLE IF NOT EXISTS site_lists (
    id BIGINT PRIMARY KEY AUTO_INCREMENT, wiki ${WORD}, place VARCHAR(600) NOT NULL, home ${WORD},
    title VARCHAR(255) NOT NULL, kind ${WORD}, revision BIGINT NOT NULL, timestamp ${WORD}, fetched_at ${WORD},
    skipped LONGTEXT NOT NULL, KEY site_lists_place (wiki, place)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS site_entries (
    id BIGINT PRIMARY KEY AUTO_INCREMENT, ${LIST}, domain LONGTEXT NOT NULL, path LONGTEXT NOT NULL, status ${WORD},
    user_generated TINYINT NOT NULL, KEY site_entries_list (list)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS site_patterns (
    id BIGINT PRIMARY KEY AUTO_INCREMENT, ${LIST}, about ${WORD}, effect ${WORD}, pattern LONGTEXT NOT NULL,
    KEY site_patterns_list (list)
  ) ${OPTIONS}`,
];
