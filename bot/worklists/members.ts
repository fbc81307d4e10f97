/** The articles of a run: listed, looked up, handed on, read. In: a database. Every change is one statement or one transaction. */
import { type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import { transact } from '../../shared/sql.ts';
import { LONGEST_TITLE, type MemberTable, type WorklistTables } from './tables.ts';
import type { LeftOut, MemberState, Run } from './worklist.ts';

export interface Found {
  title: string;
  /** See IMPORTANCE. */
  importance: number;
}

/** What the wiki knows of a title of a list. `views`: null where nobody counts them. */
export interface Resolved {
  /** As it was listed. */
  title: string;
  outcome:
    | { kind: 'article'; page: number; title: string; importance: number; views: number | null }
    | { kind: 'left_out'; reason: LeftOut };
}

export interface Member {
  id: number;
  title: string;
  page: number;
  importance: number;
  views: number | null;
  revision: number | null;
}

export interface Enqueued {
  id: number;
  /** What it is called now. */
  title: string;
  revision: number;
}

export interface Counted {
  state: MemberState;
  reason: LeftOut | null;
  articles: number;
  claims: number;
  checking: number;
}

export interface Members {
  /** A title that is listed already stays once, with the greater importance. */
  list(run: Run, found: readonly Found[]): Promise<void>;
  /** Titles to look up, at most `limit`. */
  listed(run: Run, limit: number): Promise<string[]>;
  resolve(run: Run, resolved: readonly Resolved[]): Promise<void>;
  /** The next to hand on: the most important first, then the most viewed, then as listed. At most `limit`. */
  ready(run: Run, limit: number): Promise<Member[]>;
  enqueue(run: Run, articles: readonly Enqueued[]): Promise<void>;
  /** Those that a step handed on and that are not read yet. */
  enqueuedBy(run: Run, step: number): Promise<Member[]>;
  enqueued(run: Run): Promise<Member[]>;
  open(run: Run): Promise<number>;
  leaveOut(ids: readonly number[], reason: LeftOut): Promise<void>;
  /** Enqueued ones whose jobs came to nothing; one that was read meanwhile stays read. */
  giveUp(ids: readonly number[]): Promise<void>;
  /** Enqueued ones that are to be handed on once more. */
  putBack(ids: readonly number[]): Promise<void>;
  /** All that is not read yet. */
  cancel(run: Run): Promise<void>;
  /** By page; one that is not of this run is not known. */
  read(run: Run, page: number, claims: number, checking: number, model: string): Promise<void>;
  unreadable(run: Run, page: number, reason: LeftOut): Promise<void>;
  /** Revisions at which these pages were last read, for the list, by this model. */
  lastRead(worklist: number, pages: readonly number[], model: string): Promise<Map<number, number>>;
  count(run: Run): Promise<Counted[]>;
  /** Articles with a page, by id, from `after` on. */
  page(run: Run, after: number, limit: number): Promise<Shown[]>;
}

export interface Shown extends Member {
  state: MemberState;
  reason: LeftOut | null;
  claims: number | null;
  /** How many of them were to be checked. */
  checking: number | null;
}

/** `db`: or a transaction. */
export function createMembers(db: Kysely<WorklistTables>): Members {
  const of = ({ id }: Run, state: MemberState) =>
    db.selectFrom('worklist_members').where('run', '=', id).where('state', '=', state);
  const members = (run: Run, state: MemberState) => of(run, state).select(MEMBER).$narrowType<{ page: number }>();
  const change = async (ids: readonly number[], values: Updateable<MemberTable>, from?: MemberState) => {
    if (ids.length === 0) return;
    const changed = db
      .updateTable('worklist_members')
      .set(values)
      .where('id', 'in', [...ids]);
    await (from === undefined ? changed : changed.where('state', '=', from)).execute();
  };
  return {
    list: (run, found) => list(db, run, found),
    async listed(run, limit) {
      const rows = await of(run, 'listed').select('title').orderBy('id').limit(limit).execute();
      return rows.map(({ title }) => title);
    },
    resolve: ({ id }, resolved) => resolve(db, id, resolved),
    ready: (run, limit) =>
      members(run, 'ready').orderBy('importance', 'desc').orderBy('views', 'desc').orderBy('id').limit(limit).execute(),
    async enqueue({ step }, articles) {
      for (const { id, title: article, revision } of articles)
        await change([id], { state: 'enqueued', step, revision, article });
    },
    enqueuedBy: (run, step) => members(run, 'enqueued').where('step', '=', step).execute(),
    enqueued: (run) => members(run, 'enqueued').execute(),
    async open(run) {
      const counted = of(run, 'enqueued').select(({ fn }) => fn.countAll<number>().as('open'));
      return Number((await counted.executeTakeFirstOrThrow()).open);
    },
    leaveOut: (ids, reason) => change(ids, { state: 'left_out', reason }),
    giveUp: (ids) => change(ids, { state: 'left_out', reason: 'failed' }, 'enqueued'),
    putBack: (ids) => change(ids, { state: 'ready', step: null }, 'enqueued'),
    async cancel(run) {
      await db
        .updateTable('worklist_members')
        .set({ state: 'left_out', reason: 'cancelled' })
        .where('run', '=', run.id)
        .where('state', 'in', ['listed', 'ready', 'enqueued'])
        .execute();
    },
    read: (run, page, claims, checking, model) =>
      transact(db, (trx) => read(trx, run, { page, claims, checking, model })),
    async unreadable(run, page, reason) {
      const values = { state: 'left_out', reason } as const;
      await db.updateTable('worklist_members').set(values).where('run', '=', run.id).where('page', '=', page).execute();
    },
    lastRead: (worklist, pages, model) => lastRead(db, worklist, pages, model),
    count: (run) => count(db, run),
    page: (run, after, limit) =>
      db
        .selectFrom('worklist_members')
        .select([...MEMBER, 'state', 'reason', 'claims', 'checking'])
        .$narrowType<{ page: number }>()
        .where('run', '=', run.id)
        .where('page', '>', after)
        .orderBy('page')
        .limit(limit)
        .execute(),
  };
}

/** Titles as the wiki has them, once it was asked. */
const MEMBER = [
  'id',
  sql<string>`coalesce(article, title)`.as('title'),
  'page',
  'importance',
  'views',
  'revision',
] as const;

async function list(db: Kysely<WorklistTables>, run: Run, found: readonly Found[]): Promise<void> {
  const rows = found.map(({ title, importance }) => ({ run: run.id, title: cut(title), importance }));
  for (let at = 0; at < rows.length; at += ROWS) {
    await db
      .insertInto('worklist_members')
      .values(rows.slice(at, at + ROWS))
      .onConflict((conflict) =>
        conflict.columns(['run', 'title']).doUpdateSet(({ eb, ref }) => {
          const [known, listed] = [ref('worklist_members.importance'), ref('excluded.importance')];
          return { importance: eb.case().when(listed, '>', known).then(listed).else(known).end() };
        }),
      )
      .execute();
  }
}

function cut(title: string): string {
  return title.length <= LONGEST_TITLE ? title : [...title].slice(0, LONGEST_TITLE).join('');
}

type Listed = Pick<MemberTable, 'title' | 'page' | 'importance'> & { id: number };

async function resolve(db: Kysely<WorklistTables>, run: number, resolved: readonly Resolved[]): Promise<void> {
  const titles = resolved.map(({ title }) => title);
  const pages = resolved.flatMap(({ outcome }) => (outcome.kind === 'article' ? [outcome.page] : []));
  const of = db.selectFrom('worklist_members').select(['id', 'title', 'page', 'importance']).where('run', '=', run);
  const [listed, met] = [
    titles.length === 0 ? [] : await of.where('title', 'in', titles).execute(),
    pages.length === 0 ? [] : await of.where('page', 'in', pages).execute(),
  ];
  const [byTitle, byPage] = [new Map<string, Listed>(), new Map<number | null, Listed>()];
  for (const one of listed) byTitle.set(one.title, one);
  for (const one of met) byPage.set(one.page, one);
  for (const one of resolved) await resolveOne(db, one, byTitle.get(one.title), byPage);
}

/** A title that leads to a page that another title of the list has led to is left out; its importance is not. */
async function resolveOne(
  db: Kysely<WorklistTables>,
  { outcome }: Resolved,
  own: Listed | undefined,
  byPage: Map<number | null, Listed>,
): Promise<void> {
  if (own === undefined) return;
  const change = (values: Updateable<MemberTable>) =>
    db.updateTable('worklist_members').set(values).where('id', '=', own.id).where('state', '=', 'listed').execute();
  if (outcome.kind === 'left_out') return void (await change({ state: 'left_out', reason: outcome.reason }));
  const { page, title: article, views } = outcome;
  const twin = byPage.get(page);
  const importance = Math.max(own.importance, (twin ?? outcome).importance);
  byPage.set(page, { ...(twin ?? own), importance });
  if (twin === undefined) return void (await change({ state: 'ready', page, article, importance, views }));
  await db.updateTable('worklist_members').set({ importance }).where('id', '=', twin.id).execute();
  await change({ state: 'left_out', reason: 'duplicate' });
}

async function read(
  trx: Transaction<WorklistTables>,
  run: Run,
  { page, claims, checking, model }: { page: number; claims: number; checking: number; model: string },
): Promise<void> {
  const changed = trx.updateTable('worklist_members').set({ state: 'read', reason: null, claims, checking });
  await changed.where('run', '=', run.id).where('page', '=', page).execute();
  const of = trx.selectFrom('worklist_members').select('revision').where('run', '=', run.id).where('page', '=', page);
  const { revision = null } = (await of.executeTakeFirst()) ?? {};
  if (revision === null) return;
  await trx
    .insertInto('worklist_readings')
    .values({ worklist: run.worklist, page, revision, model })
    .onConflict((conflict) => conflict.columns(['worklist', 'page']).doUpdateSet({ revision, model }))
    .execute();
}

async function lastRead(
  db: Kysely<WorklistTables>,
  worklist: number,
  pages: readonly number[],
  model: string,
): Promise<Map<number, number>> {
  if (pages.length === 0) return new Map();
  const rows = await db
    .selectFrom('worklist_readings')
    .select(['page', 'revision'])
    .where('worklist', '=', worklist)
    .where('model', '=', model)
    .where('page', 'in', [...pages])
    .execute();
  return new Map(rows.map(({ page, revision }) => [page, revision]));
}

async function count(db: Kysely<WorklistTables>, run: Run): Promise<Counted[]> {
  const sum = (column: 'claims' | 'checking') => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column);
  const rows = await db
    .selectFrom('worklist_members')
    .select(({ fn }) => ['state', 'reason', fn.countAll<number>().as('articles'), sum('claims'), sum('checking')])
    .where('run', '=', run.id)
    .groupBy(['state', 'reason'])
    .orderBy('state')
    .orderBy('reason')
    .execute();
  return rows;
}

/** What one statement takes. */
const ROWS = 500;
