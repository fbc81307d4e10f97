/** Stage `corpus`: a text of the source store → passages in the current generation and its arms. Fetches nothing. */
import type { Source } from '../../../shared/citation.ts';
import type { Handler } from '../../../shared/pipeline.ts';
import { splitPassages } from '../../verification/passages.ts';
import type { PassageEncoder } from '../dense/encode.ts';
import { indexPassages, removePassages } from './index-passages.ts';
import { toFetchedPage } from './inputs/fetched.ts';
import { armsOf } from './open-generation.ts';
import type { OpenGenerations } from './open-generations.ts';
import type { CorpusPage, CorpusStore } from './store.ts';

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
    const page = toCorpusPage(sourceKey, await store.get(sourceKey));
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

/** Null for what can't be suggested: an address that leads to no page, or to a copy that does not say of what. */
function toCorpusPage(sourceKey: string, source: Source | null): CorpusPage | null {
  const made = source === null ? null : toFetchedPage(source);
  return made?.kind === 'page' ? { ...made.page, sourceKey } : null;
}

const DONE = { answer: null, next: [] };
