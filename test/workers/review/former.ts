/**
 * The version before people could sign in (schema 0003), as far as a database sees it: what it asks and what it writes, in the words
 * that it had. In: a database of that schema or a later one.
 */
import type { Kysely } from 'kysely';
import type { Finding } from '../../../shared/citation.ts';
import { hashCitations } from '../../../shared/hash.ts';
import { transact } from '../../../shared/sql.ts';
import { positionOf } from '../../../workers/review/position.ts';

/** Tables of other versions have no types. */
export type Tables = Record<string, Record<string, unknown>>;

const SETTLED = ['unsupported_language', 'uncheckable', 'supported'];

/** Claim texts of open findings, as its list has them. */
export async function formerList(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('findings')
    .selectAll()
    .where('state', '=', 'open')
    .where('verdict', 'not in', SETTLED)
    .where((at) => at.or([at('position', '>', -1), at.and([at('position', '=', -1), at('id', '>', 0)])]))
    .orderBy('position')
    .orderBy('id')
    .limit(50)
    .execute();
  // written as a `Finding`
  return rows.map((row) => (JSON.parse(String(row.finding)) as Finding).claim.text);
}

export async function formerCounts(db: Kysely<Tables>): Promise<Record<string, number>> {
  const query = db.selectFrom('findings').select(({ fn }) => ['verdict', fn.countAll<number>().as('count')]);
  const rows = await query.where('state', '=', 'open').groupBy('verdict').execute();
  return Object.fromEntries(rows.map(({ verdict, count }) => [String(verdict), count]));
}

export function formerHistory(db: Kysely<Tables>, id: number) {
  return db
    .selectFrom('decisions')
    .innerJoin('findings', 'findings.id', 'decisions.finding_id')
    .select(['decisions.decision', 'decisions.comment', 'decisions.created_at as at'])
    .select(['decisions.verdict', 'decisions.revision', 'decisions.model'])
    .where('findings.id', '=', id)
    .orderBy('decisions.id')
    .execute();
}

export async function formerRecord(db: Kysely<Tables>, finding: Finding): Promise<void> {
  const { wiki, page, revision, claim, model, verdict, score, reason, citations } = finding;
  const now = new Date().toISOString();
  await transact(db, async (trx) => {
    const { id } = await trx
      .insertInto('findings')
      .values({
        ...{ wiki, page_id: page.id, page_title: page.title, revision, model, verdict, score, reason },
        ...{ claim_hash: claim.hash, citations_hash: hashCitations(citations), finding: JSON.stringify(finding) },
        ...{ state: 'open', closed_because: null, decision: null, reopened_because: null, deferrals: 0 },
        ...{ position: positionOf(finding, 0), created_at: now, updated_at: now, judged_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const cited = [...new Map(citations.map((one) => [one.hash, one.reason]))];
    const rows = cited.map(([hash, why]) => ({ finding_id: id, hash, reason: why }));
    await trx.insertInto('citations').values(rows).execute();
  });
}

/** Nobody had a name then. */
export async function formerDecide(db: Kysely<Tables>, id: number): Promise<void> {
  const made = { finding_id: id, decision: 'accept', user: null, comment: null, created_at: new Date().toISOString() };
  await db
    .insertInto('decisions')
    .values({ ...made, verdict: 'not_supported', revision: 12, model: 'a' })
    .execute();
}
