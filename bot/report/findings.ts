/**
 * The open findings of a list of articles, in the order of the review page. In: the review database, articles. Out: how many there
 * are, and the first of them to show. Keeps one small entry a finding; changes nothing.
 */
import type { Kysely } from 'kysely';
import { Finding, type Verdict } from '../../shared/citation.ts';
import type { Schema } from '../../workers/review/database.ts';
import { isToMend } from '../../workers/review/position.ts';

/** By its id: titles change. */
export interface Article {
  page: number;
}

export interface Entry {
  id: number;
  page: number;
  verdict: Verdict;
  position: number;
}

export interface OpenFinding {
  /** Of the review page. */
  id: number;
  finding: Finding;
}

/** `articles`: null for all of the wiki. */
export async function listOpen(
  db: Kysely<Schema>,
  wiki: string,
  articles: AsyncIterable<Article> | null,
): Promise<Entry[]> {
  const parts: Entry[][] = [];
  if (articles === null) parts.push(await open(db, wiki, null));
  else for await (const pages of inParts(articles)) parts.push(await open(db, wiki, pages));
  return parts.flat().sort((one, other) => one.position - other.position || one.id - other.id);
}

/** `verdicts`: null for all that may have something to mend. */
export function ofVerdicts(entries: readonly Entry[], verdicts: readonly Verdict[] | null): Entry[] {
  return entries.filter(({ verdict }) => (verdicts === null ? isToMend(verdict) : verdicts.includes(verdict)));
}

/** In the order of `ids`; one that was decided meanwhile is left out. */
export async function readOpen(db: Kysely<Schema>, ids: readonly number[]): Promise<OpenFinding[]> {
  const rows = await db
    .selectFrom('findings')
    .select(['id', 'page_id', 'page_title', 'finding'])
    .where('id', 'in', [...ids])
    .where('state', '=', 'open')
    .execute();
  const read = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = read.get(id);
    if (row === undefined) return [];
    const finding = Finding.parse(JSON.parse(row.finding));
    return [{ id, finding: { ...finding, page: { id: row.page_id, title: row.page_title } } }];
  });
}

async function open(db: Kysely<Schema>, wiki: string, pages: readonly number[] | null): Promise<Entry[]> {
  const query = db
    .selectFrom('findings')
    .select(['id', 'page_id as page', 'verdict', 'position'])
    .where('wiki', '=', wiki)
    .where('state', '=', 'open');
  return (pages === null ? query : query.where('page_id', 'in', [...pages])).execute();
}

async function* inParts(articles: AsyncIterable<Article>): AsyncGenerator<number[]> {
  const seen = new Set<number>();
  const part: number[] = [];
  for await (const { page } of articles) {
    if (seen.has(page)) continue;
    seen.add(page);
    part.push(page);
    if (part.length === PART) yield part.splice(0);
  }
  if (part.length > 0) yield part;
}

/** Variables of one query. */
const PART = 500;
