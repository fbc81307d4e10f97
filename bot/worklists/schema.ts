/** Tables of the database of worklists. */
import type { Schema } from '../../workers/sqlite.ts';

/** AUTOINCREMENT: the id of a list that was dropped is part of ids that queues still hold. */
export const SCHEMA: Schema = {
  version: 1,
  sql: `
    CREATE TABLE IF NOT EXISTS worklist (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      wiki TEXT NOT NULL,
      name TEXT NOT NULL,
      source TEXT NOT NULL,
      paused INTEGER NOT NULL DEFAULT 0,
      schedule TEXT,
      created TEXT NOT NULL,
      UNIQUE (wiki, name)
    );
    CREATE TABLE IF NOT EXISTS title (
      worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      PRIMARY KEY (worklist, position)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS run (
      id INTEGER PRIMARY KEY,
      worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'running',
      phase TEXT NOT NULL DEFAULT 'collecting',
      everything INTEGER NOT NULL,
      position TEXT,
      step INTEGER NOT NULL DEFAULT 0,
      waiting TEXT,
      reason TEXT,
      detail TEXT,
      started TEXT NOT NULL,
      ended TEXT,
      UNIQUE (worklist, number)
    );
    CREATE TABLE IF NOT EXISTS category (
      run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      depth INTEGER NOT NULL,
      done INTEGER NOT NULL DEFAULT 0,
      UNIQUE (run, title)
    );
    CREATE TABLE IF NOT EXISTS member (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      page INTEGER,
      article TEXT,
      importance INTEGER NOT NULL,
      views INTEGER,
      state TEXT NOT NULL DEFAULT 'listed',
      reason TEXT,
      revision INTEGER,
      step INTEGER,
      claims INTEGER,
      checking INTEGER,
      UNIQUE (run, title),
      UNIQUE (run, page)
    );
    CREATE INDEX IF NOT EXISTS member_order ON member (run, state, importance DESC, views DESC, id);
    CREATE TABLE IF NOT EXISTS reading (
      worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE,
      page INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      model TEXT NOT NULL,
      PRIMARY KEY (worklist, page)
    ) WITHOUT ROWID;`,
};
