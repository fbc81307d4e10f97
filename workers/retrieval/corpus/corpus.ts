/** Stage `corpus`: a text of the source store → passages in the current generation and its arms. Fetches nothing. */
import type { ReadableSource, Source } from '../../../shared/citation.ts';
import type { Handler } from '../../../shared/pipeline.ts';
import { splitPassages } from '../../verification/passages.ts';
import type { PassageEncoder } from '../dense/encode.ts';
import { indexPassages, removePassages } from './index-passages.ts';
import { armsOf } from './open-generation.ts';
import type { OpenGenerations } from './open-generations.ts';
import { CorpusPage, type CorpusStore } from './store.ts';

export interface CorpusDependencies {
  store: { get(key: string): Promise<Source | null> };
  generations: Pick<OpenGenerations, 'grow' | 'nameShards'>;
  encoder: PassageEncoder;
}

/**
 * Takes the text that is stored now, which may be newer than the job; one that another page has already is left out. Each step
 * may have been done by a run that crashed: outdated passages leave the arms before the corpus forgets their ids, and new
 * ones enter the arms after it has them.
 */
export function createCorpus({ store, generations, encoder }: CorpusDependencies): Handler<'corpus'> {
  return async ({ sourceKey }, { signal }) => {
    const source = await store.get(sourceKey);
    const page = source?.kind === 'readable' ? toCorpusPage(sourceKey, source) : null;
    if (page === null) return DONE;
    const generation = await generations.grow(encoder);
    const { corpus } = generation;
    if (isCopy(corpus, page)) return DONE;
    const arms = await armsOf(generation, encoder);
    await removePassages(arms, corpus.outdated(page));
    await indexPassages(arms, corpus.put(page, splitPassages(page)), signal);
    await generations.nameShards(generation);
    return DONE;
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

const DONE = { answer: null, next: [] };
