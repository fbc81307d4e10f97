/**
 * A revision → which findings of its page still have their claim: those whose claim or citations are gone are closed by what
 * happened to them, those that came back are open again. What a person rejected stays closed; an accepted finding whose claim or
 * citations are gone is mended, and accepted again if they come back. Out: the check of claims that stand in other words now, or with other citations, and that nobody checks.
 */
import type { Kysely, Transaction } from 'kysely';
import type { Input, Next } from '../../shared/pipeline.ts';
import { type Schema, writing } from './database.ts';
import { type Gone, keyOf } from './gone.ts';
import { isUnmended } from './matching.ts';
import { findPage, goneFrom, type PageRow, refreshCoverage, writeClaims, writeGone } from './page.ts';
import { recheck } from './recheck.ts';
import { findingsOn, settle, whatIsGone } from './settle.ts';

export type Revision = Extract<Input<'review'>, { kind: 'revision' }>;
export type PageDeleted = Extract<Input<'review'>, { kind: 'page_deleted' }>;

type PageColumns = Omit<PageRow, 'wiki' | 'page_id'>;

/** A revision older than the newest one known changes nothing; nor does any that a deleted page had before, unless it was restored. */
export async function reconcile(db: Kysely<Schema>, revision: Revision): Promise<Next[]> {
  return writing(db, async (trx) => {
    const known = await findPage(trx, revision.wiki, revision.page.id);
    if (known !== undefined && isOld(revision, known)) return [];
    const rows = await findingsOn(trx, revision);
    const gone = await whatIsGone(trx, revision, known, rows);
    await savePage(trx, revision, known, columnsOf(revision, known, gone));
    await moveFindings(trx, revision);
    const instead = await settle(trx, revision, rows, gone);
    await refreshCoverage(trx, revision.wiki, revision.page.id);
    return recheck(trx, revision, instead);
  });
}

/** Closes what stands on the page, and forgets its claims. A page that is not known yet is kept as deleted at revision 0. */
export async function pageDeleted(db: Kysely<Schema>, { wiki, page, event }: PageDeleted): Promise<void> {
  await writing(db, async (trx) => {
    const known = await findPage(trx, wiki, page.id);
    const log = logOf(event) ?? known?.last_log ?? 0;
    if (known !== undefined && log < known.last_log) return;
    const { title, revision } = known ?? { title: page.title, revision: 0 };
    const empty = { claims: 0, checked: 0, anchors: '[]', gone: null, deleted: 1, last_log: log } as const;
    await savePage(trx, { wiki, page }, known, { title, revision, ...empty });
    await trx
      .updateTable('findings')
      .set({ state: 'closed', closed_because: 'page_deleted', updated_at: new Date().toISOString() })
      .where((at) => at.and([at.and({ wiki, page_id: page.id }), isUnmended(at)]))
      .execute();
  });
}

/** While a page is deleted, what is still said of the revisions that it had is late. A restored one may have lost its newest. */
function isOld({ revision, restored }: Revision, known: PageRow): boolean {
  const log = logOf(restored);
  if (log !== null) return log < known.last_log;
  return revision < known.revision || (known.deleted === 1 && revision === known.revision);
}

function logOf(event: string | undefined): number | null {
  const [kind, number] = event?.split('-') ?? [];
  return kind === 'log' ? Number(number) : null;
}

function columnsOf(revision: Revision, known: PageRow | undefined, gone: ReadonlyMap<string, Gone>): PageColumns {
  const { page, claims, anchors, restored } = revision;
  const present = new Set(anchors.map(keyOf));
  const earlier =
    known === undefined ? [] : [...goneFrom(known)].filter(([key]) => !present.has(key) && !gone.has(key));
  return {
    title: page.title,
    revision: revision.revision,
    claims,
    checked: 0,
    anchors: writeClaims(anchors),
    gone: writeGone(new Map([...gone, ...earlier])),
    deleted: 0,
    last_log: logOf(restored) ?? known?.last_log ?? 0,
  };
}

async function savePage(
  trx: Transaction<Schema>,
  { wiki, page }: Pick<Revision, 'wiki' | 'page'>,
  known: PageRow | undefined,
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
