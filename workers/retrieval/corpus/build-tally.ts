/**
 * How far each input was read, and what of it was left out. In: entries that were taken. Out: positions and counts. Written in
 * the transaction that stores the pages: a build that was killed goes on after exactly those.
 */

import { z } from 'zod';
import type { Database } from '../../../shared/sql/better-sqlite3.ts';
import { BrokenCode, type CorpusInput, type Entry } from './page-record.ts';

export interface Tally {
  /**
   * Where to go on in an input: after this position. One that is not what was read before begins again, and what was fetched
   * does whenever it was read to its end: pages that were fetched again keep their place in it.
   */
  begin(input: InputName, fingerprint: string): { after: number; finished: boolean };
  reach(input: string, position: number): void;
  finish(input: string): void;
  broken(input: string, entry: Extract<Entry, { kind: 'broken' }>): void;
  duplicate(input: string, kind: DuplicateKind): void;
  read(): LeftOut;
}

type InputName = Pick<CorpusInput, 'kind' | 'name'>;

export type DuplicateKind = 'url' | 'content' | 'near';

/** What was left out of all inputs. */
export interface LeftOut {
  broken: { count: number; byCode: Partial<Record<BrokenCode, number>>; first: BrokenEntry[] };
  duplicates: Record<DuplicateKind, number>;
}

/** `position`: of the entry in its input, from 1. */
export interface BrokenEntry {
  input: string;
  position: number;
  code: BrokenCode;
  detail: string;
}

/** How many broken entries are named; the rest are counted. */
export const NAMED = 20;

/** In the tables of store-schema.ts. Opens no transaction. */
export function openTally(database: Database): Tally {
  const reach = database.prepare('UPDATE inputs SET position = ? WHERE name = ?');
  const finish = database.prepare('UPDATE inputs SET finished = 1 WHERE name = ?');
  const count = database.prepare(COUNT);
  const name = database.prepare(NAME);
  const beginOnce = database.transaction((input: InputName, mark: string) => begin(database, input, mark));
  return {
    begin: (input, fingerprint) => beginOnce.immediate(input, fingerprint),
    reach: (input, position) => void reach.run(position, input),
    finish: (input) => void finish.run(input),
    broken(input, { position, code, detail }) {
      count.run({ input, why: 'broken', code });
      name.run({ input, position, code, detail, most: NAMED });
    },
    duplicate: (input, kind) => void count.run({ input, why: 'duplicate', code: kind }),
    read: () => read(database),
  };
}

/** An input that is read from its beginning again is counted anew: its pages are duplicates of themselves by then. */
function begin(
  database: Database,
  { kind, name }: InputName,
  fingerprint: string,
): { after: number; finished: boolean } {
  const known = Known.optional().parse(database.prepare(SELECT_INPUT).get(name));
  const finished = known?.finished === 1;
  if (known?.fingerprint === fingerprint && !(kind === 'fetched' && finished))
    return { after: known.position, finished };
  for (const table of ['left_out', 'broken']) database.prepare(`DELETE FROM ${table} WHERE input = ?`).run(name);
  database.prepare(INSERT_INPUT).run(name, fingerprint);
  return { after: 0, finished: false };
}

function read(database: Database): LeftOut {
  const counts = z.array(Counted).parse(database.prepare(SELECT_COUNTS).all());
  const sum = (rows: { count: number }[]) => rows.reduce((total, row) => total + row.count, 0);
  const broken = counts.filter(({ why }) => why === 'broken');
  const duplicates = (kind: DuplicateKind) =>
    sum(counts.filter(({ why, code }) => why === 'duplicate' && code === kind));
  return {
    broken: {
      count: sum(broken),
      byCode: Object.fromEntries(broken.map(({ code, count }) => [code, count])),
      first: z.array(Broken).parse(database.prepare(SELECT_BROKEN).all(NAMED)),
    },
    duplicates: { url: duplicates('url'), content: duplicates('content'), near: duplicates('near') },
  };
}

const Known = z.object({ fingerprint: z.string(), position: z.int(), finished: z.int() });
const Counted = z.object({ why: z.string(), code: z.string(), count: z.int() });
const Broken = z.object({ input: z.string(), position: z.int(), code: BrokenCode, detail: z.string() });

const SELECT_INPUT = 'SELECT fingerprint, position, finished FROM inputs WHERE name = ?';
const INSERT_INPUT = 'INSERT OR REPLACE INTO inputs (name, fingerprint, position, finished) VALUES (?, ?, 0, 0)';
const COUNT = `
  INSERT INTO left_out (input, why, code, count) VALUES (@input, @why, @code, 1)
  ON CONFLICT (input, why, code) DO UPDATE SET count = count + 1`;
const NAME = `
  INSERT OR REPLACE INTO broken (input, position, code, detail)
  SELECT @input, @position, @code, @detail WHERE (SELECT count(*) FROM broken) < @most`;
const SELECT_COUNTS = 'SELECT why, code, sum(count) AS count FROM left_out GROUP BY why, code ORDER BY why, code';
const SELECT_BROKEN = 'SELECT input, position, code, detail FROM broken ORDER BY rowid LIMIT ?';
