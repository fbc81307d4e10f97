/**
 * Runs of worklists: begun, moved on step by step, ended. A change counts only while the run still stands at the step that it
 * was made for, so that a step may be done twice.
 */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { parseJson } from '../../shared/json.ts';
import { transact } from '../../shared/sql.ts';
import { createMembers, type Members } from './members.ts';
import type { WorklistTables } from './tables.ts';
import { type Phase, Position, type Run, type RunState } from './worklist.ts';

export interface Runs {
  /** The run that goes on, if one does; else a new one. Articles of all runs before the last are forgotten. */
  begin(worklist: number, everything: boolean): Promise<Run>;
  get(worklist: number, number: number): Promise<Run | null>;
  /** Newest first. */
  all(worklist: number): Promise<Run[]>;
  /** Runs of a wiki that are neither done nor paused. */
  running(wiki: string): Promise<Run[]>;
  /**
   * Does `change`, which says where the run stands after it, and moves the run on by one step; or does nothing and gives false
   * where the run is at another step or over. All or nothing. `change` changes nothing but what it is given, and waits for nothing else.
   */
  advance(run: Run, change: (inside: Inside) => Stand | Promise<Stand>): Promise<boolean>;
  /** The same step under a new number, since a queue that has seen a number takes it no second time. */
  renumber(run: Run): Promise<Run>;
  end(run: Run, state: Exclude<RunState, 'running'>, why?: { reason: string; detail: string }): Promise<boolean>;
  /** What the run waits for now. */
  wait(run: Run, code: string | null): Promise<void>;
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

/** What a change does, in the transaction of its step. */
export interface Inside {
  members: Members;
  /** Marks a category as read, adds those below it that are new, and gives the next one to read. */
  walk(read: Category, below: readonly Category[]): Promise<Category | null>;
}

export function createRuns(db: Kysely<WorklistTables>): Runs {
  const one = async (id: number) => {
    const row = await db.selectFrom('worklist_runs').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRun(row);
  };
  const of = (worklist: number) => db.selectFrom('worklist_runs').selectAll().where('worklist', '=', worklist);
  return {
    begin: (worklist, everything) =>
      transact(db, (trx) => begin(trx, worklist, everything), { turn: `worklist ${worklist}` }),
    async get(worklist, number) {
      const row = await of(worklist).where('number', '=', number).executeTakeFirst();
      return row === undefined ? null : toRun(row);
    },
    all: async (worklist) => (await of(worklist).orderBy('number', 'desc').execute()).map(toRun),
    async running(wiki) {
      const rows = await db
        .selectFrom('worklist_runs')
        .innerJoin('worklists', 'worklists.id', 'worklist_runs.worklist')
        .selectAll('worklist_runs')
        .where('state', '=', 'running')
        .where('paused', '=', 0)
        .where('wiki', '=', wiki)
        .orderBy('worklist_runs.id')
        .execute();
      return rows.map(toRun);
    },
    advance: (run, change) => transact(db, (trx) => advance(trx, run, change)),
    async renumber(run) {
      await db
        .updateTable('worklist_runs')
        .set(({ eb }) => ({ step: eb('step', '+', 1) }))
        .where('id', '=', run.id)
        .execute();
      return (await one(run.id)) ?? run;
    },
    async end(run, state, why) {
      const said = { reason: why?.reason ?? null, detail: why?.detail ?? null };
      const { numUpdatedRows } = await db
        .updateTable('worklist_runs')
        .set({ state, ...said, ended: new Date().toISOString(), waiting: null })
        .where('id', '=', run.id)
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async wait(run, code) {
      await db.updateTable('worklist_runs').set({ waiting: code }).where('id', '=', run.id).execute();
    },
  };
}

async function begin(trx: Transaction<WorklistTables>, worklist: number, everything: boolean): Promise<Run> {
  const runs = trx.selectFrom('worklist_runs').selectAll().where('worklist', '=', worklist);
  const open = await runs.where('state', '=', 'running').executeTakeFirst();
  if (open !== undefined) return toRun(open);
  const last = await runs.orderBy('number', 'desc').limit(1).executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  const row = { worklist, number, everything: everything ? (1 as const) : (0 as const) };
  await trx
    .insertInto('worklist_runs')
    .values({ ...row, started: new Date().toISOString() })
    .execute();
  await forget(trx, worklist, number - 1);
  return toRun(await runs.where('number', '=', number).executeTakeFirstOrThrow());
}

/** Articles of runs before the last but one. */
async function forget(trx: Transaction<WorklistTables>, worklist: number, before: number): Promise<void> {
  const old = trx
    .selectFrom('worklist_runs')
    .select('id')
    .where('worklist', '=', worklist)
    .where('number', '<', before);
  await trx.deleteFrom('worklist_members').where('run', 'in', old).execute();
}

async function advance(
  trx: Transaction<WorklistTables>,
  run: Run,
  change: (inside: Inside) => Stand | Promise<Stand>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('worklist_runs')
    .set({ step: run.step + 1 })
    .where('id', '=', run.id)
    .where('step', '=', run.step)
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  const inside = { members: createMembers(trx), walk: createWalk(trx, run) };
  const { phase = run.phase, position = run.position, waiting = null } = await change(inside);
  const stand = { phase, position: position === null ? null : JSON.stringify(position), waiting };
  await trx.updateTable('worklist_runs').set(stand).where('id', '=', run.id).execute();
  return true;
}

/** Breadth first: a category is met at its least depth, and once, however they loop. */
function createWalk(trx: Transaction<WorklistTables>, run: Run): Inside['walk'] {
  return async (read, below) => {
    await trx
      .insertInto('worklist_categories')
      .values({ run: run.id, ...read, done: 1 })
      .onConflict((conflict) => conflict.columns(['run', 'title']).doUpdateSet({ done: 1 }))
      .execute();
    for (const category of below) {
      await trx
        .insertInto('worklist_categories')
        .values({ run: run.id, ...category })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    const next = trx.selectFrom('worklist_categories').select(['title', 'depth']).where('run', '=', run.id);
    return (await next.where('done', '=', 0).orderBy('id').limit(1).executeTakeFirst()) ?? null;
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
