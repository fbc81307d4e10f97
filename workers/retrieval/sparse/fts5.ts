/** The sparse index in SQLite FTS5 (https://sqlite.org/fts5.html): one file, BM25, English stems. Texts stay in the corpus. */
import { z } from 'zod';
import { Hit } from '../../../shared/pipeline.ts';
import { openDatabase, type Schema } from '../../sqlite.ts';
import { type SparseIndex, toWeightClasses, type WeightClass } from './sparse-index.ts';

/** Scores are BM25 (k1 1.2, b .75, fixed by FTS5), higher is better. Throws RefuseToStart for a file of a newer version. */
export function openFts5Index(path: string): SparseIndex {
  const database = openDatabase(path, SCHEMA);
  const insert = database.prepare('INSERT OR REPLACE INTO passages (rowid, title, text) VALUES (@id, @title, @text)');
  const remove = database.prepare('DELETE FROM passages WHERE rowid IN (SELECT value FROM json_each(?))');
  const missing = database.prepare(SELECT_MISSING).pluck();
  const count = database.prepare('SELECT count(*) FROM passages').pluck();
  const search = database.prepare(SEARCH);
  const addAll = database.transaction((passages: { id: number; title: string; text: string }[]) => {
    for (const { id, title, text } of passages) insert.run({ id, title, text });
  });
  return {
    add: async (passages) => addAll.immediate(passages),
    remove: async (ids) => void remove.run(JSON.stringify(ids)),
    missing: async (ids) => z.array(z.int()).parse(missing.all(JSON.stringify(ids))),
    count: async () => z.int().parse(count.get()),
    search: async (words, k, signal) => {
      signal?.throwIfAborted();
      const classes = toWeightClasses(words).map(toMatch);
      return { hits: z.array(Hit).parse(search.all(JSON.stringify(classes), k)), shards: { asked: 1, answered: 1 } };
    },
    close: () => void database.close(),
  };
}

/** Quoted: no word is an operator. */
function toMatch({ weight, words }: WeightClass): { weight: number; match: string } {
  return { weight, match: words.map((word) => `"${word}"`).join(' OR ') };
}

/** Contentless: only the inverted index is kept. */
const SCHEMA: Schema = {
  version: 1,
  sql: `CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5 (
    title, text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );`,
};

const SELECT_MISSING = `
  SELECT asked.value FROM json_each(?) AS asked
  WHERE NOT EXISTS (SELECT 1 FROM passages WHERE passages.rowid = asked.value)`;
/** `rank` is -BM25; of equal passages the first one stands first, whichever way they were found. */
const SEARCH = `
  WITH found AS MATERIALIZED (
    SELECT passages.rowid AS passageId, -passages.rank * (class.value ->> '$.weight') AS score
    FROM json_each(?) AS class CROSS JOIN passages
    WHERE passages MATCH (class.value ->> '$.match') AND passages.rank MATCH 'bm25(3.0, 1.0)'
  )
  SELECT passageId, sum(score) AS score FROM found GROUP BY passageId ORDER BY score DESC, passageId LIMIT ?`;
