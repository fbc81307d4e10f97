/** What people decided on a claim and its citations so far, whichever model had judged them. */
import type { Kysely } from 'kysely';
import type { Decision, Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';

export interface PastDecision {
  decision: Decision;
  comment: string | null;
  /** ISO time. */
  at: string;
  /** What was decided on; null for decisions from before that was kept. */
  verdict: Verdict | null;
  revision: number | null;
  model: string | null;
}

/** Of a finding, the oldest first. Throws RequestError `not_found`. */
export async function history(db: Kysely<Schema>, id: number): Promise<PastDecision[]> {
  const columns = ['wiki', 'page_id', 'claim_hash', 'citations_hash'] as const;
  const anchor = await db.selectFrom('findings').select(columns).where('id', '=', id).executeTakeFirst();
  if (anchor === undefined) throw new RequestError('not_found', `There is no finding ${id}.`);
  return db
    .selectFrom('decisions')
    .innerJoin('findings', 'findings.id', 'decisions.finding_id')
    .select(['decisions.decision', 'decisions.comment', 'decisions.created_at as at'])
    .select(['decisions.verdict', 'decisions.revision', 'decisions.model'])
    .where((at) => at.and(anchor))
    .orderBy('decisions.id')
    .execute();
}
