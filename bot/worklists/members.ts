/** The articles of a run: listed, looked up, handed on, read. In: a database. Every change is one statement or one transaction. */
import type Database from 'better-sqlite3';
import { createPrepare } from './prepare.ts';
import type { LeftOut, MemberState, Run } from './worklist.ts';

export interface Found {
  title: string;
  /** See IMPORTANCE. */
  importance: number;
}

/** What the wiki knows of a title of a list. `views`: null where nobody counts them. */
export interface Resolved {
  /** As it was listed. */
  title: string;
  outcome:
    | { kind: 'article'; page: number; title: string; importance: number; views: number | null }
    | { kind: 'left_out'; reason: LeftOut };
}

export interface Member {
  id: number;
  title: string;
  page: number;
  importance: number;
  views: number | null;
  revision: number | null;
}

export interface Enqueued {
  id: number;
  /** What it is called now. */
  title: string;
  revision: number;
}

export interface Counted {
  state: MemberState;
  reason: LeftOut | null;
  articles: number;
  claims: number;
  checking: number;
}

export interface Members {
  /** A title that is listed already stays once, with the greater importance. */
  list(run: Run, found: readonly Found[]): void;
  /** Titles to look up, at most `limit`. */
  listed(run: Run, limit: number): string[];
  resolve(run: Run, resolved: readonly Resolved[]): void;
  /** The next to hand on: the most important first, then the most viewed, then as listed. At most `limit`. */
  ready(run: Run, limit: number): Member[];
  enqueue(run: Run, articles: readonly Enqueued[]): void;
  /** Those that a step handed on and that are not read yet. */
  enqueuedBy(run: Run, step: number): Member[];
  enqueued(run: Run): Member[];
  open(run: Run): number;
  leaveOut(ids: readonly number[], reason: LeftOut): void;
  /** Enqueued ones whose jobs came to nothing; one that was read meanwhile stays read. */
  giveUp(ids: readonly number[]): void;
  /** Enqueued ones that are to be handed on once more. */
  putBack(ids: readonly number[]): void;
  /** All that is not read yet. */
  cancel(run: Run): void;
  /** By page; one that is not of this run is not known. */
  read(run: Run, page: number, claims: number, checking: number, model: string): void;
  unreadable(run: Run, page: number, reason: LeftOut): void;
  /** Revisions at which these pages were last read, for the list, by this model. */
  lastRead(worklist: number, pages: readonly number[], model: string): Map<number, number>;
  count(run: Run): Counted[];
  /** Articles with a page, by id, from `after` on. */
  page(run: Run, after: number, limit: number): Shown[];
}

export interface Shown extends Member {
  state: MemberState;
  reason: LeftOut | null;
  claims: number | null;
  /** How many of them were to be checked. */
  checking: number | null;
}

export function createMembers(database: Database.Database): Members {
  const prepare = createPrepare(database);
  const members = (where: string, ...values: (number | string)[]) =>
    // the columns are those of the query
    prepare(`SELECT ${MEMBER} FROM member WHERE ${where}`).all(...values) as Member[];
  const each = (sql: string) => {
    const statement = prepare(sql);
    return database.transaction((ids: readonly number[], ...values: string[]) => {
      for (const id of ids) statement.run(...values, id);
    });
  };
  const leaveOut = each(`UPDATE member SET state = 'left_out', reason = ? WHERE id = ?`);
  const giveUp = each(`UPDATE member SET state = 'left_out', reason = 'failed' WHERE id = ? AND state = 'enqueued'`);
  const putBack = each(`UPDATE member SET state = 'ready', step = NULL WHERE id = ? AND state = 'enqueued'`);
  return {
    list: prepareList(database),
    listed: (run, limit) =>
      // a column of text
      prepare(`SELECT title FROM member WHERE run = ? AND state = 'listed' ORDER BY id LIMIT ?`)
        .pluck()
        .all(run.id, limit) as string[],
    resolve: prepareResolve(database),
    ready: (run, limit) =>
      members(`run = ? AND state = 'ready' ORDER BY importance DESC, views DESC, id LIMIT ?`, run.id, limit),
    enqueue: prepareEnqueue(database),
    enqueuedBy: (run, step) => members(`run = ? AND state = 'enqueued' AND step = ?`, run.id, step),
    enqueued: (run) => members(`run = ? AND state = 'enqueued'`, run.id),
    open: (run) =>
      Number(prepare(`SELECT count(*) FROM member WHERE run = ? AND state = 'enqueued'`).pluck().get(run.id)),
    leaveOut: (ids, reason) => leaveOut(ids, reason),
    giveUp: (ids) => giveUp(ids),
    putBack: (ids) => putBack(ids),
    cancel(run) {
      const open = `state IN ('listed', 'ready', 'enqueued')`;
      prepare(`UPDATE member SET state = 'left_out', reason = 'cancelled' WHERE run = ? AND ${open}`).run(run.id);
    },
    ...prepareReading(database),
    count: (run) =>
      // the columns are those of the query
      prepare(
        `SELECT state, reason, count(*) AS articles, coalesce(sum(claims), 0) AS claims, coalesce(sum(checking), 0) AS checking
           FROM member WHERE run = ? GROUP BY state, reason ORDER BY state, reason`,
      ).all(run.id) as Counted[],
    page: (run, after, limit) =>
      // the columns are those of the query
      prepare(
        `SELECT ${MEMBER}, state, reason, claims, checking FROM member WHERE run = ? AND page > ? ORDER BY page LIMIT ?`,
      ).all(run.id, after, limit) as Shown[],
  };
}

