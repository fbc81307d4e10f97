/** What is known of an article, for its talk page. In: the database. Out: numbers; it says how much was checked, never that all is well. */
import type { Kysely } from 'kysely';
import type { Verdict } from '../../shared/citation.ts';
import type { Schema } from './database.ts';
import type { Coverage } from './page.ts';
import { counts } from './queue.ts';

export interface PageSummary {
  /** Null: it was not read yet. */
  page: { id: number; title: string } | null;
  coverage: Coverage | null;
  /** Findings that nobody has mended; none of a page that opted out. */
  counts: Partial<Record<Verdict, number>>;
  optedOut: boolean;
  /** When a claim of it was judged last. */
  checkedAt: string | null;
}

/** `title` with spaces. A title that nothing is known of is answered, and says so. */
export async function summarizePage(db: Kysely<Schema>, wiki: string, title: string): Promise<PageSummary> {
  const page = await db
    .selectFrom('pages')
    .select(['page_id as id', 'title', 'claims', 'checked'])
    .where('wiki', '=', wiki)
    .where('title', '=', title)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  const optOut = await db
    .selectFrom('opt_outs')
    .select('page_id')
    .where('wiki', '=', wiki)
    .where((at) => at.or([at('page_title', '=', title), at('page_id', '=', page?.id ?? -1)]))
    .executeTakeFirst();
  const optedOut = optOut !== undefined;
  return {
    page: page === undefined ? null : { id: page.id, title: page.title },
    coverage: page === undefined ? null : { claims: page.claims, checked: page.checked },
    counts: optedOut ? {} : await counts(db, { wiki, page: title, state: 'unmended' }),
    optedOut,
    checkedAt: await judgedLast(db, wiki, title),
  };
}

async function judgedLast(db: Kysely<Schema>, wiki: string, title: string): Promise<string | null> {
  const row = await db
    .selectFrom('findings')
    .select(({ fn }) => fn.max('judged_at').as('at'))
    .where('wiki', '=', wiki)
    .where('page_title', '=', title)
    .executeTakeFirst();
  return row?.at ?? null;
}
