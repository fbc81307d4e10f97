/**
 * Findings to check again, chosen by what is known of them. In: the review database and criteria. Out: articles with the claims
 * that were chosen, some at a time, in the order of their pages' ids. Changes nothing; asks no wiki.
 */
import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { UnavailableReason, Verdict } from '../../shared/citation.ts';
import type { Anchor } from '../../shared/pipeline.ts';
import type { Schema } from '../review/database.ts';
import { type At, isUnmended } from '../review/matching.ts';

/** All that is given must hold. Open findings and decided ones; none whose claim is gone, or that another model has judged since. */
export interface Criteria {
  wiki: string;
  /** Hash of a citation. */
  citation?: string | undefined;
  /** Why one of its citations could not be read; with `citation`, that one. */
  reason?: UnavailableReason | undefined;
  verdict?: Verdict | undefined;
  /** A part of the corpus did not answer when a better source was looked for. */
  searchedPartly?: boolean | undefined;
  /** Version of the model that judged: this one, or any but this one. */
  model?: { is: string } | { not: string } | undefined;
  /** Judged before this ISO time. */
  before?: string | undefined;
}

/** Articles to choose among, by their titles as the findings have them and by their pages; all where neither is given. */
export interface Among {
  titles?: readonly string[];
  pages?: readonly number[];
}

export interface ChosenArticle {
  id: number;
  title: string;
  /** The newest that a chosen finding was judged at. */
  revision: number;
  chosen: Anchor[];
}

/** Up to `ARTICLES_AT_ONCE` a step. */
export async function* chooseArticles(
  db: Kysely<Schema>,
  criteria: Criteria,
  among: Among,
): AsyncGenerator<ChosenArticle[]> {
  for (let after = -1; ; ) {
    const pages = await nextPages(db, criteria, among, after);
    const last = pages.at(-1);
    if (last === undefined) return;
    after = last;
    yield await articlesOf(db, criteria, pages);
  }
}

/** As many as api.php tells of in one answer. */
export const ARTICLES_AT_ONCE = 50;

async function nextPages(db: Kysely<Schema>, criteria: Criteria, among: Among, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('findings')
    .select('page_id')
    .distinct()
    .where((at) => at.and([...matching(at, criteria), ...within(at, among), at('page_id', '>', after)]))
    .orderBy('page_id')
    .limit(ARTICLES_AT_ONCE)
    .execute();
  return rows.map((row) => row.page_id);
}

async function articlesOf(db: Kysely<Schema>, criteria: Criteria, pages: readonly number[]): Promise<ChosenArticle[]> {
  const rows = await db
    .selectFrom('findings')
    .select(['page_id as id', 'page_title as title', 'revision', 'claim_hash as claim', 'citations_hash as citations'])
    .where((at) => at.and([...matching(at, criteria), at('page_id', 'in', pages)]))
    .orderBy('page_id')
    .orderBy('id')
    .execute();
  const articles = new Map<number, ChosenArticle>();
  for (const { id, title, revision, claim, citations } of rows) {
    const article = articles.get(id) ?? { id, title, revision, chosen: [] };
    articles.set(id, article);
    article.revision = Math.max(article.revision, revision);
    article.chosen.push({ claim, citations });
  }
  return [...articles.values()];
}

function within(at: At, { titles, pages }: Among): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (titles !== undefined) conditions.push(at('page_title', 'in', titles));
  if (pages !== undefined) conditions.push(at('page_id', 'in', pages));
  return conditions;
}

function matching(
  at: At,
  { wiki, citation, reason, verdict, searchedPartly, model, before }: Criteria,
): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [
    at('wiki', '=', wiki),
    at.or([isUnmended(at), at('closed_because', '=', 'decided')]),
  ];
  if (citation !== undefined || reason !== undefined) conditions.push(at('id', 'in', cited(at, citation, reason)));
  if (verdict !== undefined) conditions.push(at('verdict', '=', verdict));
  if (searchedPartly === true) conditions.push(ANSWERED_PARTLY);
  if (model !== undefined) {
    conditions.push('is' in model ? at('model', '=', model.is) : at('model', '!=', model.not));
  }
  if (before !== undefined) conditions.push(at('judged_at', '<', before));
  return conditions;
}

/** `+ 0`: MariaDB takes numbers out of JSON as text. */
const ANSWERED_PARTLY = sql<SqlBool>`json_extract(finding, '$.searched.shardsAnswered') + 0 < json_extract(finding, '$.searched.shardsAsked') + 0`;

function cited(at: At, citation: string | undefined, reason: UnavailableReason | undefined) {
  let query = at.selectFrom('citations').select('finding_id');
  if (citation !== undefined) query = query.where('hash', '=', citation);
  if (reason !== undefined) query = query.where('reason', '=', reason);
  return query;
}
