/** Stage `retrieval-sparse`: a claim → the top passages of the sparse index. */
import type { Handler } from '../../../shared/pipeline.ts';
import { toWords } from './query.ts';
import type { SparseIndex } from './sparse-index.ts';

/** How many passages each arm gives, as in SIDE ("Retrieval": 100 + 100). */
const TOP = 100;

export function createSparse({ index }: { index: Pick<SparseIndex, 'search'> }): Handler<'retrieval-sparse'> {
  return async ({ claim }) => ({ answer: { hits: await index.search(toWords(claim), TOP) }, next: [] });
}
