/**
 * A finding → its row. Doing it twice changes nothing, an older revision never overwrites a newer one, and what a person
 * decided stays decided. Does not know which claims a revision has: see `reconcile.ts`.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { type ClosedBecause, Finding } from '../../shared/citation.ts';
import { hashCitations } from '../../shared/hash.ts';
import type { FindingTable, PageTable, Schema } from './database.ts';
import { absence, findPage, refreshCoverage } from './page.ts';
import { positionOf } from './queue.ts';

type FindingRow = Selectable<FindingTable>;

/** Throws only what the database throws; then nothing is changed and the job can be done again. */
export async function record(db: Kysely<Schema>, finding: Finding): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const rows = await sameAnchor(trx, finding);
    const own = rows.find((row) => row.model === finding.model);
    const others = rows.filter((row) => row !== own);
    if (isStale(finding, own, others)) return;
    const page = await findPage(trx, finding.wiki, finding.page.id);
    const isOutranked = outranked(finding, own, others);
    const closedBecause = isOutranked ? 'superseded' : absence(page, finding);
    await save(trx, titled(finding, page), own, isDecided(own) ? 'decided' : closedBecause);
    if (!isOutranked) await supersede(trx, others);
    await refreshCoverage(trx, finding.wiki, finding.page.id);
  });
}

async function sameAnchor(trx: Transaction<Schema>, finding: Finding): Promise<FindingRow[]> {
  return trx
    .selectFrom('findings')
    .selectAll()
    .where('wiki', '=', finding.wiki)
    .where('page_id', '=', finding.page.id)
    .where('claim_hash', '=', finding.claim.hash)
    .where('citations_hash', '=', hashCitations(finding.citations))
    .execute();
}

/** Newer is known already, or a person decided on the same claim and citations when another model had judged them. */
function isStale(finding: Finding, own: FindingRow | undefined, others: FindingRow[]): boolean {
  if (own !== undefined) return own.revision > finding.revision;
  return others.some(isDecided);
}

function isDecided(row: FindingRow | undefined): boolean {
  return row?.closed_because === 'decided';
}

/** Another model's finding is newer; or this one was superseded before and comes once more for the same revision. */
function outranked(finding: Finding, own: FindingRow | undefined, others: FindingRow[]): boolean {
  const newest = Math.max(-1, ...others.map((row) => row.revision));
  return newest > finding.revision || (own?.closed_because === 'superseded' && newest === finding.revision);
}

/** A page may have been moved since the revision that was judged. */
function titled(finding: Finding, page: Selectable<PageTable> | undefined): Finding {
  if (page === undefined || page.revision < finding.revision) return finding;
  return { ...finding, page: { ...finding.page, title: page.title } };
}

async function save(
  trx: Transaction<Schema>,
  finding: Finding,
  own: FindingRow | undefined,
  closedBecause: ClosedBecause | null,
): Promise<void> {
  const values = { ...columnsOf(finding, own), state: closedBecause === null ? 'open' : 'closed' } as const;
  const row = { ...values, closed_because: closedBecause };
  if (own === undefined) {
    await trx
      .insertInto('findings')
      .values({ ...row, decision: null, deferrals: 0, created_at: row.updated_at })
      .execute();
  } else {
    await trx.updateTable('findings').set(row).where('id', '=', own.id).execute();
  }
}

function columnsOf(finding: Finding, own: FindingRow | undefined) {
  const kept = own === undefined ? finding : keepSearch(finding, own);
  return {
    wiki: kept.wiki,
    page_id: kept.page.id,
    page_title: kept.page.title,
    revision: kept.revision,
    claim_hash: kept.claim.hash,
    citations_hash: hashCitations(kept.citations),
    model: kept.model,
    verdict: kept.verdict,
    score: kept.score,
    reason: kept.reason,
    finding: JSON.stringify(kept),
    position: positionOf(kept, own?.deferrals ?? 0),
    updated_at: new Date().toISOString(),
  };
}

/**
 * A finding is recorded before its search and again after it, in any order: what was searched is not lost, nor by a later search
 * that no part of the corpus answered. Another revision or another verdict has a search of its own.
 */
function keepSearch(finding: Finding, own: FindingRow): Finding {
  const isOther = own.revision !== finding.revision || own.verdict !== finding.verdict;
  const isAnswered = finding.searched !== null && finding.searched.shardsAnswered > 0;
  if (isAnswered || isOther) return finding;
  const { suggestion, searched } = Finding.parse(JSON.parse(own.finding));
  return { ...finding, suggestion, searched };
}

async function supersede(trx: Transaction<Schema>, others: FindingRow[]): Promise<void> {
  const ids = others.filter((row) => !isDecided(row)).map((row) => row.id);
  if (ids.length === 0) return;
  await trx
    .updateTable('findings')
    .set({ state: 'closed', closed_because: 'superseded' })
    .where('id', 'in', ids)
    .execute();
}
