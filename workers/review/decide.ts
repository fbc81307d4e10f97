/** A person's decision → kept in the history, and the finding closed or put off. Who decides is not known yet. */
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { Decision } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';
import { DEFERRAL, get, isToMend, type Row } from './queue.ts';

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
    await keep(trx, id, request, now);
    const isFinal = request.decision === 'accept' || request.decision === 'reject';
    await trx
      .updateTable('findings')
      .set({ decision: request.decision, updated_at: now })
      .$if(isFinal, (query) => query.set({ state: 'closed', closed_because: 'decided' }))
      .$if(!isFinal, (query) => query.set(putOff))
      .where('id', '=', id)
      .execute();
    return get(trx, id);
  });
}

async function keep(trx: Transaction<Schema>, id: number, request: DecisionRequest, now: string): Promise<void> {
  const { decision, comment } = request;
  await trx
    .insertInto('decisions')
    .values({ finding_id: id, decision, user: null, comment: comment || null, created_at: now })
    .execute();
}

function putOff(row: ExpressionBuilder<Schema, 'findings'>) {
  return { deferrals: row('deferrals', '+', 1), position: row('position', '+', DEFERRAL) };
}

/** In words for people. */
export function whyClosed(row: Row): string {
  switch (row.closedBecause) {
    case 'changed':
      return 'The claim or its citation has been changed on the page since.';
    case 'page_deleted':
      return 'The page has been deleted since.';
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
