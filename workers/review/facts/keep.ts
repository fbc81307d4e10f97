/** Facts of pages → the review database: views beside the page and its findings, groups that it is in. In: facts. Out: rows. */
import type { Kysely, Transaction } from 'kysely';
import { Finding } from '../../../shared/citation.ts';
import { type PageGroupTable, type Schema, writing } from '../database.ts';
import { weightOf } from '../gain.ts';
import type { PageFacts } from './read.ts';

type Kind = PageGroupTable['kind'];

/** Pages with findings whose facts are not known, or were read before `before` (ISO time). */
export async function pagesToRead(db: Kysely<Schema>, wiki: string, before: string, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('findings')
    .leftJoin('page_facts', (join) =>
      join.onRef('page_facts.wiki', '=', 'findings.wiki').onRef('page_facts.page_id', '=', 'findings.page_id'),
    )
    .select('findings.page_id')
    .distinct()
    .where('findings.wiki', '=', wiki)
    .where((at) => at.or([at('page_facts.read_at', 'is', null), at('page_facts.read_at', '<', before)]))
    .limit(limit)
    .execute();
  return rows.map((row) => row.page_id);
}

export async function keepFacts(
  db: Kysely<Schema>,
  wiki: string,
  facts: ReadonlyMap<number, PageFacts>,
  readAt: string,
): Promise<void> {
  for (const [page, { views, projects, categories }] of facts) {
    // a transaction a page: nobody who decides waits for fifty
    await writing(db, async (trx) => {
      await keepViews(trx, { wiki, page_id: page, views, read_at: readAt });
      await keepGroups(trx, wiki, page, { project: projects, category: categories });
    });
  }
}

async function keepViews(
  trx: Transaction<Schema>,
  facts: { wiki: string; page_id: number; views: number | null; read_at: string },
): Promise<void> {
  const { wiki, page_id, views } = facts;
  await trx.deleteFrom('page_facts').where('wiki', '=', wiki).where('page_id', '=', page_id).execute();
  await trx.insertInto('page_facts').values(facts).execute();
  const changed = await trx
    .selectFrom('findings')
    .select(['id', 'finding'])
    .where('wiki', '=', wiki)
    .where('page_id', '=', page_id)
    .where('by_views', '!=', views ?? -1)
    .execute();
  for (const { id, finding } of changed) {
    const weight = weightOf(Finding.parse(JSON.parse(finding)), views);
    await trx.updateTable('findings').set(weight).where('id', '=', id).execute();
  }
}

/** What is as it was is not written again. */
async function keepGroups(
  trx: Transaction<Schema>,
  wiki: string,
  page: number,
  names: Partial<Record<Kind, readonly string[]>>,
): Promise<void> {
  const wanted = Object.entries(names).flatMap(([kind, all]) => all.map((name) => ({ kind: kind as Kind, name }))); // its keys are kinds
  const known = await trx
    .selectFrom('page_groups')
    .select(['kind', 'name'])
    .where('wiki', '=', wiki)
    .where('page_id', '=', page)
    .where('kind', 'in', Object.keys(names) as Kind[])
    .execute();
  const keyOf = ({ kind, name }: { kind: Kind; name: string }) => `${kind} ${name}`;
  const [before, after] = [new Set(known.map(keyOf)), new Set(wanted.map(keyOf))];
  for (const { kind, name } of known.filter((one) => !after.has(keyOf(one)))) {
    const row = trx.deleteFrom('page_groups').where('wiki', '=', wiki).where('page_id', '=', page);
    await row.where('kind', '=', kind).where('name', '=', name).execute();
  }
  const fresh = wanted.filter((one) => !before.has(keyOf(one)));
  if (fresh.length === 0) return;
  const rows = fresh.map((one) => ({ wiki, page_id: page, ...one }));
  await trx.insertInto('page_groups').values(rows).execute();
}

/** All pages of a group; those that are in it no more leave it. */
export async function keepGroup(
  db: Kysely<Schema>,
  group: { wiki: string; kind: Kind; name: string },
  pages: ReadonlySet<number>,
): Promise<void> {
  const { wiki, kind, name } = group;
  await writing(db, async (trx) => {
    const at = trx.selectFrom('page_groups').where('kind', '=', kind).where('name', '=', name).where('wiki', '=', wiki);
    const known = new Set((await at.select('page_id').execute()).map((row) => row.page_id));
    const gone = [...known].filter((page) => !pages.has(page));
    const fresh = [...pages].filter((page) => !known.has(page));
    for (const some of inParts(gone)) {
      const rows = trx.deleteFrom('page_groups').where('kind', '=', kind).where('name', '=', name);
      await rows.where('wiki', '=', wiki).where('page_id', 'in', some).execute();
    }
    for (const some of inParts(fresh)) {
      await trx
        .insertInto('page_groups')
        .values(some.map((page_id) => ({ ...group, page_id })))
        .execute();
    }
  });
}

/** Names of the groups of a kind that there are. */
export async function groupsOf(db: Kysely<Schema>, wiki: string, kind: Kind): Promise<string[]> {
  const query = db.selectFrom('page_groups').select('name').distinct().where('kind', '=', kind);
  return (await query.where('wiki', '=', wiki).execute()).map(({ name }) => name);
}

/** Each value is a variable of the query. */
function inParts(pages: readonly number[]): number[][] {
  const parts = Array.from({ length: Math.ceil(pages.length / 500) }, (_, part) => part * 500);
  return parts.map((from) => pages.slice(from, from + 500));
}
