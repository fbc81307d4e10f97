/** A person's decision → kept in the history, and the finding closed or put off. Who decides is not known yet. */
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { Decision } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';
import { DEFERRAL, get, isToMend, type Row } from './queue.ts';
import { isFinal } from './stand.ts';

export const DecisionRequest = z.object({ decision: Decision, comment: z.string().trim().max(2000).optional() });
export type DecisionRequest = z.infer<typeof DecisionRequest>;

/**
 * Accept and reject close the finding; skip and can't tell put it behind all others. It is on disk when this returns.
 * Throws RequestError `not_found`, or `conflict` if the finding is closed.
 */
export async function decide(db: Kysely<Schema>, id: number, request: DecisionRequest): Promise<Row> {
  return db.transaction().execute(async (trx) => {
    const row = await get(trx, id);
    if (row.state === 'closed') throw new RequestError('conflict', whyClosed(row));
    const now = new Date().toISOString();
    await keep(trx, row, request, now);
    const closes = isFinal(request.decision);
    await trx
      .updateTable('findings')
      .set({ decision: request.decision, updated_at: now })
      .$if(closes, (query) => query.set({ state: 'closed', closed_because: 'decided', reopened_because: null }))
      .$if(!closes, (query) => query.set(putOff))
      .where('id', '=', id)
      .execute();
    return get(trx, id);
  });
}

/** With what was decided on: the finding may be judged again. */
async function keep(trx: Transaction<Schema>, row: Row, request: DecisionRequest, now: string): Promise<void> {
  const { decision, comment } = request;
  const { verdict, revision, model } = row.finding;
  const made = { finding_id: row.id, decision, user_id: null, comment: comment || null, created_at: now };
  await trx
    .insertInto('decisions')
    .values({ ...made, verdict, revision, model })
    .execute();
}

function putOff(row: ExpressionBuilder<Schema, 'findings'>) {
  return { deferrals: row('deferrals', '+', 1), position: row('position', '+', DEFERRAL) };
}

/** In words for people. */
export function whyClosed(row: Row): string {
  switch (row.closedBecause) {
    case 'fixed':
      return 'The claim has other citations on the page now.';
    case 'reverted':
      return 'The edit that brought this claim or its citation has been undone.';
    case 'reworded':
      return 'The claim has other words on the page now: they are checked by themselves.';
    case 'removed':
      return 'The claim and its citations are no longer on the page.';
    case 'page_deleted':
      return 'The page has been deleted since, or is no article any more.';
    case 'superseded':
      return 'A newer model has judged this claim since.';
    default:
      return whatWasDecided(row);
  }
}

function whatWasDecided({ decision, finding }: Row): string {
  if (!isToMend(finding.verdict)) return decision === 'accept' ? 'A person accepted it.' : 'A person rejected it.';
  return decision === 'accept'
    ? 'A person accepted it: the citation fails. In the article, the gadget offers to mend it.'
    : 'A person rejected it: the citation is fine.';
}
