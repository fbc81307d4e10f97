/** Checks in the review database: rows in, rows out. What they stand at is found in `standing.ts`. */
import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { Finding } from '../../../shared/citation.ts';
import type { Found } from '../../../shared/found.ts';
import { hashCitations } from '../../../shared/hash.ts';
import { type CheckTable, type Schema, writing } from '../database.ts';
import type { CheckFailure, CheckState } from './check.ts';

export type CheckRow = Selectable<CheckTable>;

/** A finding that a check has brought. */
export interface CheckedFinding {
  id: number;
  finding: Finding;
}

const OPEN = ['waiting', 'running'] as const;

/**
 * The check of its subject that is not over, or else this one, which is inserted: on whichever services they ask at once, all get the
 * same. Each gets a key, by which they say that they wait no longer.
 */
export async function joinCheck(db: Kysely<Schema>, row: CheckRow): Promise<{ id: string; key: string }> {
  const key = randomBytes(24).toString('base64url');
  const id = await writing(db, async (trx) => {
    const [same] = await openChecks(trx, row.subject);
    if (same === undefined) await trx.insertInto('checks').values(row).execute();
    const joined = { check_id: same?.id ?? row.id, hash: hashKey(key) };
    await trx.insertInto('check_keys').values(joined).execute();
    return joined.check_id;
  });
  return { id, key };
}

/** Of one that could not be begun. */
export async function deleteCheck(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('check_keys').where('check_id', '=', id).execute();
  await db.deleteFrom('checks').where('id', '=', id).execute();
}

export function findCheck(db: Kysely<Schema>, id: string): Promise<CheckRow | undefined> {
  return db.selectFrom('checks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Those that were not over when they were looked at last; of one subject, or all. */
export function openChecks(db: Kysely<Schema>, subject?: string): Promise<CheckRow[]> {
  const open = db.selectFrom('checks').selectAll().where('state', 'in', OPEN);
  return (subject === undefined ? open : open.where('subject', '=', subject)).orderBy('created_at').execute();
}

/** False where it was over already. */
export async function setState(
  db: Kysely<Schema>,
  id: string,
  to: { state: CheckState; reason: CheckFailure | null; finishedAt: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checks')
    .set({ state: to.state, reason: to.reason, finished_at: to.finishedAt })
    .where('id', '=', id)
    .where('state', 'in', OPEN)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many wait still; null for a key that is none of this check's. */
export async function takeKey(db: Kysely<Schema>, id: string, key: string): Promise<number | null> {
  return writing(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('check_keys')
      .where('check_id', '=', id)
      .where('hash', '=', hashKey(key))
      .executeTakeFirst();
    if (numDeletedRows === 0n) return null;
    const { count } = await trx
      .selectFrom('check_keys')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('check_id', '=', id)
      .executeTakeFirstOrThrow();
    return count;
  });
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** What the review stage tells of checks. Each of them may be told twice, and of a check that is not there. */
export interface CheckRecords {
  revision(id: string, claims: number): Promise<void>;
  finding(id: string, finding: Finding): Promise<void>;
  found(id: string, found: Found): Promise<void>;
}

export function createRecords(db: Kysely<Schema>): CheckRecords {
  return {
    async revision(id, claims) {
      await db.updateTable('checks').set({ claims }).where('id', '=', id).execute();
    },
    async finding(id, { claim, citations }) {
      if ((await findCheck(db, id)) === undefined) return;
      await db
        .insertInto('check_claims')
        .values({ check_id: id, claim_hash: claim.hash, citations_hash: hashCitations(citations) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async found(id, found) {
      await db
        .updateTable('checks')
        .set({ found: JSON.stringify(found) })
        .where('id', '=', id)
        .execute();
    },
  };
}

/** Claims of which the check has brought a finding. */
export async function countJudged(db: Kysely<Schema>, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('check_claims')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('check_id', '=', id)
    .executeTakeFirstOrThrow();
  return count;
}

/** In the order of the queue; what another model has judged since is left to that. */
export async function checkedFindings(db: Kysely<Schema>, id: string, limit: number): Promise<CheckedFinding[]> {
  const rows = await db
    .selectFrom('check_claims')
    .innerJoin('checks', 'checks.id', 'check_claims.check_id')
    .innerJoin('findings', (join) =>
      join
        .onRef('findings.wiki', '=', 'checks.wiki')
        .onRef('findings.page_id', '=', 'checks.page_id')
        .onRef('findings.claim_hash', '=', 'check_claims.claim_hash')
        .onRef('findings.citations_hash', '=', 'check_claims.citations_hash'),
    )
    .select(['findings.id', 'findings.finding'])
    .where('checks.id', '=', id)
    .where((at) =>
      at.or([at('findings.closed_because', 'is', null), at('findings.closed_because', '!=', 'superseded')]),
    )
    .orderBy('findings.position')
    .orderBy('findings.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, finding: Finding.parse(JSON.parse(row.finding)) }));
}
