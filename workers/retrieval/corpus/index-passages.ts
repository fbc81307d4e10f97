/** Passage ids of the corpus → both arms. What an arm holds already is left, so that doing it again repairs. */
import type { DenseIndex } from '../dense/dense-index.ts';
import { encodePassages, type PassageEncoder } from '../dense/encode.ts';
import type { SparseIndex } from '../sparse/sparse-index.ts';
import type { CorpusStore } from './store.ts';
import { groupByShard } from './store-shards.ts';

export interface Arms {
  corpus: Pick<CorpusStore, 'passages' | 'shards'>;
  sparse: Pick<SparseIndex, 'add' | 'missing'>;
  dense: (shard: number) => Pick<DenseIndex, 'add' | 'missing'>;
  encoder: PassageEncoder;
}

export interface RemovingArms {
  corpus: Pick<CorpusStore, 'shards'>;
  sparse: Pick<SparseIndex, 'remove'>;
  dense: (shard: number) => Pick<DenseIndex, 'remove'>;
}

/**
 * Adds every passage of the corpus that an arm lacks: while building, and after an index was deleted or its encoder replaced.
 * `onPassages` is told how many passages were looked at, and how many of them the dense arm lacked. Stops when aborted.
 */
export async function fillIndexes(
  arms: Arms & { corpus: Pick<CorpusStore, 'idsAfter'> },
  signal: AbortSignal,
  onPassages: (looked: number, added: number) => void = () => undefined,
): Promise<void> {
  for (let after = 0; ; ) {
    const ids = arms.corpus.idsAfter(after, CHUNK);
    const last = ids.at(-1);
    if (last === undefined) return;
    onPassages(ids.length, await indexPassages(arms, ids, signal));
    after = last;
  }
}

/** Gives how many vectors were added. Throws the signal's reason when aborted; what was added till then stays. */
export async function indexPassages(arms: Arms, ids: number[], signal: AbortSignal): Promise<number> {
  const { corpus, sparse } = arms;
  const missing = await sparse.missing(ids);
  if (missing.length > 0) await sparse.add(corpus.passages(missing));
  let added = 0;
  for (const [shard, ofShard] of groupByShard(ids, corpus.shards())) {
    added += await addVectors(arms, shard, ofShard, signal);
  }
  return added;
}

/** Before the corpus replaces them: it knows their ids, and the arms would go on giving them. */
export async function removePassages({ corpus, sparse, dense }: RemovingArms, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await sparse.remove(ids);
  for (const [shard, ofShard] of groupByShard(ids, corpus.shards())) dense(shard).remove(ofShard);
}

async function addVectors(
  { corpus, dense, encoder }: Arms,
  shard: number,
  ids: number[],
  signal: AbortSignal,
): Promise<number> {
  const index = dense(shard);
  const missing = index.missing(ids);
  for (let at = 0; at < missing.length; at += BATCH) {
    signal.throwIfAborted();
    const passages = corpus.passages(missing.slice(at, at + BATCH));
    const vectors = await encodePassages(encoder, passages);
    index.add(
      passages.map((passage) => passage.id),
      vectors,
    );
  }
  return missing.length;
}

/** Passages that the sparse arm is given at once. */
const CHUNK = 256;
/** About a second of encoding. */
const BATCH = 64;
