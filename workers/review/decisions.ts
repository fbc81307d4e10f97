/** What a person does at the review page: takes a finding, decides, goes on to the next one, takes a decision back. One transaction each. */
import type { Kysely, Transaction } from 'kysely';
import { type Schema, writing } from './database.ts';
import { type DecisionRequest, decide, refuseSettled } from './decide.ts';
import type { Filter } from './filter.ts';
import { history, type PastDecision } from './history.ts';
import {
  dropEnded,
  type Holder,
  holderOf,
  holdersOf,
  type Person,
  releaseAll,
  releaseLease,
  type Term,
  takeLease,
} from './leases.ts';
import { get, list, type Row } from './queue.ts';
import { undo } from './undo.ts';

export interface Decisions {
  /** Of a finding that is open. Throws RequestError `not_found`, `leased`, `decided`, `closed`. */
  take(id: number, person: Person): Promise<Holder>;
  release(id: number, person: Person): Promise<void>;
  releaseAll(userId: number): Promise<void>;
  /**
   * Takes the first open finding that matches and that nobody else looks at; with `after`, the first behind that one, and then from
   * the beginning, that one left out. Null: there is none. Two who ask at once never get the same one.
   */
  takeNext(filter: Filter, person: Person, after?: number): Promise<Row | null>;
  holderOf(id: number): Promise<Holder | null>;
  holdersOf(ids: readonly number[]): Promise<Map<number, Holder>>;
  /** On disk when it is answered. Errors: `decide.ts`. */
  decide(id: number, request: DecisionRequest, person: Person): Promise<Row>;
  /** And takes the next one, in the place that the decided one had. */
  decideAndTakeNext(id: number, request: DecisionRequest, person: Person, filter: Filter): Promise<Row | null>;
  /** And takes the finding again, if nobody else looks at it. Errors: `undo.ts`. */
  undo(id: number, person: Person): Promise<Row>;
  history(id: number): Promise<PastDecision[]>;
}

export interface DecisionOptions {
  leaseMs?: number;
  /** Is told by hash which texts a person has decided on: they are labelled data. */
  keepTexts?: (contentHashes: readonly string[]) => Promise<void>;
  /** ms; default: the clock. */
  now?: () => number;
}

export function createDecisions(db: Kysely<Schema>, options: DecisionOptions = {}): Decisions {
  const { leaseMs = LEASE_MS, keepTexts = async () => undefined, now = Date.now } = options;
  const atOnce = <T>(verb: (trx: Transaction<Schema>, term: Term) => Promise<T>): Promise<T> =>
    writing(db, async (trx) => {
      const term = { now: now(), leaseMs };
      await dropEnded(trx, term.now);
      return verb(trx, term);
    });
  return {
    take: (id, person) => atOnce((trx, term) => take(trx, id, person, term)),
    release: (id, person) => releaseLease(db, id, person),
    releaseAll: (userId) => releaseAll(db, userId),
    takeNext: (filter, person, after) =>
      atOnce(async (trx, term) => takeFree(trx, await nextFree(trx, filter, person, term, after), person, term)),
    holderOf: (id) => holderOf(db, id, now()),
    holdersOf: (ids) => holdersOf(db, ids, now()),
    async decide(id, request, person) {
      const row = await atOnce((trx, term) => decide(trx, id, request, person, term.now));
      await keepTexts(textsOf(row));
      return row;
    },
    async decideAndTakeNext(id, request, person, filter) {
      const { row, next } = await atOnce(async (trx, term) => {
        // looked up first: a decision moves this one out of its place
        const next = await nextFree(trx, filter, person, term, id);
        const row = await decide(trx, id, request, person, term.now);
        return { row, next: await takeFree(trx, next, person, term) };
      });
      await keepTexts(textsOf(row));
      return next;
    },
    undo: (id, person) => atOnce((trx, term) => undoAndTake(trx, id, person, term)),
    history: (id) => history(db, id),
  };
}

/** What was fetched: given texts are private. */
function textsOf({ finding }: Row): string[] {
  return finding.citations.flatMap(({ contentHash, given }) =>
    given || contentHash === undefined ? [] : [contentHash],
  );
}

const LEASE_MS = 10 * 60 * 1000;

async function take(trx: Transaction<Schema>, id: number, person: Person, term: Term): Promise<Holder> {
  await refuseSettled(trx, await get(trx, id));
  return takeLease(trx, id, person, term);
}

async function takeFree(trx: Transaction<Schema>, row: Row | null, person: Person, term: Term): Promise<Row | null> {
  if (row !== null) await takeLease(trx, row.id, person, term);
  return row;
}

async function nextFree(
  trx: Transaction<Schema>,
  filter: Filter,
  person: Person,
  term: Term,
  after?: number,
): Promise<Row | null> {
  const open = { ...filter, state: 'open' } as const;
  const found = await firstFree(trx, open, person, term, { after, not: after });
  return found ?? (after === undefined ? null : firstFree(trx, open, person, term, { after: undefined, not: after }));
}

async function firstFree(
  trx: Transaction<Schema>,
  filter: Filter,
  person: Person,
  { now }: Term,
  from: { after: number | undefined; not: number | undefined },
): Promise<Row | null> {
  for (let after = from.after; ; ) {
    const rows = await list(trx, filter, { limit: AT_ONCE, ...(after !== undefined && { after }) });
    const held = await holdersOf(
      trx,
      rows.map(({ id }) => id),
      now,
    );
    const free = rows.find(({ id }) => id !== from.not && (held.get(id)?.userId ?? person.id) === person.id);
    after = rows.at(-1)?.id;
    if (free !== undefined || after === undefined) return free ?? null;
  }
}

/** Of a list that nobody else works on the first one is free. */
const AT_ONCE = 10;

async function undoAndTake(trx: Transaction<Schema>, id: number, person: Person, term: Term): Promise<Row> {
  const row = await undo(trx, id, person, term.now);
  if ((await holderOf(trx, id, term.now)) === null) await takeLease(trx, id, person, term);
  return row;
}
