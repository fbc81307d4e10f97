/** An encoder that encodes a text once for all corpora that are measured: most of the time of a build is spent here. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PassageEncoder } from '../../retrieval/dense/encode.ts';
import { openDatabase } from '../../sqlite.ts';

/** Kept in the SQLite file `path`, for each version of an encoder apart. */
export function rememberVectors(encoder: PassageEncoder, path: string): PassageEncoder & { close(): void } {
  const database = openDatabase(path, SCHEMA);
  const select = database.prepare('SELECT vector FROM vectors WHERE text = ?').pluck();
  const insert = database.prepare('INSERT OR REPLACE INTO vectors (text, vector) VALUES (?, ?)');
  const keyOf = (text: string) => createHash('sha256').update(`${encoder.version}\n${text}`).digest();
  const insertAll = database.transaction((texts: readonly string[], rows: Float32Array) => {
    for (const [at, text] of texts.entries()) {
      const row = rows.slice(at * encoder.dimensions, (at + 1) * encoder.dimensions);
      insert.run(keyOf(text), Buffer.from(row.buffer));
    }
  });
  return {
    version: encoder.version,
    dimensions: encoder.dimensions,
    async encode(texts) {
      const known = texts.map((text) => Stored.parse(select.get(keyOf(text))));
      const missing = texts.filter((_, at) => known[at] === undefined);
      if (missing.length > 0) insertAll.immediate(missing, await encoder.encode(missing));
      const rows = new Float32Array(texts.length * encoder.dimensions);
      for (const [at, text] of texts.entries()) {
        const stored = known[at] ?? Stored.parse(select.get(keyOf(text)));
        // SQLite's buffers need not be aligned to 4 bytes: copied
        if (stored !== undefined) rows.set(new Float32Array(Uint8Array.from(stored).buffer), at * encoder.dimensions);
      }
      return rows;
    },
    close: () => database.close(),
  };
}

const Stored = z.instanceof(Uint8Array).optional();
const SCHEMA = {
  version: 1,
  sql: 'CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB NOT NULL) STRICT, WITHOUT ROWID',
};
