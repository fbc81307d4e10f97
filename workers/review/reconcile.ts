/**
 * A revision → which findings of its page still have their claim: those whose claim or citations are gone are closed, those
 * that came back (a revert) are open again. What a person decided stays decided; an accepted finding whose claim or citations
 * are gone is mended.
 */
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Input } from '../../shared/pipeline.ts';
import type { PageTable, Schema } from './database.ts';
import { anchorOf, findPage, refreshCoverage } from './page.ts';

export type Revision = Extract<Input<'review'>, { kind: 'revision' }>;
export type PageDeleted = Extract<Input<'review'>, { kind: 'page_deleted' }>;

type PageColumns = Omit<Selectable<PageTable>, 'wiki' | 'page_id'>;

/** A revision older than the newest one known changes nothing; nor does any that a deleted page had before. */
export async function reconcile(db: Kysely<Schema>, revision: Revision): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const known = await findPage(trx, revision.wiki, revision.page.id);
    if (known !== undefined && isOld(revision, known)) return;
    await savePage(trx, revision, known, columnsOf(revision));
    await moveFindings(trx, revision);
    await settle(trx, revision);
    await refreshCoverage(trx, revision.wiki, revision.page.id);
  });
}

/** Closes what is open on the page, and forgets its claims. A page that is not known yet is kept as deleted at revision 0. */
export async function pageDeleted(db: Kysely<Schema>, { wiki, page }: PageDeleted): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const known = await findPage(trx, wiki, page.id);
    const { title, revision } = known ?? { title: page.title, revision: 0 };
    const gone = { title, revision, claims: 0, checked: 0, anchors: '[]', deleted: 1 } as const;
    await savePage(trx, { wiki, page }, known, gone);
    await trx
      .updateTable('findings')
      .set({ state: 'closed', closed_because: 'page_deleted', updated_at: new Date().toISOString() })
      .where('wiki', '=', wiki)
      .where('page_id', '=', page.id)
      .where('state', '=', 'open')
      .execute();
  });
}

/** While a page is deleted, what is still said of the revisions that it had is late. */
function isOld({ revision }: Revision, known: Selectable<PageTable>): boolean {
  return revision < known.revision || (known.deleted === 1 && revision === known.revision);
}

function columnsOf({ page, revision, claims, anchors }: Revision): PageColumns {
  const present = anchors.map((anchor) => anchorOf(anchor.claim, anchor.citations));
  return { title: page.title, revision, claims, checked: 0, anchors: JSON.stringify(present), deleted: 0 };
}

async function savePage(
  trx: Transaction<Schema>,
  { wiki, page }: Pick<Revision, 'wiki' | 'page'>,
  known: Selectable<PageTable> | undefined,
  columns: PageColumns,
): Promise<void> {
  const key = { wiki, page_id: page.id };
  if (known === undefined) {
    await trx
      .insertInto('pages')
      .values({ ...key, ...columns })
      .execute();
  } else {
    await trx
      .updateTable('pages')
      .set(columns)
      .where((at) => at.and(key))
      .execute();
  }
}

async function moveFindings(trx: Transaction<Schema>, { wiki, page }: Revision): Promise<void> {
  await trx
    .updateTable('findings')
    .set({ page_title: page.title })
    .where((at) => at.and({ wiki, page_id: page.id }))
    .execute();
}

async function settle(trx: Transaction<Schema>, revision: Revision): Promise<void> {
  const present = new Set(revision.anchors.map((anchor) => anchorOf(anchor.claim, anchor.citations)));
  const rows = await trx
    .selectFrom('findings')
    .select(['id', 'claim_hash', 'citations_hash', 'state', 'closed_because', 'decision'])
    .where('wiki', '=', revision.wiki)
    .where('page_id', '=', revision.page.id)
    .where('revision', '<=', revision.revision)
    .execute();
  const isPresent = (row: (typeof rows)[number]) => present.has(anchorOf(row.claim_hash, row.citations_hash));
  const isAccepted = (row: (typeof rows)[number]) => row.decision === 'accept';
  const stands = (row: (typeof rows)[number]) =>
    row.state === 'open' || (isAccepted(row) && row.closed_because === 'decided');
  const gone = rows.filter((row) => stands(row) && !isPresent(row));
  const back = rows.filter((row) => isAbsent(row.closed_because) && isPresent(row));
  await setState(trx, gone, 'closed', 'changed');
  await setState(trx, back.filter(isAccepted), 'closed', 'decided');
  await setState(
    trx,
    back.filter((row) => !isAccepted(row)),
    'open',
    null,
  );
}

function isAbsent(closedBecause: string | null): boolean {
  return closedBecause === 'changed' || closedBecause === 'page_deleted';
}

async function setState(
  trx: Transaction<Schema>,
  rows: readonly { id: number }[],
  state: 'open' | 'closed',
  closedBecause: 'changed' | 'decided' | null,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await trx
    .updateTable('findings')
    .set({ state, closed_because: closedBecause, updated_at: new Date().toISOString() })
    .where('id', 'in', ids)
    .execute();
}
