/**
 * The vectors of one shard, in one SQLite file that several processes may write. It is what is true of the shard; the FAISS
 * file is a snapshot of it. A label is never used twice, so rows above a known label are what another process has added.
 */
import { z } from 'zod';
import type { Logger } from '../../../shared/logger.ts';
import { openDatabase, type Schema } from '../../sqlite.ts';

export interface VectorRow {
  label: number;
  vector: Float32Array;
}

/** What the snapshot file is said to hold: `labels[position]`, and the file's SHA-256. */
export interface Manifest {
  checksum: string;
  labels: number[];
}

export interface VectorStore {
  count(): number;
  add(ids: number[], vectors: Float32Array): void;
  remove(ids: number[]): void;
  missing(ids: number[]): number[];
  /** Up to `limit` rows with a label above `after`, by label. */
  after(after: number, limit: number): VectorRow[];
  /** Label → passage id, without those removed. */
  passagesOf(labels: number[]): Map<number, number>;
  manifest(): Manifest | null;
  setManifest(manifest: Manifest): void;
  /** Runs `work` while no other process writes to the shard. */
  exclusively<T>(work: () => T): T;
  close(): void;
}

/** Vectors of another encoder version mean nothing to this one: they are dropped, to be encoded again from the corpus. */
export function openVectors(path: string, encoder: { version: string; dimensions: number }, log: Logger): VectorStore {
  const database = openDatabase(path, SCHEMA);
  database.transaction(() => matchEncoder(database, encoder.version, log)).immediate();
  const list = (sql: string) => database.prepare(sql).pluck();
  const missing = list(SELECT_MISSING);
  const remove = database.prepare('DELETE FROM vectors WHERE passage IN (SELECT value FROM json_each(?))');
  const after = database.prepare('SELECT label, vector FROM vectors WHERE label > ? ORDER BY label LIMIT ?');
  const passages = database.prepare(SELECT_PASSAGES);
  const count = list('SELECT count(*) FROM vectors');
  return {
    count: () => Number(count.get()),
    add: createAdd(database, encoder.dimensions),
    remove: (ids) => void remove.run(JSON.stringify(ids)),
    missing: (ids) => z.array(z.int()).parse(missing.all(JSON.stringify(ids))),
    after: (label, limit) => after.all(label, limit).map(toRow),
    passagesOf: (labels) => {
      const rows = z.array(z.object({ label: z.int(), passage: z.int() })).parse(passages.all(JSON.stringify(labels)));
      return new Map(rows.map((row) => [row.label, row.passage]));
    },
    ...createManifest(database),
    exclusively: (work) => database.transaction(work).immediate(),
    close: () => database.close(),
  };
}

type Database = ReturnType<typeof openDatabase>;

function matchEncoder(database: Database, version: string, log: Logger): void {
  const found = database.prepare('SELECT encoder FROM shard').pluck().get();
  if (found === version) return;
  if (found !== undefined)
    log.warn({ found, version }, 'dense shard is of another encoder: its passages are encoded again');
  database.exec('DELETE FROM vectors; DELETE FROM shard');
  database.prepare('INSERT INTO shard (encoder) VALUES (?)').run(version);
}

function createAdd(database: Database, dimensions: number): VectorStore['add'] {
  const insert = database.prepare('INSERT INTO vectors (passage, vector) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const addAll = database.transaction((ids: number[], vectors: Float32Array) => {
    for (const [row, id] of ids.entries()) {
      const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
      insert.run(id, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
    }
  });
  return (ids, vectors) => {
    if (vectors.length !== ids.length * dimensions) {
      throw new RangeError(`${vectors.length} numbers are not ${ids.length} vectors of ${dimensions}`);
    }
    addAll.immediate(ids, vectors);
  };
}

function createManifest(database: Database): Pick<VectorStore, 'manifest' | 'setManifest'> {
  const select = database.prepare('SELECT checksum, labels FROM shard WHERE checksum IS NOT NULL');
  const update = database.prepare('UPDATE shard SET checksum = @checksum, labels = @labels');
  const Stored = z.object({ checksum: z.string(), labels: z.string() }).optional();
  return {
    manifest: () => {
      const stored = Stored.parse(select.get());
      return stored === undefined ? null : { ...stored, labels: z.array(z.int()).parse(JSON.parse(stored.labels)) };
    },
    setManifest: ({ checksum, labels }) => void update.run({ checksum, labels: JSON.stringify(labels) }),
  };
}

/** SQLite's buffers need not be aligned to 4 bytes: copied. */
function toRow(row: unknown): VectorRow {
  const { label, vector } = Row.parse(row);
  return { label, vector: new Float32Array(Uint8Array.from(vector).buffer) };
}

const Row = z.object({ label: z.int(), vector: z.instanceof(Uint8Array) });

/** AUTOINCREMENT: labels only grow. */
const SCHEMA: Schema = {
  version: 1,
  sql: `
    CREATE TABLE IF NOT EXISTS vectors (
      label INTEGER PRIMARY KEY AUTOINCREMENT,
      passage INTEGER NOT NULL UNIQUE,
      vector BLOB NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS shard (encoder TEXT NOT NULL, checksum TEXT, labels TEXT) STRICT;`,
};

const SELECT_MISSING = `
  SELECT asked.value FROM json_each(?) AS asked
  WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.passage = asked.value)`;
const SELECT_PASSAGES = `
  SELECT label, passage FROM vectors WHERE label IN (SELECT value FROM json_each(?))`;
