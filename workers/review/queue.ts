/** The order in which people see findings. In: a filter. Out: rows in its order, counts, neighbours. Changes nothing. */
import type { Kysely, Selectable } from 'kysely';
import { type ClosedBecause, type Decision, Finding, Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { FindingTable, ReopenedBecause, Schema } from './database.ts';
import type { Filter, Slice } from './filter.ts';
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

export interface Neighbours {
  previous: number | null;
  /** After the last one comes the first again. */
  next: number | null;
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
