/**
 * Runs of worklists: begun, moved on step by step, ended. A change counts only while the run still stands at the step that it
 * was made for, so that a step may be done twice.
 */
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { parseJson } from '../../shared/json.ts';
import { createPrepare } from './prepare.ts';
import { type Phase, Position, type Run, type RunState } from './worklist.ts';

export interface Runs {
  /** The run that goes on, if one does; else a new one. Articles of all runs before the last are forgotten. */
  begin(worklist: number, everything: boolean): Run;
  get(worklist: number, number: number): Run | null;
  /** Newest first. */
  all(worklist: number): Run[];
  /** Runs of a wiki that are neither done nor paused. */
  running(wiki: string): Run[];
  /**
   * Does `change`, which says where the run stands after it, and moves the run on by one step; or does nothing and gives false
   * where the run is at another step or over. All or nothing.
   */
  advance(run: Run, change: () => Stand): boolean;
  /** The same step under a new number, since a queue that has seen a number takes it no second time. */
  renumber(run: Run): Run;
  end(run: Run, state: Exclude<RunState, 'running'>, why?: { reason: string; detail: string }): boolean;
  /** What the run waits for now. */
  wait(run: Run, code: string | null): void;
  /** Marks a category as read, adds those below it that are new, and gives the next one to read. Inside of `advance`. */
  walk(run: Run, read: Category, below: readonly Category[]): Category | null;
}

/** What is not named stays. */
export interface Stand {
  phase?: Phase;
  position?: Position | null;
  /** Code of what the run waits for. */
  waiting?: string;
}

export interface Category {
  title: string;
  depth: number;
}

export function createRuns(database: Database.Database): Runs {
  const prepare = createPrepare(database);
  const one = (where: string, ...values: number[]) => {
    const row = prepare(`SELECT * FROM run WHERE ${where}`).get(...values);
    return row === undefined ? null : toRun(row);
  };
  const many = (query: string, value: string | number) => prepare(query).all(value).map(toRun);
  return {
    begin: prepareBegin(database, one),
    get: (worklist, number) => one('worklist = ? AND number = ?', worklist, number),
    all: (worklist) => many('SELECT * FROM run WHERE worklist = ? ORDER BY number DESC', worklist),
    running: (wiki) =>
      many(
        `SELECT run.* FROM run JOIN worklist ON worklist.id = run.worklist
         WHERE state = 'running' AND NOT paused AND wiki = ? ORDER BY run.id`,
        wiki,
      ),
    advance: prepareAdvance(database),
    renumber(run) {
      prepare('UPDATE run SET step = step + 1 WHERE id = ?').run(run.id);
      return one('id = ?', run.id) ?? run;
    },
    end(run, state, why) {
      const { changes } = prepare(
        `UPDATE run SET state = ?, reason = ?, detail = ?, ended = ?, waiting = NULL WHERE id = ? AND state = 'running'`,
      ).run(state, why?.reason ?? null, why?.detail ?? null, new Date().toISOString(), run.id);
      return changes > 0;
    },
    wait: (run, code) => void prepare('UPDATE run SET waiting = ? WHERE id = ?').run(code, run.id),
    walk: prepareWalk(database),
  };
}

function prepareBegin(
  database: Database.Database,
  one: (where: string, ...values: number[]) => Run | null,
): Runs['begin'] {
  const add = database.prepare(`
    INSERT INTO run (worklist, number, everything, started)
    SELECT :worklist, 1 + coalesce(max(number), 0), :everything, :started FROM run WHERE worklist = :worklist RETURNING *`);
  const forget = database.prepare(`
    DELETE FROM member WHERE run IN (SELECT id FROM run WHERE worklist = ? AND number < ?)`);
  const begin = database.transaction((worklist: number, everything: boolean) => {
    const open = one(`worklist = ? AND state = 'running'`, worklist);
    if (open !== null) return open;
    const run = toRun(add.get({ worklist, everything: everything ? 1 : 0, started: new Date().toISOString() }));
    forget.run(worklist, run.number - 1);
    return run;
  });
  return (worklist, everything) => begin.immediate(worklist, everything);
}

function prepareAdvance(database: Database.Database): Runs['advance'] {
  const move = database.prepare(`UPDATE run SET step = step + 1 WHERE id = ? AND step = ? AND state = 'running'`);
  const stand = database.prepare('UPDATE run SET phase = ?, position = ?, waiting = ? WHERE id = ?');
  const advance = database.transaction((run: Run, change: () => Stand) => {
    if (move.run(run.id, run.step).changes === 0) return false;
    const { phase = run.phase, position = run.position, waiting = null } = change();
    stand.run(phase, position === null ? null : JSON.stringify(position), waiting, run.id);
    return true;
  });
  return (run, change) => advance.immediate(run, change);
}

/** Breadth first: a category is met at its least depth, and once, however they loop. */
function prepareWalk(database: Database.Database): Runs['walk'] {
  const mark = database.prepare(`
    INSERT INTO category (run, title, depth, done) VALUES (?, ?, ?, 1) ON CONFLICT (run, title) DO UPDATE SET done = 1`);
  const add = database.prepare('INSERT INTO category (run, title, depth) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const next = database.prepare('SELECT title, depth FROM category WHERE run = ? AND done = 0 ORDER BY rowid LIMIT 1');
  return (run, read, below) => {
    mark.run(run.id, read.title, read.depth);
    for (const { title, depth } of below) add.run(run.id, title, depth);
    // the columns are those of the query
    return (next.get(run.id) as Category | undefined) ?? null;
  };
}

function toRun(row: unknown): Run {
  const { everything, position, ...run } = Row.parse(row);
  return {
    ...run,
    everything: everything === 1,
    position: position === null ? null : Position.parse(parseJson(position)),
  };
}

const Row = z.object({
  id: z.int(),
  worklist: z.int(),
  number: z.int(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  phase: z.enum(['collecting', 'resolving', 'publishing']),
  everything: z.int(),
  position: z.string().nullable(),
  step: z.int(),
  waiting: z.string().nullable(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  started: z.string(),
  ended: z.string().nullable(),
});
