/** The order in which people see findings. In: a filter. Out: rows in its order, counts, neighbours. Changes nothing. */
import type { Kysely, Selectable } from 'kysely';
import { type ClosedBecause, type Decision, Finding, type UnavailableReason, Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { FindingTable, ReopenedBecause, Schema } from './database.ts';
import { behind, matching, type Order, orderOf, type Place, placeOf, reversed } from './matching.ts';

/** A finding as people and the gadget see it. */
export interface Row {
  id: number;
  state: 'open' | 'accepted' | 'closed';
  closedBecause: ClosedBecause | null;
  /** The last one; null if there is none. */
  decision: Decision | null;
  /** Name of the person whose decision stands. */
  decidedBy: string | null;
  /** Why it opened again after a person had decided on it; null if it did not. */
  reopenedBecause: ReopenedBecause | null;
  createdAt: string;
  /** Of its article, a day; null: not known. */
  views: number | null;
  /** What is expected of a look at it: `gain.ts`. */
  gain: number;
  /** Who looks at it now, and until when, as ISO time. */
  lease: { name: string; until: string } | null;
  finding: Finding;
}

/** What of a finding is asked for; all of it must hold. The address has it under the names in `request.ts`. */
export interface Filter {
  wiki?: string;
  /** Title of the article. */
  page?: string;
  /** WikiProject, without the word. */
  project?: string;
  /** Without its namespace. */
  category?: string;
  /** Name of a worklist. */
  worklist?: string;
  /** On articles that this person's lists are made of. */
  user?: string;
  /** `unmended`: open, or accepted and still on the page: what the gadget offers to mend. `all`: also of pages that opted out. */
  state: 'open' | 'accepted' | 'closed' | 'unmended' | 'all';
  /** Left out: all that may have something to mend (`isToMend`). */
  verdict?: Verdict | 'all';
  /** Why it could not be read. */
  reason?: UnavailableReason;
  /** The last one. */
  decision?: Decision;
  /** 0 to 1; findings without a score have none. */
  scoreMin?: number;
  scoreMax?: number;
  /** Days since it was found. */
  minAge?: number;
  maxAge?: number;
  /** Of its article, a day. */
  viewsMin?: number;
  suggestion?: boolean;
  /** Name of the person whose decision stands. */
  decidedBy?: string;
  /** Left out: the queue's own order. */
  sort?: Sort;
}

/** Largest gain first, lowest score first, newest first, most views first. */
export const SORTS = ['gain', 'score', 'newest', 'views'] as const;
export type Sort = (typeof SORTS)[number];

export interface Slice {
  limit: number;
  /** Id of the row after which to go on. */
  after?: number;
}

export interface Neighbours {
  previous: number | null;
  /** After the last one comes the first again. */
  next: number | null;
}

/** What a row moves back each time it is put off: behind every rank. */
export const DEFERRAL = 16;

/** By verdict, and within each the lowest score first. What people put off goes behind all others, once more each time. */
export function positionOf(finding: Finding, deferrals: number): number {
  return deferrals * DEFERRAL + RANK[finding.verdict] + (finding.score ?? 0);
}

/** Apart by more than the widest score. Positions are stored: a change needs a migration (as `0002-positions.ts`). */
const RANK: Record<Verdict, number> = {
  contradicted: 0,
  not_supported: 2,
  partially_supported: 4,
  unsourced: 6,
  unavailable: 8,
  unsupported_language: 10,
  uncheckable: 12,
  supported: 14,
};

/** Verdicts that nobody needs to act on: nothing of them says that a citation fails. They are shown when they are asked for. */
export const SETTLED: readonly Verdict[] = ['unsupported_language', 'uncheckable', 'supported'];

/** Whether accepting it says that the article has something to mend. */
export function isToMend(verdict: Verdict): boolean {
  return !SETTLED.includes(verdict);
}

export async function list(db: Kysely<Schema>, filter: Filter, slice: Slice): Promise<Row[]> {
  const order = orderOf(filter);
  const after = slice.after === undefined ? null : await placeOf(db, slice.after, order);
  return rowsOf(db, await idsFrom(db, filter, order, after, slice.limit));
}

/** Throws RequestError `not_found`. */
export async function get(db: Kysely<Schema>, id: number): Promise<Row> {
  const [row] = await rowsOf(db, [id]);
  if (row === undefined) throw new RequestError('not_found', `There is no finding ${id}.`);
  return row;
}

/** The findings before and after this one among those that match. Throws RequestError `not_found`. */
export async function neighbours(db: Kysely<Schema>, id: number, filter: Filter): Promise<Neighbours> {
  const order = orderOf(filter);
  const place = await placeOf(db, id, order);
  const [previous] = await idsFrom(db, filter, reversed(order), place, 1);
  const [following] = await idsFrom(db, filter, order, place, 1);
  const next = following ?? (await idsFrom(db, filter, order, null, 1))[0];
  return { previous: previous ?? null, next: next === undefined || next === id ? null : next };
}

/** How many rows of each verdict match, whatever verdict the filter asks for; `COUNTED` and more are not told apart. */
export async function counts(db: Kysely<Schema>, filter: Filter): Promise<Partial<Record<Verdict, number>>> {
  const counted = await (isOfPages(filter) ? countAtOnce(db, filter) : countEach(db, filter));
  return Object.fromEntries(counted.filter(({ count }) => count > 0).map(({ verdict, count }) => [verdict, count]));
}

/** Its pages are found first, and only their findings are looked through. */
function isOfPages({ page, project, category, worklist, user }: Filter): boolean {
  return [page, project, category, worklist, user].some((one) => one !== undefined);
}

function countAtOnce(db: Kysely<Schema>, filter: Filter) {
  return db
    .selectFrom('findings')
    .select(({ fn }) => ['verdict', fn.countAll<number>().as('count')])
    .where((at) => at.and(matching(at, { ...filter, verdict: 'all' })))
    .groupBy('verdict')
    .execute();
}

/** Of all findings: each verdict by the index that begins with it, until there are enough. */
function countEach(db: Kysely<Schema>, filter: Filter) {
  const [first, ...others] = Verdict.options.map((verdict) => countOf(db, { ...filter, verdict }));
  if (first === undefined) return [];
  return others.reduce((all, one) => all.unionAll(one), first).execute();
}

/** Beyond it a number tells a person nothing that is worth counting for. */
export const COUNTED = 1000;

function countOf(db: Kysely<Schema>, filter: Filter & { verdict: Verdict }) {
  const some = db
    .selectFrom('findings')
    .select('findings.id')
    .where((at) => at.and(matching(at, filter)))
    .limit(COUNTED + 1)
    .as('some');
  return db
    .selectFrom(some)
    .select(({ fn, val }) => [val(filter.verdict).as('verdict'), fn.countAll<number>().as('count')]);
}

/** Ids alone come from an index; rows are read only of what is shown. `after`: null from the beginning. */
async function idsFrom(
  db: Kysely<Schema>,
  filter: Filter,
  order: Order,
  after: Place | null,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('findings')
    .select('findings.id')
    .where((at) => at.and([...matching(at, filter), ...(after === null ? [] : [behind(at, order, after)])]))
    .orderBy(order.column, order.direction)
    .orderBy('findings.id', order.direction)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** In the order of the ids; those that there are none of are left out. */
export async function rowsOf(db: Kysely<Schema>, ids: readonly number[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('findings')
    .leftJoin('users as decider', 'decider.id', 'findings.decided_by')
    .leftJoin('leases', (join) =>
      join.onRef('leases.finding_id', '=', 'findings.id').on('leases.expires_at', '>', Date.now()),
    )
    .leftJoin('users as holder', 'holder.id', 'leases.user_id')
    .selectAll('findings')
    .select(['decider.name as decider', 'holder.name as holder', 'leases.expires_at as held_until'])
    .where('findings.id', 'in', [...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, toRow(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type Joined = Selectable<FindingTable> & { decider: string | null; holder: string | null; held_until: number | null };

function toRow(row: Joined): Row {
  const finding = Finding.parse(JSON.parse(row.finding));
  const { holder, held_until: until } = row;
  return {
    id: row.id,
    state: row.state,
    closedBecause: row.closed_because,
    decision: row.decision,
    decidedBy: row.decider,
    reopenedBecause: row.reopened_because,
    createdAt: row.created_at,
    views: row.views,
    gain: row.gain,
    lease: holder === null || until === null ? null : { name: holder, until: new Date(until).toISOString() },
    finding: { ...finding, page: { id: row.page_id, title: row.page_title } },
  };
}
