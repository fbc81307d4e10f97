/** What people decided, day by day and by WikiProject. Decisions that were taken back don't count. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database.ts';
import type { Figure } from './figure.ts';

export async function decisionsOverTime(db: Kysely<Schema>, now: number): Promise<Figure> {
  const since = new Date(now - DAYS * DAY_MS).toISOString().slice(0, 10);
  const day = sql<string>`SUBSTR(created_at, 1, 10)`;
  const rows = await db
    .selectFrom('decisions')
    .select([day.as('day'), 'decision'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('undone_at', 'is', null)
    .where('created_at', '>=', since)
    .groupBy(['day', 'decision'])
    .orderBy('day')
    .orderBy('decision')
    .execute();
  return {
    id: 'decisions',
    title: 'Decisions over time',
    note: `Decisions of each of the last ${DAYS} days (UTC), without those that were taken back.`,
    columns: ['day', 'decision', 'count'],
    rows: rows.map(({ day: on, decision, count }) => [on, decision, count]),
  };
}

export async function decisionsByProject(db: Kysely<Schema>): Promise<Figure> {
  const rows = await db
    .selectFrom('decisions')
    .innerJoin('findings', 'findings.id', 'decisions.finding_id')
    .innerJoin('page_groups', (on) =>
      on
        .onRef('page_groups.wiki', '=', 'findings.wiki')
        .onRef('page_groups.page_id', '=', 'findings.page_id')
        .on('page_groups.kind', '=', 'project'),
    )
    .select(['page_groups.name', 'decisions.decision'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('decisions.undone_at', 'is', null)
    .groupBy(['page_groups.name', 'decisions.decision'])
    .execute();
  const totals = new Map<string, number>();
  for (const { name, count } of rows) totals.set(name, (totals.get(name) ?? 0) + count);
  const most = [...totals].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, PROJECTS);
  const rank = new Map(most.map(([name], at) => [name, at]));
  const shown = rows.filter(({ name }) => rank.has(name));
  shown.sort((a, b) => (rank.get(a.name) ?? 0) - (rank.get(b.name) ?? 0) || a.decision.localeCompare(b.decision));
  return {
    id: 'projects',
    title: 'Decisions by project',
    note: `The ${PROJECTS} WikiProjects on whose articles most was decided. An article of several projects counts for each.`,
    columns: ['project', 'decision', 'count'],
    rows: shown.map(({ name, decision, count }) => [name, decision, count]),
  };
}

const DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;
const PROJECTS = 15;
