/** The tables that hosts may share. A file of the version without migrations is taken over. */
import { type Kysely, sql } from 'kysely';
import { isMariaDb } from '../../../shared/sql.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = isMariaDb(db) ? MARIADB : [...BEFORE, ...TAKEN_OVER];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** AUTOINCREMENT: the id of a list that was dropped is part of ids that queues still hold. */
const BEFORE = [
  `CREATE TABLE IF NOT EXISTS worklist (
    id INTEGER PRIMARY KEY AUTOINCREMENT, wiki TEXT NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0, schedule TEXT, created TEXT NOT NULL, UNIQUE (wiki, name)
  )`,
  `CREATE TABLE IF NOT EXISTS title (
    worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE, position INTEGER NOT NULL, title TEXT NOT NULL,
    PRIMARY KEY (worklist, position)
  ) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'running', phase TEXT NOT NULL DEFAULT 'collecting', everything INTEGER NOT NULL,
    position TEXT, step INTEGER NOT NULL DEFAULT 0, waiting TEXT, reason TEXT, detail TEXT, started TEXT NOT NULL,
    ended TEXT, UNIQUE (worklist, number)
  )`,
  `CREATE TABLE IF NOT EXISTS category (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE, title TEXT NOT NULL, depth INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, UNIQUE (run, title)
  )`,
  `CREATE TABLE IF NOT EXISTS member (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE, title TEXT NOT NULL, page INTEGER,
    article TEXT, importance INTEGER NOT NULL, views INTEGER, state TEXT NOT NULL DEFAULT 'listed', reason TEXT,
    revision INTEGER, step INTEGER, claims INTEGER, checking INTEGER, UNIQUE (run, title), UNIQUE (run, page)
  )`,
  'CREATE INDEX IF NOT EXISTS member_order ON member (run, state, importance DESC, views DESC, id)',
  `CREATE TABLE IF NOT EXISTS reading (
    worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE, page INTEGER NOT NULL, revision INTEGER NOT NULL,
    model TEXT NOT NULL, PRIMARY KEY (worklist, page)
  ) WITHOUT ROWID`,
];

const TAKEN_OVER = [
  'ALTER TABLE worklist RENAME TO worklists',
  'ALTER TABLE title RENAME TO worklist_titles',
  'ALTER TABLE run RENAME TO worklist_runs',
  'ALTER TABLE member RENAME TO worklist_members',
  'ALTER TABLE reading RENAME TO worklist_readings',
  `CREATE TABLE worklist_categories (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES worklist_runs (id) ON DELETE CASCADE, title TEXT NOT NULL,
    depth INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, UNIQUE (run, title)
  )`,
  'INSERT INTO worklist_categories SELECT rowid, run, title, depth, done FROM category',
  'DROP TABLE category',
  // what a version without migrations would refuse
  'PRAGMA user_version = 2',
];

const WORD = 'VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin';
const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin';
const OF_LIST = 'worklist BIGINT NOT NULL REFERENCES worklists (id) ON DELETE CASCADE';
const OF_RUN = 'run BIGINT NOT NULL REFERENCES worklist_runs (id) ON DELETE CASCADE';
const MARIADB = [
  `CREATE TABLE IF NOT EXISTS worklists (
    id BIGINT PRIMARY KEY AUTO_INCREMENT, wiki ${WORD} NOT NULL, name VARCHAR(100) NOT NULL, source LONGTEXT NOT NULL,
    paused TINYINT NOT NULL DEFAULT 0, schedule LONGTEXT, created ${WORD} NOT NULL, UNIQUE KEY worklists_name (wiki, name)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS worklist_titles (
    ${OF_LIST}, position BIGINT NOT NULL, title LONGTEXT NOT NULL, PRIMARY KEY (worklist, position)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS worklist_runs (
    id BIGINT PRIMARY KEY AUTO_INCREMENT, ${OF_LIST}, number BIGINT NOT NULL, state ${WORD} NOT NULL DEFAULT 'running',
    phase ${WORD} NOT NULL DEFAULT 'collecting', everything TINYINT NOT NULL, position LONGTEXT,
    step BIGINT NOT NULL DEFAULT 0, waiting ${WORD}, reason ${WORD}, detail LONGTEXT, started ${WORD} NOT NULL, ended ${WORD},
    UNIQUE KEY worklist_runs_number (worklist, number)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS worklist_categories (
    id BIGINT PRIMARY KEY AUTO_INCREMENT, ${OF_RUN}, title VARCHAR(512) NOT NULL, depth BIGINT NOT NULL,
    done TINYINT NOT NULL DEFAULT 0, UNIQUE KEY worklist_categories_title (run, title)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS worklist_members (
    id BIGINT PRIMARY KEY AUTO_INCREMENT, ${OF_RUN}, title VARCHAR(512) NOT NULL, page BIGINT, article VARCHAR(512),
    importance BIGINT NOT NULL, views BIGINT, state ${WORD} NOT NULL DEFAULT 'listed', reason ${WORD}, revision BIGINT,
    step BIGINT, claims BIGINT, checking BIGINT, UNIQUE KEY worklist_members_title (run, title),
    UNIQUE KEY worklist_members_page (run, page), KEY worklist_members_order (run, state, importance, views, id)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS worklist_readings (
    ${OF_LIST}, page BIGINT NOT NULL, revision BIGINT NOT NULL, model ${WORD} NOT NULL, PRIMARY KEY (worklist, page)
  ) ${OPTIONS}`,
];
