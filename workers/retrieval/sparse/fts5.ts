/** The sparse index in SQLite FTS5 (https://sqlite.org/fts5.html): one file, BM25, English stems. Texts stay in the corpus. */
import { z } from 'zod';
import { Hit } from '../../../shared/pipeline.ts';
import { openDatabase, type Schema } from '../../sqlite.ts';
import type { SparseIndex } from './sparse-index.ts';

/** Scores are BM25 (k1 1.2, b .75, fixed by FTS5), higher is better. Throws RefuseToStart for a file of a newer version. */
export function openFts5Index(path: string): SparseIndex {
  const database = openDatabase(path, SCHEMA);
  const insert = database.prepare('INSERT OR REPLACE INTO passages (rowid, title, text) VALUES (@id, @title, @text)');
  const remove = database.prepare('DELETE FROM passages WHERE rowid IN (SELECT value FROM json_each(?))');
  const missing = database.prepare(SELECT_MISSING).pluck();
  const search = database.prepare(SEARCH);
  const addAll = database.transaction((passages: { id: number; title: string; text: string }[]) => {
    for (const { id, title, text } of passages) insert.run({ id, title, text });
  });
  return {
    add: async (passages) => addAll.immediate(passages),
    remove: async (ids) => void remove.run(JSON.stringify(ids)),
    missing: async (ids) => z.array(z.int()).parse(missing.all(JSON.stringify(ids))),
    search: async (words, k) => (words.length === 0 ? [] : z.array(Hit).parse(search.all(toMatch(words), k))),
    close: () => database.close(),
  };
}

/** Quoted, with quotes inside doubled: no word is an operator. */
function toMatch(words: string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
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
/** A word of the page's title counts three times a word of its text. */
const SEARCH = `
  SELECT rowid AS passageId, -rank AS score FROM passages
  WHERE passages MATCH ? AND rank MATCH 'bm25(3.0, 1.0)' ORDER BY rank LIMIT ?`;
