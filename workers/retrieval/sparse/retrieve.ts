/** Stage `retrieval-sparse`: a claim → the top passages of the sparse index of the generation that the search names. */
import type { Claim } from '../../../shared/citation.ts';
import { type Handler, type Retrieved, TOP } from '../../../shared/pipeline.ts';
import type { CorpusStore } from '../corpus/store.ts';
import type { Expander, FeedbackPassage } from '../expansion/expander.ts';
import { add, toQuery, toWords } from './query.ts';
import type { SparseIndex } from './sparse-index.ts';

export interface Searched {
  index: Pick<SparseIndex, 'search'>;
  /** Of the same generation: the texts that an expansion may learn from. Taken only then: a host may search without them. */
  corpus: Pick<CorpusStore, 'passages'>;
}

export interface SparseDependencies {
  /** Throws RefuseToStart for a generation that this host does not hold: the search goes on without it. */
  open(generation: string): Promise<Searched>;
  expander: Expander;
}

export function createSparse({ open, expander }: SparseDependencies): Handler<'retrieval-sparse'> {
  return async ({ claim, generation }, { signal }) => {
    const searched = Object.assign(await open(generation), { expander });
    return { answer: await searchSparse(searched, claim, TOP, signal), next: [] };
  };
}

/** The best `k` passages for the claim's words and those that the expansion adds. No hits where the claim has no word. */
export async function searchSparse(
  searched: Searched & { expander: Expander },
  claim: Pick<Claim, 'text' | 'title' | 'section' | 'context'>,
  k: number,
  signal: AbortSignal,
): Promise<Retrieved> {
  const { index, expander } = searched;
  const query = toQuery(claim);
  const feedback = async (first: number): Promise<FeedbackPassage[]> => {
    const { hits } = await index.search(query, first, signal);
    const texts = searched.corpus.passages(hits.map(({ passageId }) => passageId));
    const scores = new Map(hits.map(({ passageId, score }) => [passageId, score]));
    return texts.map(({ id, title, text }) => ({ title, text, score: scores.get(id) ?? 0 }));
  };
  const added = await expander.expand({ claim, words: toWords(claim), feedback }, signal);
  return index.search(add(query, added), k, signal);
}
