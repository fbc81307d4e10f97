/** Which findings match a filter, and in which order. In: a filter. Out: SQL conditions that indices hold the answer to. */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { RequestError } from '../../shared/errors.ts';
import type { Schema } from './database.ts';
import type { Filter, Sort } from './filter.ts';
import { GROUP_KINDS, type GroupKind } from './groups.ts';
import { SETTLED } from './position.ts';

export type At = ExpressionBuilder<Schema, 'findings'>;

/** All conditions of a filter but where in the order a row stands. */
export function matching(at: At, filter: Filter): Expression<SqlBool>[] {
  return [...ofPage(at, filter), ...ofState(at, filter), ...ofVerdict(at, filter), ...ofNumbers(at, filter)];
}

/** Open, or accepted and still on the page. */
export function isUnmended(at: At): Expression<SqlBool> {
  return at('state', 'in', ['open', 'accepted']);
}

function ofPage(at: At, { wiki, page, state, ...filter }: Filter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  // bare, it would draw SQLite from the order's index to one that it has to sort
  if (wiki !== undefined) conditions.push(at(at.fn.coalesce('findings.wiki', at.val('')), '=', wiki));
  if (page !== undefined) conditions.push(at('page_title', '=', page));
  for (const kind of GROUP_KINDS) {
    const name = filter[kind];
    if (name !== undefined) conditions.push(inGroup(at, kind, name));
  }
  if (state !== 'all') conditions.push(at.not(at.exists(optOut(at))));
  return conditions;
}

/** Not `exists`: a small group would be looked for in all findings. */
function inGroup({ refTuple, selectFrom, eb }: At, kind: GroupKind, name: string): Expression<SqlBool> {
  const pages = selectFrom('page_groups')
    .select(['page_groups.wiki', 'page_groups.page_id'])
    .where('page_groups.kind', '=', kind)
    .where('page_groups.name', '=', name)
    .$asTuple('wiki', 'page_id');
  return eb(refTuple('findings.wiki', 'findings.page_id'), 'in', pages);
}

export function optOut({ selectFrom }: Pick<At, 'selectFrom'>) {
  return selectFrom('opt_outs')
    .select('opt_outs.page_id')
    .whereRef('opt_outs.wiki', '=', 'findings.wiki')
    .whereRef('opt_outs.page_id', '=', 'findings.page_id');
}

function ofState(at: At, { state, decision, decidedBy }: Filter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (state === 'unmended') conditions.push(isUnmended(at));
  else if (state !== 'all') conditions.push(at('state', '=', state));
  if (decision !== undefined) conditions.push(at('decision', '=', decision));
  if (decidedBy !== undefined) {
    conditions.push(
      at('decided_by', 'in', at.selectFrom('users').select('users.id').where('users.name', '=', decidedBy)),
    );
  }
  return conditions;
}

function ofVerdict(at: At, { verdict, reason, suggestion }: Filter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (verdict === undefined) conditions.push(at('verdict', 'not in', SETTLED));
  else if (verdict !== 'all') conditions.push(at('verdict', '=', verdict));
  if (reason !== undefined) conditions.push(at('reason', '=', reason));
  if (suggestion !== undefined) conditions.push(at('has_suggestion', '=', suggestion ? 1 : 0));
  return conditions;
}

function ofNumbers(at: At, { scoreMin, scoreMax, minAge, maxAge, viewsMin }: Filter): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (scoreMin !== undefined) conditions.push(at('by_score', '>=', scoreMin));
  // what has no score stands above 1
  if (scoreMin !== undefined || scoreMax !== undefined) conditions.push(at('by_score', '<=', scoreMax ?? 1));
  if (minAge !== undefined) conditions.push(at('created_at', '<=', daysAgo(minAge)));
  if (maxAge !== undefined) conditions.push(at('created_at', '>=', daysAgo(maxAge)));
  if (viewsMin !== undefined) conditions.push(at('by_views', '>=', viewsMin));
  return conditions;
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

export interface Order {
  column: 'position' | 'gain' | 'by_score' | 'created_at' | 'by_views';
  direction: 'asc' | 'desc';
}

/** Equal ones by id, in the same direction: so that one index serves both. */
export function orderOf({ sort }: Filter): Order {
  return sort === undefined ? { column: 'position', direction: 'asc' } : ORDERS[sort];
}

const ORDERS: Record<Sort, Order> = {
  gain: { column: 'gain', direction: 'desc' },
  score: { column: 'by_score', direction: 'asc' },
  newest: { column: 'created_at', direction: 'desc' },
  views: { column: 'by_views', direction: 'desc' },
};

export function reversed({ column, direction }: Order): Order {
  return { column, direction: direction === 'asc' ? 'desc' : 'asc' };
}

/** Where a row stands in an order. */
export interface Place {
  value: string | number;
  id: number;
}

/** Throws RequestError `not_found`. */
export async function placeOf(db: Kysely<Schema>, id: number, { column }: Order): Promise<Place> {
  const query = db.selectFrom('findings').select(['id', `${column} as value`]);
  const place = await query.where('id', '=', id).executeTakeFirst();
  if (place === undefined) throw new RequestError('not_found', `There is no finding ${id}.`);
  return place;
}

/** Rows behind a place, said so that an index serves it: first by the order's column, then by id among equal ones. */
export function behind(at: At, { column, direction }: Order, { value, id }: Place): Expression<SqlBool> {
  const sign = direction === 'asc' ? '>' : '<';
  return at.and([at(column, `${sign}=`, value), at.or([at(column, sign, value), at('findings.id', sign, id)])]);
}
