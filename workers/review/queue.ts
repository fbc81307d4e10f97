/** The order in which people see findings. In: a filter. Out: rows, lowest score first. Changes nothing. */
import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely';
import {
  type ClosedBecause,
  type Decision,
  Finding,
  type UnavailableReason,
  type Verdict,
} from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { FindingTable, ReopenedBecause, Schema } from './database.ts';

/** A finding as people and the gadget see it. */
export interface Row {
  id: number;
  state: 'open' | 'accepted' | 'closed';
  closedBecause: ClosedBecause | null;
  /** The last one; null if there is none. */
  decision: Decision | null;
  /** Why it opened again after a person had decided on it; null if it did not. */
  reopenedBecause: ReopenedBecause | null;
  createdAt: string;
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
const SETTLED: readonly Verdict[] = ['unsupported_language', 'uncheckable', 'supported'];

/** Whether accepting it says that the article has something to mend. */
export function isToMend(verdict: Verdict): boolean {
  return !SETTLED.includes(verdict);
}

export async function list(db: Kysely<Schema>, filter: Filter, slice: Slice): Promise<Row[]> {
  const after = slice.after === undefined ? START : await placeOf(db, slice.after);
  const rows = await db
    .selectFrom('findings')
    .selectAll()
    .where((at) => at.and([...matching(at, filter), beyond(at, '>', after)]))
    .orderBy('position')
    .orderBy('id')
    .limit(slice.limit)
    .execute();
  return rows.map(toRow);
}

/** Throws RequestError `not_found`. */
export async function get(db: Kysely<Schema>, id: number): Promise<Row> {
  const row = await db.selectFrom('findings').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new RequestError('not_found', `There is no finding ${id}.`);
  return toRow(row);
}

/** The findings before and after this one among those that match. Throws RequestError `not_found`. */
export async function neighbours(db: Kysely<Schema>, id: number, filter: Filter): Promise<Neighbours> {
  const place = await placeOf(db, id);
  const previous = await nearest(db, filter, '<', place);
  const next = (await nearest(db, filter, '>', place)) ?? (await nearest(db, filter, '>', START));
  return { previous, next: next === id ? null : next };
}

/** How many rows of each verdict match, whatever verdict the filter asks for. */
export async function counts(db: Kysely<Schema>, filter: Filter): Promise<Partial<Record<Verdict, number>>> {
  const rows = await db
    .selectFrom('findings')
    .select(({ fn }) => ['verdict', fn.countAll<number>().as('count')])
    .where((at) => at.and(matching(at, { ...filter, verdict: 'all' })))
    .groupBy('verdict')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.verdict, row.count]));
}

interface Place {
  position: number;
  id: number;
}

/** Before every row. */
const START: Place = { position: -1, id: 0 };

async function nearest(db: Kysely<Schema>, filter: Filter, sign: '<' | '>', place: Place): Promise<number | null> {
  const direction = sign === '<' ? 'desc' : 'asc';
  const row = await db
    .selectFrom('findings')
    .select('id')
    .where((at) => at.and([...matching(at, filter), beyond(at, sign, place)]))
    .orderBy('position', direction)
    .orderBy('id', direction)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function placeOf(db: Kysely<Schema>, id: number): Promise<Place> {
  const place = await db.selectFrom('findings').select(['id', 'position']).where('id', '=', id).executeTakeFirst();
  if (place === undefined) throw new RequestError('not_found', `There is no finding ${id}.`);
  return place;
}

export type At = ExpressionBuilder<Schema, 'findings'>;

function matching(at: At, filter: Filter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (filter.wiki !== undefined) conditions.push(at('wiki', '=', filter.wiki));
  if (filter.page !== undefined) conditions.push(at('page_title', '=', filter.page));
  if (filter.state === 'unmended') conditions.push(isUnmended(at));
  else if (filter.state !== 'all') conditions.push(at('state', '=', filter.state));
  if (filter.verdict === undefined) conditions.push(at('verdict', 'not in', SETTLED));
  else if (filter.verdict !== 'all') conditions.push(at('verdict', '=', filter.verdict));
  return conditions;
}

/** Open, or accepted and still on the page. */
export function isUnmended(at: At): Expression<SqlBool> {
  return at('state', 'in', ['open', 'accepted']);
}

/** Rows on one side of a place, said so that an index serves it: first by position, then by id among equal positions. */
function beyond(at: At, sign: '<' | '>', place: Place): Expression<SqlBool> {
  const further = at.or([at('position', sign, place.position), at('id', sign, place.id)]);
  return at.and([further, at('position', sign === '<' ? '<=' : '>=', place.position)]);
}

function toRow(row: Selectable<FindingTable>): Row {
  const finding = Finding.parse(JSON.parse(row.finding));
  return {
    id: row.id,
    state: row.state,
    closedBecause: row.closed_because,
    decision: row.decision,
    reopenedBecause: row.reopened_because,
    createdAt: row.created_at,
    finding: { ...finding, page: { id: row.page_id, title: row.page_title } },
  };
}
