/** A cited page that can be read again → the checks of the claims, open or accepted, that it could not be read for. Changes nothing. */
import type { Kysely } from 'kysely';
import type { Anchor, Input, Next } from '../../shared/pipeline.ts';
import type { Schema } from './database.ts';

export type SourceBack = Extract<Input<'review'>, { kind: 'source_back' }>;

/** One job a page, at its newest revision. */
export async function sourceBack(db: Kysely<Schema>, { citation, contentHash }: SourceBack): Promise<Next[]> {
  const rows = await unread(db, citation);
  const pages = new Map<string, { row: (typeof rows)[number]; chosen: Anchor[] }>();
  for (const row of rows) {
    const key = `${row.wiki} ${row.page_id}`;
    const page = pages.get(key) ?? { row, chosen: [] };
    page.chosen.push({ claim: row.claim_hash, citations: row.citations_hash });
    pages.set(key, page);
  }
  return [...pages.values()].map(({ row, chosen }) => {
    const { wiki, page_id: id, title, revision } = row;
    const at = { wiki, page: { id, title }, revision, request: `b${contentHash}` };
    return { stage: 'articles', input: { ...at, previous: null, scope: 'chosen', chosen } };
  });
}

async function unread(db: Kysely<Schema>, citation: string) {
  return db
    .selectFrom('citations')
    .innerJoin('findings', 'findings.id', 'citations.finding_id')
    .innerJoin('pages', (on) =>
      on.onRef('pages.wiki', '=', 'findings.wiki').onRef('pages.page_id', '=', 'findings.page_id'),
    )
    .select(['findings.wiki', 'findings.page_id', 'pages.title', 'pages.revision'])
    .select(['findings.claim_hash', 'findings.citations_hash'])
    .where((row) => row.and({ 'citations.hash': citation, 'pages.deleted': 0 }))
    .where('findings.state', 'in', ['open', 'accepted'])
    .where('citations.reason', 'is not', null)
    .orderBy('findings.id')
    .limit(MOST)
    .execute();
}

/** Claims that one page is cited for; what is beyond them is checked when it is asked for. */
const MOST = 1000;