/** Titles as the wiki has them, once it was asked. */
const MEMBER = 'id, coalesce(article, title) AS title, page, importance, views, revision';

function prepareList(database: Database.Database): Members['list'] {
  const add = database.prepare(`
    INSERT INTO member (run, title, importance) VALUES (?, ?, ?)
    ON CONFLICT (run, title) DO UPDATE SET importance = max(importance, excluded.importance)`);
  return (run, found) => {
    for (const { title, importance } of found) add.run(run.id, title, importance);
  };
}

function prepareResolve(database: Database.Database): Members['resolve'] {
  const twin = database.prepare('SELECT id FROM member WHERE run = ? AND page = ?').pluck();
  const raise = database.prepare(`
    UPDATE member SET importance = max(importance, (SELECT importance FROM member WHERE run = :run AND title = :title))
    WHERE id = :twin`);
  const leave = database.prepare(`
    UPDATE member SET state = 'left_out', reason = ? WHERE run = ? AND title = ? AND state = 'listed'`);
  const ready = database.prepare(`
    UPDATE member SET state = 'ready', page = :page, article = :article, importance = max(importance, :importance), views = :views
    WHERE run = :run AND title = :title AND state = 'listed'`);
  return ({ id: run }, resolved) => {
    for (const { title, outcome } of resolved) {
      if (outcome.kind === 'left_out') {
        leave.run(outcome.reason, run, title);
        continue;
      }
      const known = twin.get(run, outcome.page);
      if (known === undefined) {
        const { page, title: article, importance, views } = outcome;
        ready.run({ run, title, page, article, importance, views });
      } else {
        raise.run({ run, title, twin: known });
        leave.run('duplicate', run, title);
      }
    }
  };
}

function prepareEnqueue(database: Database.Database): Members['enqueue'] {
  const mark = database.prepare(
    `UPDATE member SET state = 'enqueued', step = ?, revision = ?, article = ? WHERE id = ?`,
  );
  return (run, articles) => {
    for (const { id, title, revision } of articles) mark.run(run.step, revision, title, id);
  };
}

function prepareReading(database: Database.Database): Pick<Members, 'read' | 'unreadable' | 'lastRead'> {
  const read = database.prepare(`
    UPDATE member SET state = 'read', reason = NULL, claims = ?, checking = ? WHERE run = ? AND page = ?
    RETURNING revision`);
  const remember = database.prepare(`
    INSERT INTO reading (worklist, page, revision, model) VALUES (?, ?, ?, ?)
    ON CONFLICT (worklist, page) DO UPDATE SET revision = excluded.revision, model = excluded.model`);
  const unreadable = database.prepare(`UPDATE member SET state = 'left_out', reason = ? WHERE run = ? AND page = ?`);
  const last = database.prepare(`
    SELECT page, revision FROM reading WHERE worklist = ? AND model = ? AND page IN (SELECT value FROM json_each(?))`);
  return {
    read: database.transaction((run: Run, page: number, claims: number, checking: number, model: string) => {
      // one column
      const row = read.get(claims, checking, run.id, page) as { revision: number | null } | undefined;
      if (row?.revision) remember.run(run.worklist, page, row.revision, model);
    }),
    unreadable: (run, page, reason) => void unreadable.run(reason, run.id, page),
    lastRead(worklist, pages, model) {
      // the columns are those of the query
      const rows = last.all(worklist, model, JSON.stringify(pages)) as { page: number; revision: number }[];
      return new Map(rows.map(({ page, revision }) => [page, revision]));
    },
  };
}
