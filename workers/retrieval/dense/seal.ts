/**
 * The vectors of a shard → its sealed files, of the type that suits their number. Reads vectors in pieces; an index in memory is
 * as large as its file. Doing it again gives a shard of the same passages: labels are those of the vectors.
 */
import { join } from 'node:path';
import faiss from 'faiss-node';
import type { Logger } from '../../../shared/logger.ts';
import { catchUp } from './faiss.ts';
import { chooseType, type Recipe, recipeOf, type ShardType } from './shard-types.ts';
import { type Snapshot, writeSnapshot } from './snapshot.ts';
import { openVectors, type VectorStore } from './vectors.ts';

export interface SealOptions {
  /** Holds `dense-<shard>.sqlite`; the files are written beside it. */
  directory: string;
  shard: number;
  encoder: { version: string; dimensions: number };
  /** Default: by the number of passages. */
  type?: ShardType | undefined;
  log: Logger;
}

/** The caller puts what it gives into the manifest: until then the shard is searched as before. Throws RangeError for an empty shard. */
export function sealShard({ directory, shard, encoder, type, log }: SealOptions): Snapshot {
  const vectors = openVectors(join(directory, `dense-${shard}.sqlite`), { encoder, sealed: true, log });
  try {
    const passages = vectors.count();
    if (passages === 0) throw new RangeError(`shard ${shard} has no passages`);
    const chosen = type ?? chooseType(passages);
    const index = train(vectors, recipeOf(chosen, passages), encoder.dimensions);
    const loaded = { type: chosen, index, labels: [] };
    catchUp(loaded, vectors);
    return writeSnapshot(directory, shard, loaded, () => undefined);
  } finally {
    vectors.close();
  }
}

function train(vectors: VectorStore, { factory, training }: Recipe, dimensions: number): faiss.Index {
  const index = faiss.Index.fromFactory(dimensions, factory, faiss.MetricType.METRIC_INNER_PRODUCT);
  if (training > 0) index.train(vectors.sample(training).flatMap((row) => Array.from(row.vector)));
  return index;
}
