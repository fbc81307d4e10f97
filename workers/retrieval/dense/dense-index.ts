/** What one shard of the dense index is to the stages, whichever engine stands behind it. Only types. */
import type { Hit } from '../../../shared/pipeline.ts';

export interface DenseIndex {
  /** Number of the shard: passages are spread over shards, each searched by its own process. */
  readonly shard: number;
  /** How many passages it holds. */
  readonly size: number;
  /** `vectors`: ids.length × dimensions, row by row, L2-normalised. A passage that is held already is left as it is. */
  add(ids: number[], vectors: Float32Array): void;
  remove(ids: number[]): void;
  /** Those of `ids` that the shard does not hold. */
  missing(ids: number[]): number[];
  /**
   * The passages nearest to one vector by inner product (cosine), at most `k`, best first. Blocks the process. Throws RefuseToStart
   * if the shard's files are not those of its manifest.
   */
  search(vector: Float32Array, k: number): Hit[];
  /** Keeps the shard as it is searched now, so that the next process need not build it. Nothing is lost without. */
  save(): void;
  /** Saves what has changed and closes. */
  close(): void;
}
