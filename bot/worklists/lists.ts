/** Worklists by name: added, shown, paused, scheduled, dropped. In: a database. Knows nothing of what a run does. */
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { sqliteCode } from '../../shared/sql/sqlite-errors.ts';
import { createPrepare } from './prepare.ts';
import { ListSource, Schedule, type Worklist } from './worklist.ts';

export interface Lists {
  /** As it is kept. Throws RequestError for what is no name, and for one that is taken. */
  freeName(wiki: string, name: string): string;
  /** `titles`: of a file. All or nothing. Throws RequestError for a name that is none or is taken. */
  add(list: Pick<Worklist, 'wiki' | 'name' | 'source'>, titles?: readonly string[]): Worklist;
  get(id: number): Worklist | null;
  /** Throws RequestError where the wiki has no such list. */
  find(wiki: string, name: string): Worklist;
  all(wiki: string): Worklist[];
  pause(id: number, paused: boolean): void;
  schedule(id: number, schedule: Schedule | null): void;
  drop(id: number): void;
  /** Stored titles of a list from a position on, at most `limit`. */
  titles(id: number, from: number, limit: number): string[];
}

export const WorklistName = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]{1,100}$/u);

export function createLists(database: Database.Database): Lists {
  const prepare = createPrepare(database);
  const all = (where: string, ...values: (string | number)[]) =>
    prepare(`SELECT * FROM worklist WHERE ${where} ORDER BY id`)
      .all(...values)
      .map(toWorklist);
  const set = (id: number, column: 'paused' | 'schedule', value: string | number | null) =>
    void prepare(`UPDATE worklist SET ${column} = ? WHERE id = ?`).run(value, id);
  const freeName = (wiki: string, name: string) => {
    const parsed = WorklistName.safeParse(name);
    if (!parsed.success) throw new RequestError('bad_name', 'a worklist has a name of 1 to 100 characters on one line');
    if (all('wiki = ? AND name = ?', wiki, parsed.data).length > 0) throw taken(name);
    return parsed.data;
  };
  return {
    freeName,
    add: prepareAdd(database, freeName),
    get: (id) => all('id = ?', id)[0] ?? null,
    find(wiki, name) {
      const found = all('wiki = ? AND name = ?', wiki, name.trim())[0];
      if (found !== undefined) return found;
      throw new RequestError(
        'no_such_worklist',
        `${wiki} has no worklist ${name}: \`sidelight worklist list\` names them`,
      );
    },
    all: (wiki) => all('wiki = ?', wiki),
    pause: (id, paused) => set(id, 'paused', paused ? 1 : 0),
    schedule: (id, schedule) => set(id, 'schedule', schedule === null ? null : JSON.stringify(schedule)),
    drop: (id) => void prepare('DELETE FROM worklist WHERE id = ?').run(id),
    titles: (id, from, limit) =>
      // the schema has text here
      prepare('SELECT title FROM title WHERE worklist = ? AND position >= ? ORDER BY position LIMIT ?')
        .pluck()
        .all(id, from, limit) as string[],
  };
}

function prepareAdd(database: Database.Database, freeName: Lists['freeName']): Lists['add'] {
  const addList = database.prepare(
    'INSERT INTO worklist (wiki, name, source, created) VALUES (?, ?, ?, ?) RETURNING *',
  );
  const addTitle = database.prepare('INSERT INTO title (worklist, position, title) VALUES (?, ?, ?)');
  const add = database.transaction((wiki: string, name: string, source: string, titles: readonly string[]) => {
    const list = toWorklist(addList.get(wiki, name, source, new Date().toISOString()));
    titles.forEach((title, position) => void addTitle.run(list.id, position, title));
    return list;
  });
  return ({ wiki, name, source }, titles = []) => {
    const free = freeName(wiki, name);
    try {
      return add.immediate(wiki, free, JSON.stringify(source), titles);
    } catch (error) {
      throw sqliteCode(error).startsWith('SQLITE_CONSTRAINT') ? taken(name) : error; // another process was quicker
    }
  };
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
