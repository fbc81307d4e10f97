/**
 * One shard of the dense index in FAISS (https://github.com/ewfian/faiss-node). In: vectors by passage id. Out: nearest passages.
 * Its vectors are in a file of their own, from which any index can be built again; see seal.ts for the types.
 */

import { join } from 'node:path';
import faiss from 'faiss-node';
import { RefuseToStart } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { Hit } from '../../../shared/pipeline.ts';
import { cosine } from '../../verification/cosine.ts';
import type { Shard } from '../corpus/manifest.ts';
import type { DenseIndex } from './dense-index.ts';
import { recipeOf } from './shard-types.ts';
import { type Damage, findDamage, type Loaded, readSnapshot, type Snapshot, writeSnapshot } from './snapshot.ts';
import { openVectors, type VectorStore } from './vectors.ts';

export interface FaissOptions {
  /** Holds `dense-<shard>.sqlite`, and the shard's snapshot. */
  directory: string;
  shard: number;
  encoder: { version: string; dimensions: number };
  /** As the generation's manifest has it; null for a shard that only grows. */
  sealed: Shard['sealed'];
  log: Logger;
}

/**
 * Nothing is read before the first search: a process that only adds holds no vectors in memory. That search throws
 * RefuseToStart where the files are not those of the manifest.
 */
export function openFaissIndex(options: FaissOptions): DenseIndex {
  const { directory, shard, encoder, sealed, log } = options;
  const path = join(directory, `dense-${shard}.sqlite`);
  const vectors = openVectors(path, { encoder, sealed: sealed !== null, log });
  let loaded: Loaded | null = null;
  let saved = 0;
  const load = () => {
    loaded = sealed === null ? loadGrowing(options, vectors) : loadSealed(options, sealed);
    saved = loaded.labels.length;
    return loaded;
  };
  const save = () => {
    if (sealed !== null || loaded === null || saved === loaded.labels.length) return;
    saveGrowing(options, vectors, loaded);
    saved = loaded.labels.length;
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
      const index = loaded ?? load();
      catchUp(index, vectors);
      return search(index, vectors, vector, k);
    },
    save,
    close() {
      save();
      vectors.close();
    },
  };
}

/** Removed passages are still in FAISS: asks for more until `k` of those found are held. */
function search(loaded: Loaded, vectors: VectorStore, vector: Float32Array, k: number): Hit[] {
  const { type, index, labels } = loaded;
  const { refine } = recipeOf(type, labels.length);
  for (let asked = Math.min(k * refine, labels.length); asked > 0; asked = Math.min(asked * 2, labels.length)) {
    const found = index.search(Array.from(vector), asked);
    const near = found.labels.flatMap((position, rank) => {
      const label = labels[position]; // -1 where fewer are found than were asked for
      return label === undefined ? [] : [{ label, score: found.distances[rank] ?? 0 }];
    });
    const ranked = refine === 1 ? near : rankExactly(near, vectors, vector);
    const passages = vectors.passagesOf(ranked.map(({ label }) => label));
    const hits = ranked.flatMap(({ label, score }) => {
      const passageId = passages.get(label);
      return passageId === undefined ? [] : [{ passageId, score }];
    });
    // an index that does not look everywhere finds no more however many are asked for
    if (hits.length >= k || asked === labels.length || near.length < asked) return hits.slice(0, k);
  }
  return [];
}

interface Near {
  label: number;
  score: number;
}

function rankExactly(near: Near[], vectors: VectorStore, vector: Float32Array): Near[] {
  const rows = vectors.rows(near.map(({ label }) => label));
  return rows.map((row) => ({ label: row.label, score: cosine(row.vector, vector) })).sort((a, b) => b.score - a.score);
}

/** Adds what this or another process has stored since: every type takes more vectors once it is trained. */
export function catchUp({ index, labels }: Loaded, vectors: VectorStore): void {
  for (;;) {
    const rows = vectors.after(labels.at(-1) ?? 0, ROWS);
    if (rows.length === 0) return;
    index.add(rows.flatMap((row) => Array.from(row.vector)));
    for (const row of rows) labels.push(row.label);
  }
}

function loadSealed({ directory, shard }: FaissOptions, sealed: Snapshot): Loaded {
  const damage = findDamage(directory, sealed);
  if (damage === null) return readSnapshot(directory, shard, sealed);
  throw new RefuseToStart(
    `${join(directory, damage.file)} ${DAMAGE[damage.code]}: \`sidelight corpus build\` it again.`,
  );
}

/** The snapshot, or an empty index for `catchUp` to fill: if the files aren't what was saved, or hold mostly removed passages. */
function loadGrowing({ directory, shard, encoder, log }: FaissOptions, vectors: VectorStore): Loaded {
  return vectors.exclusively(() => {
    const empty: Loaded = { type: 'flat', index: new faiss.IndexFlatIP(encoder.dimensions), labels: [] };
    const snapshot = vectors.snapshot();
    if (snapshot === null || snapshot.passages > 2 * vectors.count()) return empty;
    const damage = findDamage(directory, snapshot);
    if (damage === null) return readSnapshot(directory, shard, snapshot);
    log.warn(
      { ...damage, passages: vectors.count() },
      `shard file ${DAMAGE[damage.code]}: built again from its vectors`,
    );
    return empty;
  });
}

/** A crash between the writes leaves files that do not fit: the next process builds the shard again. */
function saveGrowing({ directory, shard }: FaissOptions, vectors: VectorStore, loaded: Loaded): void {
  vectors.exclusively(() => writeSnapshot(directory, shard, loaded, vectors.setSnapshot));
}

const DAMAGE: Record<Damage['code'], string> = {
  missing: 'is missing',
  wrong_size: 'is not as long as its manifest says',
  wrong_checksum: 'is not what its manifest says (SHA-256)',
};
const ROWS = 1000;
