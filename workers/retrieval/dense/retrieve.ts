/** Stage `retrieval-dense`: a claim → the top passages of one shard. */
import type { Handler } from '../../../shared/pipeline.ts';
import type { DenseIndex } from './dense-index.ts';
import { encodeClaim, type PassageEncoder } from './encode.ts';

/** How many passages each arm gives, as in SIDE ("Retrieval": 100 + 100). */
const TOP = 100;

export interface DenseDependencies {
  index: Pick<DenseIndex, 'search'>;
  encoder: PassageEncoder;
}

export function createDense({ index, encoder }: DenseDependencies): Handler<'retrieval-dense'> {
  return async ({ claim }) => ({ answer: { hits: index.search(await encodeClaim(encoder, claim), TOP) }, next: [] });
}
