/** What is known of a page: its newest revision, the claims in it, what became of those before, and how many are checked. */
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { ClaimPair, Finding } from '../../shared/citation.ts';
import { hashCitations } from '../../shared/hash.ts';
import { sketchWords } from '../../shared/sketch.ts';
import type { PageTable, Schema } from './database.ts';
import { Absence, explain, type Gone, type KnownClaim, keyOf } from './gone.ts';
import { GROUP_KINDS, type GroupKind } from './groups.ts';

export type PageRow = Selectable<PageTable>;

/** Claims of a page's newest revision, and how many of them have a finding, whatever its verdict. */
export interface Coverage {
  claims: number;
  checked: number;
}

export function claimOf({ claim, citations }: ClaimPair): KnownClaim {
  const sources = citations.map(({ hash }) => hash);
  return { claim: claim.hash, citations: hashCitations(citations), sources, words: sketchWords(claim.text) };
}

export function findPage(db: Kysely<Schema>, wiki: string, id: number): Promise<PageRow | undefined> {
  return db.selectFrom('pages').selectAll().where('wiki', '=', wiki).where('page_id', '=', id).executeTakeFirst();
}

type Absent = Gone | { because: 'page_deleted'; into: null };

/** Why a finding that arrives late has no claim to stand on any more; null if it has. */
export function absence(page: PageRow | undefined, finding: Finding): Absent | null {
  if (page?.deleted === 1) return { because: 'page_deleted', into: null };
  if (page === undefined || finding.revision >= page.revision) return null;
  const claim = claimOf(finding);
  if (hasClaim(page, claim)) return null;
  const known = goneFrom(page).get(keyOf(claim));
  return known ?? explain({ gone: [], standing: standingOn(page), before: new Set(), reverts: 'not' })(claim);
}

/** Without parsing the column: a long list is asked for each of its claims. */
export function hasClaim(
  { anchors }: Pick<PageRow, 'anchors'>,
  claim: Pick<KnownClaim, 'claim' | 'citations'>,
): boolean {
  const start = `"${keyOf(claim)}`;
  return anchors.includes(`${start}-`) || anchors.includes(`${start}"`);
}

/** One more of the page's claims has a finding. */
export async function countChecked(db: Kysely<Schema>, page: PageRow, finding: Finding): Promise<void> {
  if (!hasClaim(page, claimOf(finding))) return;
  await db
    .updateTable('pages')
    .set((row) => ({ checked: row('checked', '+', 1) }))
    .where('wiki', '=', page.wiki)
    .where('page_id', '=', page.page_id)
    .execute();
}

/** Counts anew how many of the page's claims have a finding. */
export async function refreshCoverage(db: Kysely<Schema>, wiki: string, id: number): Promise<void> {
  const page = await findPage(db, wiki, id);
  if (page === undefined) return;
  const rows = await db
    .selectFrom('findings')
    .select(['claim_hash as claim', 'citations_hash as citations'])
    .where('wiki', '=', wiki)
    .where('page_id', '=', id)
    .execute();
  const found = new Set(rows.map(keyOf));
  const checked = standingOn(page).filter((claim) => found.has(keyOf(claim))).length;
  await db.updateTable('pages').set({ checked }).where('wiki', '=', wiki).where('page_id', '=', id).execute();
}

/** Claims of the newest revision; [] while the page is deleted. */
export function standingOn(page: Pick<PageRow, 'anchors'>): KnownClaim[] {
  return z.array(z.string()).parse(JSON.parse(page.anchors)).map(unpack);
}

/** The column `anchors`. */
export function writeClaims(claims: readonly KnownClaim[]): string {
  return JSON.stringify(claims.map(pack));
}

/** What became of claims that the page had before, by anchor. */
export function goneFrom({ gone }: Pick<PageRow, 'gone'>): Map<string, Gone> {
  if (gone === null) return new Map();
  const known = z.array(GoneEntry).parse(JSON.parse(gone));
  return new Map(
    known.map(([anchor, because, into]) => [anchor, { because, into: into === null ? null : unpack(into) }]),
  );
}

/** The column `gone`, the newest first; those of long ago are forgotten. */
export function writeGone(gone: ReadonlyMap<string, Gone>): string {
  const entries = [...gone].slice(0, REMEMBERED);
  return JSON.stringify(
    entries.map(([anchor, { because, into }]) => [anchor, because, into === null ? null : pack(into)]),
  );
}

const REMEMBERED = 300;
const GoneEntry = z.tuple([z.string(), Absence, z.string().nullable()]);

/** Of a version that knew neither words nor sources: the first two parts alone. */
function unpack(packed: string): KnownClaim {
  const [claim = '', citations = '', words = '', ...sources] = packed.split('-');
  return { claim, citations, words, sources };
}

function pack({ claim, citations, words, sources }: KnownClaim): string {
  return [claim, citations, words, ...sources].join('-');
}

/** Which pages coverage is of: those that are all of this. */
export type CoverageOf = { wiki?: string; page?: string } & Partial<Record<GroupKind, string>>;

/** Of one page, of a group of pages, of one wiki, or of all; null where no page is known. */
export async function coverage(db: Kysely<Schema>, at: CoverageOf): Promise<Coverage | null> {
  let query = db
    .selectFrom('pages')
    .select(({ fn }) => [fn.countAll<number>().as('pages'), fn.sum<number>('claims').as('claims')])
    .select(({ fn }) => fn.sum<number>('checked').as('checked'));
  if (at.wiki !== undefined) query = query.where('wiki', '=', at.wiki);
  if (at.page !== undefined) query = query.where('title', '=', at.page);
  for (const kind of GROUP_KINDS) {
    const name = at[kind];
    if (name === undefined) continue;
    const grouped = db.selectFrom('page_groups').select(['wiki', 'page_id']).where('kind', '=', kind);
    const pages = grouped.where('name', '=', name).$asTuple('wiki', 'page_id');
    query = query.where(({ eb, refTuple }) => eb(refTuple('pages.wiki', 'pages.page_id'), 'in', pages));
  }
  const sums = await query.executeTakeFirstOrThrow();
  return sums.pages === 0 ? null : { claims: sums.claims, checked: sums.checked };
}
