/**
 * A person's decision → kept in the history with what was decided on, and the finding accepted, closed or put off. Needs the person's
 * lease. What it means in the article, and who may ask, are not known here.
 */
import { type Kysely, sql, type Transaction, type UpdateObject } from 'kysely';
import { z } from 'zod';
import { Decision, DecisionReason, Hash } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';
import { lastDecision } from './history.ts';
import { judgedKey } from './judged.ts';
import { holderOf, type Person, releaseLease, requireLease } from './leases.ts';
import { DEFERRAL } from './position.ts';
import { get, type Row } from './queue.ts';
import { reasonsFor } from './reasons.ts';
import { isFinal, stateAfter } from './stand.ts';
import { undoTo } from './undo.ts';
import { whatWasDecided, whyClosed } from './why-closed.ts';

export const DecisionRequest = z.object({
  decision: Decision,
  reason: DecisionReason.optional(),
  comment: z.string().trim().max(2000).optional(),
  /** `judgedKey` of the finding as the person saw it. Left out, a judgement that came since is not noticed. */
  judged: Hash.optional(),
});
export type DecisionRequest = z.infer<typeof DecisionRequest>;

/** An empty field of a form is one that is left out. */
const blank = (value: unknown) => (value === '' ? undefined : value);
const { decision, reason, comment, judged } = DecisionRequest.shape;

export const DecisionForm = z.object({
  decision,
  reason: z.preprocess(blank, reason),
  comment: z.preprocess(blank, comment),
  judged: z.preprocess(blank, judged),
});

/**
 * Accept and reject settle the finding; skip and can't tell put it behind all others. The person's lease ends with it. The same
 * decision sent twice is answered as done. Must run within a transaction. Throws RequestError `not_found`, `decided`, `closed`,
 * `no_lease`, `stale`, or `invalid` for a reason that does not fit; then nothing is changed.
 */
export async function decide(
  trx: Transaction<Schema>,
  id: number,
  request: DecisionRequest,
  person: Person,
  now: number,
): Promise<Row> {
  const row = await get(trx, id);
  if (await isRepeated(trx, row, request, person, now)) return row;
  await refuseSettled(trx, row);
  await requireLease(trx, id, person, now);
  refuseUnfit(row, request);
  await keep(trx, row, request, person, now);
  await trx
    .updateTable('findings')
    .set(changesOf(row, request, person, now))
    .where('id', '=', id)
    .execute();
  await releaseLease(trx, id, person);
  return get(trx, id);
}

/** A form sent twice: the first has given the lease back. Who opened the finding anew decides anew. */
async function isRepeated(
  trx: Transaction<Schema>,
  { id }: Row,
  { decision, reason, comment = '' }: DecisionRequest,
  person: Person,
  now: number,
): Promise<boolean> {
  const last = await lastDecision(trx, id);
  if (last === null || last.userId !== person.id) return false;
  if (last.decision !== decision || last.reason !== (reason ?? null) || (last.comment ?? '') !== comment) return false;
  return (await holderOf(trx, id, now))?.userId !== person.id;
}

/** Throws RequestError `decided`, which says who decided what and when, or `closed`. */
export async function refuseSettled(db: Kysely<Schema>, row: Row): Promise<void> {
  if (row.state === 'open') return;
  if (row.state === 'closed' && row.closedBecause !== 'decided') throw new RequestError('closed', whyClosed(row));
  const last = await lastDecision(db, row.id);
  const when = last === null ? '' : ` on ${last.at.slice(0, 10)} at ${last.at.slice(11, 16)} UTC`;
  const who = last?.by ?? 'A person';
  throw new RequestError('decided', `${who} decided on this finding${when}. ${whatWasDecided(row)}`);
}

function refuseUnfit({ finding }: Row, { decision, reason, judged }: DecisionRequest): void {
  if (judged !== undefined && judged !== judgedKey(finding)) {
    throw new RequestError(
      'stale',
      'The claim was judged anew since you saw it. Look at the finding again, then decide.',
    );
  }
  const fitting = reasonsFor(decision, finding.verdict);
  if (reason === undefined || fitting.includes(reason)) return;
  const offered = fitting.length === 0 ? 'there is none' : `there are ${fitting.join(', ')}`;
  throw new RequestError('invalid', `reason: ${reason} does not fit here; for this decision ${offered}`);
}

/** With what was decided on: the finding may be judged again. */
async function keep(
  trx: Transaction<Schema>,
  { id, finding }: Row,
  { decision, reason, comment }: DecisionRequest,
  person: Person,
  now: number,
): Promise<void> {
  const { verdict, revision, model } = finding;
  const said = { decision, reason: reason ?? null, comment: comment || null };
  const judged = { verdict, revision, model, judged: JSON.stringify(finding) };
  const at = { finding_id: id, user_id: person.id, created_at: new Date(now).toISOString() };
  await trx
    .insertInto('decisions')
    .values({ ...at, ...said, ...judged, undo_to: await undoTo(trx, id) })
    .execute();
}

function changesOf({ finding }: Row, { decision }: DecisionRequest, person: Person, now: number) {
  const changes: UpdateObject<Schema, 'findings'> = {
    ...stateAfter(decision, finding.verdict),
    decision,
    decided_by: person.id,
    updated_at: new Date(now).toISOString(),
  };
  if (isFinal(decision)) return { ...changes, reopened_because: null };
  return {
    ...changes,
    deferrals: sql<number>`deferrals + 1`,
    position: sql<number>`position + ${DEFERRAL}`,
  };
}
