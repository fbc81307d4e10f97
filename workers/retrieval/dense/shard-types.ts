/** How a sealed shard is built, by its size. The trade-offs, and what was measured: deploy/decisions/dense-index.md. */
import type { Shard } from '../corpus/manifest.ts';

export type ShardType = NonNullable<Shard['sealed']>['type'];

export interface Recipe {
  /** As FAISS's factory reads it: https://github.com/facebookresearch/faiss/wiki/The-index-factory */
  factory: string;
  /** How many vectors it is trained on; 0 if it needs none. */
  training: number;
  /** What FAISS keeps in the written file and faiss-node can't set: see search-parameters.ts. */
  search: { efSearch: number } | { nprobe: number } | null;
  /** So many times as many candidates are taken from the index and ranked again by their exact vectors. */
  refine: number;
}

/** Exact while that is quick, a graph while it fits into the memory of one machine, compressed lists beyond. */
export function chooseType(passages: number): ShardType {
  if (passages <= 100_000) return 'flat';
  return passages <= 5_000_000 ? 'hnsw-sq8' : 'ivf-pq';
}

export function recipeOf(type: ShardType, passages: number): Recipe {
  if (type === 'flat') return { factory: 'Flat', training: 0, search: null, refine: 1 };
  // the quantiser learns the range of each dimension: a few thousand vectors show it
  if (type === 'hnsw-sq8') {
    return { factory: 'HNSW32_SQ8', training: Math.min(passages, 10_000), search: { efSearch: 256 }, refine: 1 };
  }
  const lists = listsOf(passages);
  return {
    factory: `IVF${lists},PQ64np`, // np: codes are not ordered for polysemous search, which takes minutes and is not used
    training: Math.min(passages, MAX_TRAINING),
    search: { nprobe: Math.min(lists, 128) },
    refine: 4,
  };
}

/** About 4 √n lists, a power of two, each with at least the 39 vectors to be trained on that FAISS asks for. */
function listsOf(passages: number): number {
  const wanted = Math.min(4 * Math.sqrt(passages), Math.min(passages, MAX_TRAINING) / 39);
  return 2 ** Math.max(0, Math.floor(Math.log2(wanted)));
}

/** faiss-node takes them as one JavaScript array: half a gigabyte. */
const MAX_TRAINING = 160_000;
