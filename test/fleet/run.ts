/**
 * Articles through a fleet, with a plan of faults or without. In: a fleet with its corpus. Out: what came of it. What could not be done
 * while something was gone is asked for again at the end, as an operator does it: `requeue` by reason, and of what was searched partly.
 */
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { openSql } from '../../shared/sql.ts';
import { control } from './control.ts';
import { sidelight } from './corpus.ts';
import { drain, withRedis } from './drain.ts';
import { befall, mendAll } from './faults.ts';
import { cluster, type Fleet, type FleetOptions } from './fleet.ts';
import { type Kept, readKept } from './outcomes.ts';
import { type Acknowledged, startPatroller } from './patroller.ts';
import { type Fault, PARTS } from './schedule.ts';
import { databaseUrl } from './servers.ts';
import { createSupervisor } from './supervisor.ts';

export interface RunOptions extends FleetOptions {
  /** Over how long the edits are told. */
  announceMs: number;
  /** After the last fault, for all that is left. */
  drainMs: number;
  tell(line: string): void;
}

export interface Ran {
  kept: Kept;
  acknowledged: readonly Acknowledged[];
  /** Jobs that were open or failed when there was nothing left to wait for, by queue. */
  stuck: Record<string, number>;
  /** What did not stop as it was asked to. */
  wrongs: string[];
  unasked: Record<string, number>;
  /** Claims that were searched for while a part of the corpus was gone, and again since. */
  searchedPartly: number;
  seconds: number;
}

/** The fleet is as new when it begins. Plan: [] for an undisturbed run. */
export async function runArticles(fleet: Fleet, options: RunOptions, plan: readonly Fault[]): Promise<Ran> {
  const begun = Date.now();
  const parts = PARTS.map(fleet.program);
  await clear(fleet);
  const supervisor = createSupervisor();
  const dependencies = { fleet, supervisor, tell: options.tell };
  try {
    await supervisor.start(fleet.programs);
    const patroller =
      plan.length === 0 ? null : startPatroller({ ...PATROL, origin: fleet.review, seed: options.seed });
    const [, wrongs] = await Promise.all([announce(fleet, options), befall(dependencies, plan)]);
    await mendAll(dependencies);
    await cluster(fleet.host('es1'), 'wait_for_status=green');
    let stuck = await drain(fleet, options);
    await patroller?.stop();
    let searchedPartly = 0;
    if (plan.length > 0) {
      searchedPartly = await askAgain(fleet, options);
      stuck = await drain(fleet, options);
    }
    const told = {
      wrongs,
      searchedPartly,
      unasked: Object.fromEntries(supervisor.unasked),
      acknowledged: patroller?.acknowledged ?? [],
    };
    return {
      kept: await readKept(databaseOf(fleet)),
      stuck,
      ...told,
      seconds: Math.round((Date.now() - begun) / 1000),
    };
  } finally {
    await supervisor.stop(parts);
  }
}

/** Nothing of an earlier run is left but the corpus. */
async function clear(fleet: Fleet): Promise<void> {
  const wiki = fleet.program('wiki');
  await wiki.end('SIGKILL');
  for (const name of ['workers-1', 'workers-2', 'bot', 'review'] as const) {
    const data = `${fleet.host(name).dir}/data`;
    const kept = existsSync(data) ? readdirSync(data).filter((entry) => entry !== 'corpus') : [];
    for (const entry of kept) await rm(`${data}/${entry}`, { recursive: true });
  }
  await withRedis(fleet, (redis) => redis.flushall());
  const db = openSql<object>(databaseOf(fleet));
  try {
    for (const statement of ['DROP DATABASE fleet', 'CREATE DATABASE fleet']) await sql.raw(statement).execute(db);
  } finally {
    await db.destroy();
  }
  await wiki.start();
  await wiki.answers();
}

/** A second's worth each second. */
async function announce(fleet: Fleet, { articles, announceMs, tell }: RunOptions): Promise<void> {
  const each = String(Math.ceil((articles * 1000) / announceMs));
  const { address } = fleet.host('wiki');
  for (let left = 1; left > 0; ) {
    ({ left = 0 } = await control(address, { announce: each }));
    await wait(1000);
  }
  tell('all edits are told');
}

/** What was tried while a page's server was in trouble, and searched while a part of the corpus was gone; how many of the latter. */
async function askAgain(fleet: Fleet, options: RunOptions): Promise<number> {
  const { reasons, partly } = await readKept(databaseOf(fleet));
  const passing = reasons.filter((reason) => PASSING.has(reason));
  options.tell(`asked again: what could not be read (${passing.join(', ')}), ${partly} searched partly`);
  for (const reason of passing) options.tell((await sidelight(fleet, options, ['requeue', '--reason', reason])).trim());
  if (partly > 0) options.tell((await sidelight(fleet, options, ['requeue', '--searched-partly'])).trim());
  return partly;
}

function databaseOf(fleet: Fleet): string {
  return databaseUrl(fleet.host('mariadb'));
}

const PATROL = { pauseMs: 500, most: 100 };
/** Why a page can't be read now and may be in a minute. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'truncated', 'blocked']);
