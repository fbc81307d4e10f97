/** Passage ids of the corpus → both arms of one shard. What an arm holds already is left, so that doing it again repairs. */
import type { DenseIndex } from '../dense/dense-index.ts';
import { encodePassages, type PassageEncoder } from '../dense/encode.ts';
import type { SparseIndex } from '../sparse/sparse-index.ts';
import type { CorpusStore } from './store.ts';

export interface Arms {
  corpus: Pick<CorpusStore, 'passages'>;
  sparse: Pick<SparseIndex, 'add' | 'missing'>;
  dense: Pick<DenseIndex, 'add' | 'missing'>;
  encoder: PassageEncoder;
}

/** Adds every passage of the corpus that an arm lacks: after an index was deleted, or its encoder replaced. Stops when aborted. */
export async function fillIndexes(
  arms: Arms & { corpus: Pick<CorpusStore, 'idsAfter'> },
  signal: AbortSignal,
): Promise<void> {
  for (let after = 0; ; ) {
    const ids = arms.corpus.idsAfter(after, BATCH);
    const last = ids.at(-1);
    if (last === undefined) return;
    await indexPassages(arms, ids, signal);
    after = last;
  }
}

/** Throws the signal's reason when aborted; what was added till then stays. */
export async function indexPassages(arms: Arms, ids: number[], signal: AbortSignal): Promise<void> {
  const { corpus, sparse, dense, encoder } = arms;
  await sparse.add(corpus.passages(await sparse.missing(ids)));
  const missing = dense.missing(ids);
  for (let at = 0; at < missing.length; at += BATCH) {
    signal.throwIfAborted();
    const passages = corpus.passages(missing.slice(at, at + BATCH));
    dense.add(
      passages.map((passage) => passage.id),
      await encodePassages(encoder, passages),
    );
  }
}

/** About a second of encoding. */
const BATCH = 64;
