/**
 * Which passages belong to which dense shard: ranges of ids, since ids only grow. In: new ids. Out: ranges. Every process that
 * adds to a generation reads and extends the same ones.
 */

import { z } from 'zod';
import type { Database } from '../../../shared/sql/better-sqlite3.ts';

/** `last`: null for the shard that new passages go to. */
export interface IdRange {
  shard: number;
  first: number;
  last: number | null;
}

export interface ShardRanges {
  /** Ascending; at least one. */
  ranges(): IdRange[];
  /** Begins another shard where the last has its number of passages; a page stays whole. Inside the caller's transaction. */
  extend(ids: readonly number[]): void;
  divide(shards: number): void;
}

export function openShardRanges(database: Database, shardPassages: number): ShardRanges {
  database.transaction(() => initialize(database, shardPassages)).immediate();
  const select = database.prepare('SELECT shard, first FROM shards ORDER BY shard');
  const selectLast = database.prepare('SELECT shard, first FROM shards ORDER BY shard DESC LIMIT 1');
  const selectSize = database.prepare('SELECT passages FROM shard_size').pluck();
  const insert = database.prepare('INSERT INTO shards (shard, first) VALUES (?, ?)');
  const isDivided = database.prepare('SELECT divided FROM shard_size').pluck();
  const divide = database.transaction((shards: number) => {
    if (isDivided.get() === 1) return;
    const passages = z.int().parse(database.prepare(SELECT_LAST_ID).pluck().get());
    const size = Math.max(1, Math.ceil(passages / shards));
    database.exec('DELETE FROM shards');
    for (let shard = 0; shard < shards; shard += 1) insert.run(shard, shard * size + 1);
    database.prepare('UPDATE shard_size SET passages = max(passages, ?), divided = 1').run(size);
  });
  return {
    ranges: () => toRanges(z.array(Row).parse(select.all())),
    extend(ids) {
      const last = Row.parse(selectLast.get());
      const [first] = ids;
      if (first !== undefined && first - last.first >= z.int().parse(selectSize.get()))
        insert.run(last.shard + 1, first);
    },
    divide: (shards) => divide.immediate(shards),
  };
}

/** Throws RangeError for an id below all ranges. */
export function groupByShard(ids: readonly number[], ranges: readonly IdRange[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const id of ids) {
    const range = ranges.findLast(({ first }) => first <= id);
    if (range === undefined) throw new RangeError(`passage ${id} is in no shard`);
    const group = groups.get(range.shard);
    if (group === undefined) groups.set(range.shard, [id]);
    else group.push(id);
  }
  return groups;
}

function initialize(database: Database, shardPassages: number): void {
  if (database.prepare('SELECT 1 FROM shards').get() !== undefined) return;
  database.prepare('INSERT INTO shards (shard, first) VALUES (0, 1)').run();
  database.prepare('INSERT INTO shard_size (passages, divided) VALUES (?, 0)').run(shardPassages);
}

function toRanges(rows: Row[]): IdRange[] {
  return rows.map((row, at) => {
    const next = rows[at + 1];
    return { ...row, last: next === undefined ? null : next.first - 1 };
  });
}

const Row = z.object({ shard: z.int(), first: z.int() });
type Row = z.infer<typeof Row>;

/** Of all passages that there ever were. */
const SELECT_LAST_ID = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'passages'), 0)";
