/** Stage `corpus`: a text of the source store → passages in the corpus and in both arms. Fetches nothing. */
import type { ReadableSource, Source } from '../../../shared/citation.ts';
import type { Handler } from '../../../shared/pipeline.ts';
import { splitPassages } from '../../verification/passages.ts';
import type { DenseIndex } from '../dense/dense-index.ts';
import type { SparseIndex } from '../sparse/sparse-index.ts';
import { type Arms, indexPassages } from './index-passages.ts';
import { CorpusPage, type CorpusStore } from './store.ts';

export interface CorpusDependencies extends Arms {
  store: { get(key: string): Promise<Source | null> };
  corpus: Pick<CorpusStore, 'duplicate' | 'outdated' | 'put' | 'passages'>;
  sparse: Pick<SparseIndex, 'add' | 'missing' | 'remove'>;
  dense: Pick<DenseIndex, 'add' | 'missing' | 'remove'>;
}

/**
 * Takes the text that is stored now, which may be newer than the job; one that another page has already is left out. Each step
 * may have been done by a run that crashed: outdated passages leave the arms before the corpus forgets their ids, and new
 * ones enter the arms after it has them.
 */
export function createCorpus(dependencies: CorpusDependencies): Handler<'corpus'> {
  const { store, corpus, sparse, dense } = dependencies;
  return async ({ sourceKey }, { signal }) => {
    const source = await store.get(sourceKey);
    const page = source?.kind === 'readable' ? toCorpusPage(sourceKey, source) : null;
    if (page === null || isCopy(corpus, page)) return { answer: null, next: [] };
    const outdated = corpus.outdated(page);
    await sparse.remove(outdated);
    dense.remove(outdated);
    await indexPassages(dependencies, corpus.put(page, splitPassages(page)), signal);
    return { answer: null, next: [] };
  };
}

/** Of another page. The page itself, fetched again, may have changed. */
function isCopy(corpus: Pick<CorpusStore, 'duplicate'>, page: CorpusPage): boolean {
  const duplicate = corpus.duplicate(page);
  return duplicate !== null && duplicate.kind !== 'url';
}

/** Null for an address that can't be suggested. */
function toCorpusPage(sourceKey: string, source: ReadableSource): CorpusPage | null {
  const { title, text, language, archivedAt, fetchedAt } = source;
  const url = source.url.startsWith('//') ? `https:${source.url}` : source.url;
  const page = { sourceKey, url, title, text, language, crawledAt: archivedAt ?? fetchedAt, publishedAt: null };
  return CorpusPage.safeParse(page).data ?? null;
}
