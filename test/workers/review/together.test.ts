/** Several hosts over one database, each with connections of its own, that decide, undo, take and record at the same time. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { RefuseToStart, RequestError } from '../../../shared/errors.ts';
import { changesAfter } from '../../../workers/review/changes.ts';
import { openReviewDatabase, type Schema } from '../../../workers/review/database.ts';
import { createDecisions } from '../../../workers/review/decisions.ts';
import { lastDecision } from '../../../workers/review/history.ts';
import type { Person } from '../../../workers/review/leases.ts';
import { positionOf } from '../../../workers/review/position.ts';
import { get, type Row } from '../../../workers/review/queue.ts';
import { record } from '../../../workers/review/record.ts';
import { stateAfter } from '../../../workers/review/stand.ts';
import { createRandom } from '../../bench/review/fill.ts';
import { onEachEngine } from '../../support/databases.ts';
import { ALL, aPerson, findingOf, OPEN } from './store.ts';

const HOSTS = 4;
const FINDINGS = 12;
const STEPS = 25;

onEachEngine('several hosts', [], cases);

function cases(freshPlace: () => Promise<string>): void {
  test('no error but refusals, every finding as its history says, and who listens knows of every change', async () => {
    const place = await freshPlace();
    const hosts = await Promise.all(Array.from({ length: HOSTS }, () => openReviewDatabase(place)));
    const [first = reason('no host')] = hosts;
    for (let at = 0; at < FINDINGS; at += 1) await record(first, findingOf(`Claim ${at}.`));
    const heard = listen(first);
    const refused = await Promise.all(hosts.map((db, at) => act(db, at))).finally(heard.end);
    const known = await heard.known;
    for (const row of await allOf(first)) {
      await expectAtOne(first, row);
      expect(known.get(row.id)).toBe(stateOf(row));
    }
    expect(new Set(refused.flat())).toEqual(new Set(refused.flat().filter((code) => REFUSALS.includes(code))));
    expect(await first.selectFrom('decisions').selectAll().execute()).not.toEqual([]);
    await Promise.all(hosts.map((db) => db.destroy()));
  }, 60_000);

  test('a database that a newer version has migrated is refused in one line', async () => {
    const place = await freshPlace();
    const db = await openReviewDatabase(place);
    // Kysely's own table, which Schema does not name
    const migrations = db as unknown as Kysely<{ kysely_migration: { name: string; timestamp: string } }>;
    await migrations.insertInto('kysely_migration').values({ name: '9999-later', timestamp: 'then' }).execute();
    const refusal = await openReviewDatabase(place).catch((error: unknown) => error);
    await db.destroy();
    expect(refusal).toBeInstanceOf(RefuseToStart);
    expect(String(refusal)).toMatch(/^[^\n]*9999-later[^\n]*$/);
  });
}

const REFUSALS = ['leased', 'decided', 'closed', 'no_lease', 'nothing_to_undo', 'not_yours', 'reopened', 'stale'];

/** One host's work: codes of what was refused. */
async function act(db: Kysely<Schema>, host: number): Promise<string[]> {
  const random = createRandom(host + 1);
  const decisions = createDecisions(db);
  const person = await aPerson(db, `Person ${host}`);
  const codes: string[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const id = 1 + Math.floor(random() * FINDINGS);
    try {
      await STEP[Math.floor(random() * STEP.length)]?.(db, decisions, person, id);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      codes.push(error.code);
    }
  }
  return codes;
}

type Step = (
  db: Kysely<Schema>,
  decisions: ReturnType<typeof createDecisions>,
  person: Person,
  id: number,
) => Promise<unknown>;

const STEP: readonly Step[] = [
  async (_db, decisions, person, id) => {
    await decisions.take(id, person);
    await decisions.decide(id, { decision: 'accept' }, person);
  },
  async (_db, decisions, person) => {
    const next = await decisions.takeNext(OPEN, person);
    if (next !== null) await decisions.decideAndTakeNext(next.id, { decision: 'skip' }, person, OPEN);
  },
  (_db, decisions, person, id) => decisions.undo(id, person),
  (_db, decisions, person, id) => decisions.release(id, person),
  (db, _decisions, person, id) => record(db, findingOf(`Claim ${id - 1}.`, { score: (person.id % 5) / 10 })),
];

/** The state of a finding is what follows from the last decision that stands. */
async function expectAtOne(db: Kysely<Schema>, row: Row): Promise<void> {
  const last = await lastDecision(db, row.id);
  const decisions = await db.selectFrom('decisions').selectAll().where('finding_id', '=', row.id).execute();
  const deferrals = decisions.filter((one) => one.decision === 'skip' && one.undone_at === null).length;
  const { position, ...kept } = await db
    .selectFrom('findings')
    .select(['position', 'deferrals', 'decided_by'])
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow();
  const { state, closed_because } = stateAfter(last?.decision ?? null, row.finding.verdict);
  expect({ ...kept, state: row.state, because: row.closedBecause, decision: row.decision }).toEqual({
    ...{
      deferrals,
      decided_by: last?.userId ?? null,
      state,
      because: closed_because,
      decision: last?.decision ?? null,
    },
  });
  expect(position).toBeCloseTo(positionOf(row.finding, deferrals), 9);
}

async function allOf(db: Kysely<Schema>): Promise<Row[]> {
  const ids = await db.selectFrom('findings').select('id').orderBy('id').execute();
  expect(ids).toHaveLength(FINDINGS);
  return Promise.all(ids.map(({ id }) => get(db, id)));
}

const stateOf = ({ state, decision, finding }: Row) => `${state} ${decision} ${finding.score}`;

/** As a stream of the API does: the last that was told of each finding. */
function listen(db: Kysely<Schema>) {
  const told = new Map<number, string>();
  let ended = false;
  const follow = async () => {
    for (let seen = 0; ; ) {
      const isLast = ended;
      const { changed, seq } = await changesAfter(db, seen, ALL, 5);
      for (const { row } of changed) told.set(row.id, stateOf(row));
      if (seq === seen && isLast) return told;
      if (seq === seen) await wait(20);
      seen = seq;
    }
  };
  const end = () => {
    ended = true;
  };
  return { end, known: follow() };
}

function reason(message: string): never {
  throw new Error(message);
}
