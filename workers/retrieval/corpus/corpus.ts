/** Stage `corpus`: a text of the source store → passages in the corpus and both arms of the shard. Fetches nothing. */
import type { Source } from '../../../shared/citation.ts';
import type { Handler } from '../../../shared/pipeline.ts';
import { splitPassages } from '../../verification/passages.ts';
import type { DenseIndex } from '../dense/dense-index.ts';
import type { SparseIndex } from '../sparse/sparse-index.ts';
import { type Arms, indexPassages } from './index-passages.ts';
import type { CorpusStore } from './store.ts';

export interface CorpusDependencies extends Arms {
  store: { get(key: string): Promise<Source | null> };
  corpus: Pick<CorpusStore, 'outdated' | 'put' | 'passages'>;
  sparse: Pick<SparseIndex, 'add' | 'missing' | 'remove'>;
  dense: Pick<DenseIndex, 'add' | 'missing' | 'remove'>;
}

/**
 * Takes the text that is stored now, which may be newer than the job. Each step may have been done by a run that crashed:
 * outdated passages leave the arms before the corpus forgets their ids, and new ones enter the arms after it has them.
 */
export function createCorpus(dependencies: CorpusDependencies): Handler<'corpus'> {
  const { store, corpus, sparse, dense } = dependencies;
  return async ({ sourceKey }, { signal }) => {
    const source = await store.get(sourceKey);
    if (source?.kind !== 'readable') return { answer: null, next: [] };
    const page = { sourceKey, url: source.url, title: source.title, contentHash: source.contentHash };
    const outdated = corpus.outdated(page);
    await sparse.remove(outdated);
    dense.remove(outdated);
    await indexPassages(dependencies, corpus.put(page, splitPassages(source)), signal);
    return { answer: null, next: [] };
  };
}
