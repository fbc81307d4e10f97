/** What is known of a page: its newest revision, the anchors in it, and how many of them are checked. */
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Finding } from '../../shared/citation.ts';
import { hashCitations } from '../../shared/hash.ts';
import type { PageTable, Schema } from './database.ts';

/** Claims of a page's newest revision, and how many of them have a finding, whatever its verdict. */
export interface Coverage {
  claims: number;
  checked: number;
}

const Anchors = z.array(z.string());

export function anchorOf(claimHash: string, citationsHash: string): string {
  return `${claimHash}-${citationsHash}`;
}

export function findPage(db: Kysely<Schema>, wiki: string, id: number): Promise<Selectable<PageTable> | undefined> {
  return db.selectFrom('pages').selectAll().where('wiki', '=', wiki).where('page_id', '=', id).executeTakeFirst();
}

/** Why a finding that arrives late has no claim to stand on any more; null if it has. */
export function absence(page: Selectable<PageTable> | undefined, finding: Finding): 'changed' | 'page_deleted' | null {
  if (page?.deleted === 1) return 'page_deleted';
  if (page === undefined || finding.revision > page.revision) return null;
  const anchor = anchorOf(finding.claim.hash, hashCitations(finding.citations));
  return finding.revision === page.revision || anchorsOf(page).includes(anchor) ? null : 'changed';
}

/** Counts anew how many of the page's anchors have a finding. */
export async function refreshCoverage(db: Kysely<Schema>, wiki: string, id: number): Promise<void> {
  const page = await findPage(db, wiki, id);
  if (page === undefined) return;
  const rows = await db
    .selectFrom('findings')
    .select(['claim_hash', 'citations_hash'])
    .where('wiki', '=', wiki)
    .where('page_id', '=', id)
    .execute();
  const found = new Set(rows.map((row) => anchorOf(row.claim_hash, row.citations_hash)));
  const checked = anchorsOf(page).filter((anchor) => found.has(anchor)).length;
  await db.updateTable('pages').set({ checked }).where('wiki', '=', wiki).where('page_id', '=', id).execute();
}

function anchorsOf(page: Selectable<PageTable>): string[] {
  return Anchors.parse(JSON.parse(page.anchors));
}

/** Of one page, of one wiki, or of all; null where no page is known. */
export async function coverage(db: Kysely<Schema>, at: { wiki?: string; page?: string }): Promise<Coverage | null> {
  let query = db
    .selectFrom('pages')
    .select(({ fn }) => [fn.countAll<number>().as('pages'), fn.sum<number>('claims').as('claims')])
    .select(({ fn }) => fn.sum<number>('checked').as('checked'));
  if (at.wiki !== undefined) query = query.where('wiki', '=', at.wiki);
  if (at.page !== undefined) query = query.where('title', '=', at.page);
  const sums = await query.executeTakeFirstOrThrow();
  return sums.pages === 0 ? null : { claims: sums.claims, checked: sums.checked };
}
