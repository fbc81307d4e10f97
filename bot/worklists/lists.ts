/** Worklists by name: added, shown, paused, scheduled, dropped. In: a database. Knows nothing of what a run does. */
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { transact } from '../../shared/sql.ts';
import type { WorklistTable, WorklistTables } from './tables.ts';
import { ListSource, Schedule, type Worklist } from './worklist.ts';

export interface Lists {
  /** As it is kept. Throws RequestError for what is no name, and for one that is taken. */
  freeName(wiki: string, name: string): Promise<string>;
  /** `titles`: of a file. All or nothing. Throws RequestError for a name that is none or is taken. */
  add(list: Pick<Worklist, 'wiki' | 'name' | 'source'>, titles?: readonly string[]): Promise<Worklist>;
  get(id: number): Promise<Worklist | null>;
  /** Throws RequestError where the wiki has no such list. */
  find(wiki: string, name: string): Promise<Worklist>;
  all(wiki: string): Promise<Worklist[]>;
  pause(id: number, paused: boolean): Promise<void>;
  schedule(id: number, schedule: Schedule | null): Promise<void>;
  drop(id: number): Promise<void>;
  /** Stored titles of a list from a position on, at most `limit`. */
  titles(id: number, from: number, limit: number): Promise<string[]>;
}

export const WorklistName = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]{1,100}$/u);

export function createLists(db: Kysely<WorklistTables>): Lists {
  const all = db.selectFrom('worklists').selectAll().orderBy('id');
  const named = async (wiki: string, name: string) => {
    const row = await all.where('wiki', '=', wiki).where('name', '=', name).executeTakeFirst();
    return row === undefined ? null : toWorklist(row);
  };
  const set = async (id: number, values: Partial<Pick<WorklistTable, 'schedule'>> & { paused?: 0 | 1 }) => {
    await db.updateTable('worklists').set(values).where('id', '=', id).execute();
  };
  const freeName = async (wiki: string, name: string) => {
    const parsed = WorklistName.safeParse(name);
    if (!parsed.success) throw new RequestError('bad_name', 'a worklist has a name of 1 to 100 characters on one line');
    if ((await named(wiki, parsed.data)) !== null) throw taken(name);
    return parsed.data;
  };
  return {
    freeName,
    async add(list, titles = []) {
      const name = await freeName(list.wiki, list.name);
      return transact(db, (trx) => add(trx, { ...list, name }, titles), { turn: 'worklists' });
    },
    async get(id) {
      const row = await all.where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toWorklist(row);
    },
    async find(wiki, name) {
      const found = await named(wiki, name.trim());
      if (found !== null) return found;
      throw new RequestError(
        'no_such_worklist',
        `${wiki} has no worklist ${name}: \`sidelight worklist list\` names them`,
      );
    },
    all: async (wiki) => (await all.where('wiki', '=', wiki).execute()).map(toWorklist),
    pause: (id, paused) => set(id, { paused: paused ? 1 : 0 }),
    schedule: (id, schedule) => set(id, { schedule: schedule === null ? null : JSON.stringify(schedule) }),
    async drop(id) {
      await db.deleteFrom('worklists').where('id', '=', id).execute();
    },
    async titles(id, from, limit) {
      const rows = await db
        .selectFrom('worklist_titles')
        .select('title')
        .where('worklist', '=', id)
        .where('position', '>=', from)
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(({ title }) => title);
    },
  };
}

async function add(
  trx: Transaction<WorklistTables>,
  { wiki, name, source }: Pick<Worklist, 'wiki' | 'name' | 'source'>,
  titles: readonly string[],
): Promise<Worklist> {
  const row = { wiki, name, source: JSON.stringify(source), created: new Date().toISOString() };
  const { numInsertedOrUpdatedRows: added = 0n } = await trx
    .insertInto('worklists')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (added === 0n) throw taken(name); // another process was quicker
  const list = toWorklist(
    await trx
      .selectFrom('worklists')
      .selectAll()
      .where('wiki', '=', wiki)
      .where('name', '=', name)
      .executeTakeFirstOrThrow(),
  );
  const rows = titles.map((title, position) => ({ worklist: list.id, position, title }));
  for (let at = 0; at < rows.length; at += ROWS) {
    await trx
      .insertInto('worklist_titles')
      .values(rows.slice(at, at + ROWS))
      .execute();
  }
  return list;
}

function taken(name: string): RequestError {
  return new RequestError('name_taken', `there is a worklist ${name} already: drop it, or choose another name`);
}

function toWorklist(row: unknown): Worklist {
  const { source, paused, schedule, ...list } = Row.parse(row);
  return {
    ...list,
    source: ListSource.parse(parseJson(source)),
    paused: paused === 1,
    schedule: schedule === null ? null : Schedule.parse(parseJson(schedule)),
  };
}

const Row = z.object({
  id: z.int(),
  wiki: z.string(),
  name: z.string(),
  source: z.string(),
  paused: z.int(),
  schedule: z.string().nullable(),
  created: z.string(),
});

/** What one statement takes. */
const ROWS = 500;
