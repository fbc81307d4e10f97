/**
 * One shard of the dense index in FAISS (https://github.com/ewfian/faiss-node): exact inner product. In: vectors by passage id.
 * Out: nearest passages. The shard file only saves building the index again, which vectors.ts makes possible at any time.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import faiss from 'faiss-node';
import type { Logger } from '../../../shared/logger.ts';
import type { Hit } from '../../../shared/pipeline.ts';
import type { DenseIndex } from './dense-index.ts';
import { openVectors, type VectorStore } from './vectors.ts';

export interface FaissOptions {
  /** Holds `dense-<shard>.faiss` and `dense-<shard>.sqlite`. */
  directory: string;
  shard: number;
  encoder: { version: string; dimensions: number };
  log: Logger;
}

/** The index in memory: `labels[position]`, as FAISS knows vectors by position only. */
interface Loaded {
  index: faiss.Index;
  labels: number[];
  saved: number;
}

/** Nothing is read before the first search: a process that only adds holds no vectors in memory. */
export function openFaissIndex(options: FaissOptions): DenseIndex {
  const { directory, shard, encoder, log } = options;
  const file = join(directory, `dense-${shard}.faiss`);
  const vectors = openVectors(join(directory, `dense-${shard}.sqlite`), encoder, log);
  let loaded: Loaded | null = null;
  const save = () => {
    if (loaded !== null && loaded.saved < loaded.labels.length) writeShard(file, vectors, loaded);
  };
  return {
    shard,
    get size() {
      return vectors.count();
    },
    add: vectors.add,
    remove: vectors.remove,
    missing: vectors.missing,
    search(vector, k) {
      loaded ??= loadShard(file, vectors, encoder.dimensions, log);
      catchUp(loaded, vectors);
      return search(loaded, vectors, vector, k);
    },
    save,
    close() {
      save();
      vectors.close();
    },
  };
}

/** Removed passages are still in FAISS: asks for more until `k` of those found are held. */
function search({ index, labels }: Loaded, vectors: VectorStore, vector: Float32Array, k: number): Hit[] {
  for (let asked = Math.min(k, labels.length); asked > 0; asked = Math.min(asked * 2, labels.length)) {
    const found = index.search(Array.from(vector), asked);
    const foundLabels = found.labels.map((position) => labels[position] ?? -1);
    const passages = vectors.passagesOf(foundLabels);
    const hits = foundLabels.flatMap((label, rank) => {
      const passageId = passages.get(label);
      return passageId === undefined ? [] : [{ passageId, score: found.distances[rank] ?? 0 }];
    });
    if (hits.length >= k || asked === labels.length) return hits.slice(0, k);
  }
  return [];
}

/** Adds what this or another process has stored since. */
function catchUp({ index, labels }: Loaded, vectors: VectorStore): void {
  for (;;) {
    const rows = vectors.after(labels.at(-1) ?? 0, ROWS);
    if (rows.length === 0) return;
    index.add(rows.flatMap((row) => Array.from(row.vector)));
    for (const row of rows) labels.push(row.label);
  }
}

/** The shard file, or an empty index for `catchUp` to fill: if the file isn't what was saved, or holds mostly removed passages. */
function loadShard(file: string, vectors: VectorStore, dimensions: number, log: Logger): Loaded {
  const empty = () => ({ index: new faiss.IndexFlatIP(dimensions), labels: [], saved: 0 });
  return vectors.exclusively(() => {
    const manifest = vectors.manifest();
    if (manifest === null || manifest.labels.length > 2 * vectors.count()) return empty();
    if (!existsSync(file) || hashFile(file) !== manifest.checksum) {
      log.warn({ file, passages: vectors.count() }, 'shard file is missing or damaged: built again from its vectors');
      return empty();
    }
    return { index: faiss.Index.read(file), labels: manifest.labels, saved: manifest.labels.length };
  });
}

/** A crash between the two writes leaves a checksum that does not fit: the next process builds the shard again. */
function writeShard(file: string, vectors: VectorStore, loaded: Loaded): void {
  vectors.exclusively(() => {
    loaded.index.write(`${file}.new`);
    vectors.setManifest({ checksum: hashFile(`${file}.new`), labels: loaded.labels });
    renameSync(`${file}.new`, file);
  });
  loaded.saved = loaded.labels.length;
}

/** In pieces: a shard may be larger than a Buffer. */
function hashFile(file: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(1 << 20);
  const descriptor = openSync(file, 'r');
  for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece)) {
    hash.update(piece.subarray(0, read));
  }
  closeSync(descriptor);
  return hash.digest('hex');
}

const ROWS = 1000;
