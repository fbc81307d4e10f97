/** What the wiki says of a finding's article: how often it is read, and whose it is. In: a page. Out: facts; nothing is fetched. */
import type { Kysely } from 'kysely';
import type { Schema } from './database.ts';

export interface AboutPage {
  /** A day, on average; null: not known. */
  views: number | null;
  /** WikiProjects, without the word. */
  projects: string[];
}

export async function aboutPage(db: Kysely<Schema>, wiki: string, pageId: number): Promise<AboutPage> {
  const facts = await db
    .selectFrom('page_facts')
    .select('views')
    .where('wiki', '=', wiki)
    .where('page_id', '=', pageId)
    .executeTakeFirst();
  const groups = await db
    .selectFrom('page_groups')
    .select('name')
    .where('wiki', '=', wiki)
    .where('page_id', '=', pageId)
    .where('kind', '=', 'project')
    .orderBy('name')
    .execute();
  return { views: facts?.views ?? null, projects: groups.map(({ name }) => name) };
}
