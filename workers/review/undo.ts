/**
 * One's own last decision on a finding, taken back: the finding is as it was before, the decision stays in the history with the time.
 * What the article or another judgement did to the finding since is not taken back.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Decision } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { FindingTable, Schema } from './database.ts';
import { lastDecision } from './history.ts';
import type { Person } from './leases.ts';
import { positionOf } from './position.ts';
import { get, type Row } from './queue.ts';
import { stateAfter } from './stand.ts';
import { whyClosed } from './why-closed.ts';

/** What of a finding a decision changes; its place in the queue follows from them. */
const COLUMNS = ['state', 'closed_because', 'decision', 'decided_by', 'reopened_because', 'deferrals'] as const;
type Before = Pick<Selectable<FindingTable>, (typeof COLUMNS)[number]>;

/** The column `undo_to` of a decision that is about to be made. */
export async function undoTo(trx: Transaction<Schema>, id: number): Promise<string> {
  return JSON.stringify(await stateOf(trx, id));
}

/**
 * Must run within a transaction. Throws RequestError `not_found`, or with the code of what can't be undone: `nothing_to_undo`,
 * `not_yours`, `closed`, `reopened`.
 */
export async function undo(trx: Transaction<Schema>, id: number, person: Person, now: number): Promise<Row> {
  const row = await get(trx, id);
  const last = await lastDecision(trx, id);
  if (last === null) throw new RequestError('nothing_to_undo', 'Nobody has decided on this finding.');
  if (last.userId !== person.id) {
    throw new RequestError('not_yours', `The last decision on this finding is by ${last.by ?? 'another person'}.`);
  }
  refuseOvertaken(row, last.decision);
  const at = new Date(now).toISOString();
  const before = await readBefore(trx, last.id);
  await trx
    .updateTable('findings')
    .set({ ...before, position: positionOf(row.finding, before.deferrals), updated_at: at })
    .where('id', '=', id)
    .execute();
  await trx.updateTable('decisions').set({ undone_at: at }).where('id', '=', last.id).execute();
  return get(trx, id);
}

/** The decision must still be what the finding's state follows from. */
function refuseOvertaken(row: Row, last: Decision): void {
  const { state, closedBecause, decision, finding } = row;
  const expected = stateAfter(last, finding.verdict);
  if (decision === last && state === expected.state && closedBecause === expected.closed_because) return;
  if (state === 'closed') throw new RequestError('closed', whyClosed(row));
  throw new RequestError('reopened', 'The source has changed since, and the finding is open again: decide anew.');
}

async function readBefore(trx: Transaction<Schema>, decision: number): Promise<Before> {
  const { undo_to: before } = await trx
    .selectFrom('decisions')
    .select('undo_to')
    .where('id', '=', decision)
    .executeTakeFirstOrThrow();
  if (before === null) throw new RequestError('nothing_to_undo', 'What was before this decision was not kept.');
  // written by `undoTo`, and nowhere else
  return JSON.parse(before) as Before;
}

function stateOf(db: Kysely<Schema>, id: number): Promise<Before> {
  return db.selectFrom('findings').select(COLUMNS).where('id', '=', id).executeTakeFirstOrThrow();
}
