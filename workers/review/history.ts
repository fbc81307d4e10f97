/** What people decided on a claim and its citations so far, whichever model had judged them. */
import type { Kysely } from 'kysely';
import type { Decision, DecisionReason, Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';

export interface PastDecision {
  id: number;
  decision: Decision;
  /** Name of the account; null for decisions from before there was a sign-in. */
  by: string | null;
  reason: DecisionReason | null;
  /** A person's own words: only ever shown as text. */
  comment: string | null;
  /** ISO time. */
  at: string;
  /** ISO time at which who decided took it back; null: it was not. */
  undoneAt: string | null;
  /** What was decided on; null for decisions from before that was kept. */
  verdict: Verdict | null;
  revision: number | null;
  model: string | null;
}

/** Of a finding, the oldest first; those that were undone too. Throws RequestError `not_found`. */
export async function history(db: Kysely<Schema>, id: number): Promise<PastDecision[]> {
  const columns = ['wiki', 'page_id', 'claim_hash', 'citations_hash'] as const;
  const anchor = await db.selectFrom('findings').select(columns).where('id', '=', id).executeTakeFirst();
  if (anchor === undefined) throw new RequestError('not_found', `There is no finding ${id}.`);
  return past(db)
    .innerJoin('findings', 'findings.id', 'decisions.finding_id')
    .where((at) => at.and(prefixed(anchor)))
    .orderBy('decisions.id')
    .execute();
}

/** The last decision on this finding that was not undone, and who made it; null if there is none. */
export async function lastDecision(
  db: Kysely<Schema>,
  id: number,
): Promise<(PastDecision & { userId: number | null }) | null> {
  const row = await past(db)
    .select('decisions.user_id as userId')
    .where('decisions.finding_id', '=', id)
    .where('decisions.undone_at', 'is', null)
    .orderBy('decisions.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

function past(db: Kysely<Schema>) {
  return db
    .selectFrom('decisions')
    .leftJoin('users', 'users.id', 'decisions.user_id')
    .select(['decisions.id', 'decisions.decision', 'users.name as by', 'decisions.reason', 'decisions.comment'])
    .select(['decisions.created_at as at', 'decisions.undone_at as undoneAt'])
    .select(['decisions.verdict', 'decisions.revision', 'decisions.model']);
}

/** `users` has a wiki too. */
function prefixed(anchor: { wiki: string; page_id: number; claim_hash: string; citations_hash: string }) {
  return {
    'findings.wiki': anchor.wiki,
    'findings.page_id': anchor.page_id,
    'findings.claim_hash': anchor.claim_hash,
    'findings.citations_hash': anchor.citations_hash,
  };
}
