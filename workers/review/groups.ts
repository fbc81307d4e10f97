/** The groups that pages are in: WikiProjects, worklists. In: rows, a kind. Out: names. Who keeps them is `facts.ts`. */
import type { Kysely } from 'kysely';
import type { PageGroupTable, Schema } from './database.ts';
import type { Row } from './queue.ts';

/** WikiProjects of the rows' articles, by `id` of the row. */
export async function projectsOf(db: Kysely<Schema>, rows: readonly Row[]): Promise<Map<number, string[]>> {
  if (rows.length === 0) return new Map();
  // not sorted: SQLite would take the index of names, and look through all of them
  const found = await db
    .selectFrom('page_groups')
    .select(['wiki', 'page_id', 'name'])
    .where('wiki', 'in', [...new Set(rows.map(({ finding }) => finding.wiki))])
    .where('page_id', 'in', [...new Set(rows.map(({ finding }) => finding.page.id))])
    .where('kind', '=', 'project')
    .execute();
  const of = ({ finding: { wiki, page } }: Row) =>
    found
      .filter((one) => one.wiki === wiki && one.page_id === page.id)
      .map(({ name }) => name)
      .sort();
  return new Map(rows.map((row) => [row.id, of(row)]));
}

export type GroupKind = PageGroupTable['kind'];

export const GROUP_KINDS: readonly GroupKind[] = ['project', 'category', 'worklist', 'user'];

/** Names to choose from: of each kind, by name. Asked of the database once a minute at most. */
export function createGroupNames(db: Kysely<Schema>, now: () => number = Date.now): () => Promise<GroupNames> {
  let known: { at: number; names: Promise<GroupNames> } | null = null;
  return async () => {
    if (known === null || now() - known.at > FRESH_MS) known = { at: now(), names: readNames(db) };
    return known.names;
  };
}

export type GroupNames = Record<(typeof OFFERED)[number], string[]>;

/** Of categories there are too many to choose from a list. */
const OFFERED = ['project', 'worklist', 'user'] as const;
const FRESH_MS = 60_000;
const MOST = 300;

async function readNames(db: Kysely<Schema>): Promise<GroupNames> {
  const names = async (kind: GroupKind) => {
    const query = db.selectFrom('page_groups').select('name').distinct().where('kind', '=', kind);
    return (await query.orderBy('name').limit(MOST).execute()).map(({ name }) => name);
  };
  return { project: await names('project'), worklist: await names('worklist'), user: await names('user') };
}
