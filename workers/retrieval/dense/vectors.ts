/**
 * The vectors of one shard, in one SQLite file that several processes may write. It is what is true of the shard; the FAISS
 * file is a snapshot of it. A label is never used twice, so rows above a known label are what another process has added.
 */
import { z } from 'zod';
import { RefuseToStart } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { openDatabase, type Schema } from '../../sqlite.ts';
import { Shard } from '../corpus/manifest.ts';
import type { Snapshot } from './snapshot.ts';

export interface VectorRow {
  label: number;
  vector: Float32Array;
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
  /** Those of the labels that are held, in no order. */
  rows(labels: number[]): VectorRow[];
  /** Every n-th row, `limit` at most, spread over the whole shard; the same ones each time. */
  sample(limit: number): VectorRow[];
  /** The files that a growing shard was saved as; null if it never was. */
  snapshot(): Snapshot | null;
  setSnapshot(snapshot: Snapshot): void;
  /** Runs `work` while no other process writes to the shard. */
  exclusively<T>(work: () => T): T;
  close(): void;
}

/**
 * Vectors of another encoder version mean nothing to this one: they are dropped, to be encoded again from the corpus. With
 * `sealed`, where nothing would encode them again, RefuseToStart is thrown instead.
 */
export function openVectors(path: string, { encoder, sealed, log }: VectorOptions): VectorStore {
  const database = openDatabase(path, SCHEMA);
  const match = database.transaction(() => matchEncoder(database, { path, version: encoder.version, sealed, log }));
  match.immediate();
  const list = (sql: string) => database.prepare(sql).pluck();
  const missing = list(SELECT_MISSING);
  const remove = database.prepare('DELETE FROM vectors WHERE passage IN (SELECT value FROM json_each(?))');
  const after = database.prepare('SELECT label, vector FROM vectors WHERE label > ? ORDER BY label LIMIT ?');
  const rows = database.prepare(`SELECT label, vector FROM vectors WHERE label IN ${GIVEN}`);
  const passages = database.prepare(`SELECT label, passage FROM vectors WHERE label IN ${GIVEN}`);
  const count = list('SELECT count(*) FROM vectors');
  return {
    count: () => Number(count.get()),
    add: createAdd(database, encoder.dimensions),
    remove: (ids) => void remove.run(JSON.stringify(ids)),
    missing: (ids) => z.array(z.int()).parse(missing.all(JSON.stringify(ids))),
    after: (label, limit) => after.all(label, limit).map(toRow),
    rows: (labels) => rows.all(JSON.stringify(labels)).map(toRow),
    sample: createSample(database),
    passagesOf: (labels) => {
      const found = z.array(z.object({ label: z.int(), passage: z.int() })).parse(passages.all(JSON.stringify(labels)));
      return new Map(found.map((row) => [row.label, row.passage]));
    },
    ...createSnapshot(database),
    exclusively: (work) => database.transaction(work).immediate(),
    close: () => database.close(),
  };
}

export interface VectorOptions {
  encoder: { version: string; dimensions: number };
  sealed: boolean;
  log: Logger;
}

type Database = ReturnType<typeof openDatabase>;

function matchEncoder(
  database: Database,
  wanted: { path: string; version: string; sealed: boolean; log: Logger },
): void {
  const { path, version, sealed, log } = wanted;
  const found = database.prepare('SELECT encoder FROM shard').pluck().get();
  if (found === version) return;
  if (found !== undefined) {
    if (sealed) throw new RefuseToStart(`${path} is of encoder ${found}, not ${version}: build the generation again.`);
    log.warn({ found, version }, 'dense shard is of another encoder: its passages are encoded again');
  }
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

/** Labels have few gaps: steps over them take what stands at or after each. */
function createSample(database: Database): VectorStore['sample'] {
  const ends = database.prepare('SELECT min(label) AS first, max(label) AS last FROM vectors');
  const next = database.prepare('SELECT label, vector FROM vectors WHERE label >= ? ORDER BY label LIMIT 1');
  const Ends = z.object({ first: z.int().nullable(), last: z.int().nullable() });
  return (limit) => {
    const { first, last } = Ends.parse(ends.get());
    if (first === null || last === null) return [];
    const step = Math.max(1, (last - first + 1) / limit);
    const rows = new Map<number, VectorRow>();
    for (let at = first; at <= last && rows.size < limit; at += step) {
      const row = toRow(next.get(Math.floor(at)));
      rows.set(row.label, row);
    }
    return [...rows.values()];
  };
}

function createSnapshot(database: Database): Pick<VectorStore, 'snapshot' | 'setSnapshot'> {
  const select = database.prepare('SELECT snapshot FROM shard').pluck();
  const update = database.prepare('UPDATE shard SET snapshot = ?');
  return {
    snapshot: () => {
      const stored = z.string().nullish().parse(select.get());
      return typeof stored === 'string' ? Shard.shape.sealed.parse(JSON.parse(stored)) : null;
    },
    setSnapshot: (snapshot) => void update.run(JSON.stringify(snapshot)),
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
    CREATE TABLE IF NOT EXISTS shard (encoder TEXT NOT NULL, snapshot TEXT) STRICT;`,
};

const SELECT_MISSING = `
  SELECT asked.value FROM json_each(?) AS asked
  WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.passage = asked.value)`;
const GIVEN = '(SELECT value FROM json_each(?))';
