/** The findings of a page beside a revision's claims: which are closed, and by what; which are open or accepted again. */
import type { Transaction } from 'kysely';
import { Finding } from '../../shared/citation.ts';
import type { Schema } from './database.ts';
import { explain, type Gone, type KnownClaim, keyOf } from './gone.ts';
import { claimOf, type PageRow, standingOn } from './page.ts';
import type { Revision } from './reconcile.ts';
import { type State, stateAfter } from './stand.ts';

export type FoundRow = Awaited<ReturnType<typeof findingsOn>>[number];

/** Those judged at this revision or before; of a restored page all, since what came after may not have been restored. */
export function findingsOn(trx: Transaction<Schema>, { wiki, page, revision, restored }: Revision) {
  return trx
    .selectFrom('findings')
    .select(['id', 'claim_hash as claim', 'citations_hash as citations', 'state', 'closed_because'])
    .select(['decision', 'verdict'])
    .where((at) => at.and({ wiki, page_id: page.id }))
    .$if(restored === undefined, (query) => query.where('revision', '<=', revision))
    .execute();
}

/** Claims that the page had, or that a finding stands on, and that the revision has not; by key. `into`: where nobody checks it yet. */
export async function whatIsGone(
  trx: Transaction<Schema>,
  { anchors, reverts = false }: Revision,
  known: PageRow | undefined,
  rows: readonly FoundRow[],
): Promise<Map<string, Gone>> {
  const present = new Set(anchors.map(keyOf));
  const before = known === undefined ? [] : standingOn(known);
  const keys = new Set(before.map(keyOf));
  const described = new Set(before.filter(({ words }) => words !== '').map(keyOf));
  const unknown = rows.filter((row) => stands(row) && !present.has(keyOf(row)) && !described.has(keyOf(row)));
  const left = before.filter((claim) => !present.has(keyOf(claim)));
  const gone = [...left, ...(await claimsOf(trx, unknown))];
  const checking = new Set(anchors.filter((anchor) => anchor.checking).map(keyOf));
  // a revert brings nothing that is worth a check: if there is, it was one edit of several
  const undoes = checking.size > 0 ? 'also' : 'only';
  const happened = explain({ gone, standing: anchors, before: keys, reverts: reverts ? undoes : 'not' });
  return new Map(
    gone.map((claim) => {
      const { because, into } = happened(claim);
      return [keyOf(claim), { because, into: into === null || checking.has(keyOf(into)) ? null : into }];
    }),
  );
}

async function claimsOf(trx: Transaction<Schema>, rows: readonly FoundRow[]): Promise<KnownClaim[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await trx.selectFrom('findings').select('finding').where('id', 'in', ids).execute();
  return found.map(({ finding }) => claimOf(Finding.parse(JSON.parse(finding))));
}

function stands(row: FoundRow): boolean {
  return row.state !== 'closed';
}

/** Gives the claims that took the place of what was closed, and that nobody checks yet. */
export async function settle(
  trx: Transaction<Schema>,
  { anchors }: Revision,
  rows: readonly FoundRow[],
  gone: ReadonlyMap<string, Gone>,
): Promise<KnownClaim[]> {
  const present = new Set(anchors.map(keyOf));
  const closing = rows.filter((row) => stands(row) && !present.has(keyOf(row)));
  const reasonOf = (row: FoundRow) => gone.get(keyOf(row))?.because ?? 'removed';
  for (const because of new Set(closing.map(reasonOf))) {
    const those = closing.filter((row) => reasonOf(row) === because);
    await setState(trx, those, { state: 'closed', closed_because: because });
  }
  const back = rows.filter((row) => isAbsent(row.closed_because) && present.has(keyOf(row)));
  for (const row of back) await setState(trx, [row], stateAfter(row.decision, row.verdict));
  return closing.flatMap((row) => gone.get(keyOf(row))?.into ?? []);
}

/** Its claim was gone: it opens when that is back, or waits to be mended again. */
function isAbsent(closedBecause: FoundRow['closed_because']): boolean {
  return closedBecause !== null && closedBecause !== 'decided' && closedBecause !== 'superseded';
}

async function setState(trx: Transaction<Schema>, rows: readonly { id: number }[], state: State): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await trx
    .updateTable('findings')
    .set({ ...state, updated_at: new Date().toISOString() })
    .where('id', 'in', ids)
    .execute();
}
