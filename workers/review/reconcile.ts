/**
 * A revision → which findings of its page still have their claim: those whose claim or citations are gone are closed, those
 * that came back (a revert) are open again. Findings that a person decided stay as they are.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Input } from '../../shared/pipeline.ts';
import type { Schema } from './database.ts';
import { anchorOf, findPage, refreshCoverage } from './page.ts';

export type Revision = Extract<Input<'review'>, { kind: 'revision' }>;
export type PageDeleted = Extract<Input<'review'>, { kind: 'page_deleted' }>;

/** A revision older than the newest one known changes nothing. */
export async function reconcile(db: Kysely<Schema>, revision: Revision): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const known = await findPage(trx, revision.wiki, revision.page.id);
    if (known !== undefined && known.revision > revision.revision) return;
    await savePage(trx, revision, known !== undefined);
    await settle(trx, revision);
    await refreshCoverage(trx, revision.wiki, revision.page.id);
  });
}

/** Closes what is open on the page, and forgets its claims. */
export async function pageDeleted(db: Kysely<Schema>, { wiki, page }: PageDeleted): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('pages')
      .set({ deleted: 1, anchors: '[]', claims: 0, checked: 0 })
      .where('wiki', '=', wiki)
      .where('page_id', '=', page.id)
      .execute();
    await trx
      .updateTable('findings')
      .set({ state: 'closed', closed_because: 'page_deleted', updated_at: new Date().toISOString() })
      .where('wiki', '=', wiki)
      .where('page_id', '=', page.id)
      .where('state', '=', 'open')
      .execute();
  });
}

async function savePage(trx: Transaction<Schema>, revision: Revision, isKnown: boolean): Promise<void> {
  const { wiki, page } = revision;
  const values = {
    title: page.title,
    revision: revision.revision,
    claims: revision.claims,
    checked: 0,
    anchors: JSON.stringify(revision.anchors.map((anchor) => anchorOf(anchor.claim, anchor.citations))),
    deleted: 0,
  } as const;
  const where = { wiki, page_id: page.id };
  if (isKnown) {
    await trx
      .updateTable('pages')
      .set(values)
      .where((at) => at.and(where))
      .execute();
  } else {
    await trx
      .insertInto('pages')
      .values({ ...where, ...values })
      .execute();
  }
  await trx
    .updateTable('findings')
    .set({ page_title: page.title })
    .where((at) => at.and(where))
    .execute();
}

async function settle(trx: Transaction<Schema>, revision: Revision): Promise<void> {
  const present = new Set(revision.anchors.map((anchor) => anchorOf(anchor.claim, anchor.citations)));
  const rows = await trx
    .selectFrom('findings')
    .select(['id', 'claim_hash', 'citations_hash', 'state', 'closed_because'])
    .where('wiki', '=', revision.wiki)
    .where('page_id', '=', revision.page.id)
    .where('revision', '<=', revision.revision)
    .execute();
  const isPresent = (row: (typeof rows)[number]) => present.has(anchorOf(row.claim_hash, row.citations_hash));
  const gone = rows.filter((row) => row.state === 'open' && !isPresent(row));
  const back = rows.filter((row) => isAbsent(row.closed_because) && isPresent(row));
  await setState(trx, gone, 'closed', 'changed');
  await setState(trx, back, 'open', null);
}

function isAbsent(closedBecause: string | null): boolean {
  return closedBecause === 'changed' || closedBecause === 'page_deleted';
}

async function setState(
  trx: Transaction<Schema>,
  rows: readonly { id: number }[],
  state: 'open' | 'closed',
  closedBecause: 'changed' | null,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await trx
    .updateTable('findings')
    .set({ state, closed_because: closedBecause, updated_at: new Date().toISOString() })
    .where('id', 'in', ids)
    .execute();
}
