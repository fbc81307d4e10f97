/** Stage `retrieval-dense`: a claim → the top passages of one shard of the generation that the search names. */
import { type Handler, TOP } from '../../../shared/pipeline.ts';
import type { DenseIndex } from './dense-index.ts';
import { encodeClaim, type PassageEncoder } from './encode.ts';

export interface DenseDependencies {
  /** Throws RefuseToStart for a generation or a shard that this host does not hold: the search goes on without it. */
  open(generation: string, shard: number): Promise<Pick<DenseIndex, 'search'>>;
  encoder: PassageEncoder;
}

export function createDense({ open, encoder }: DenseDependencies): Handler<'retrieval-dense'> {
  return async ({ claim, generation, shard }) => {
    const index = await open(generation, shard);
    const hits = index.search(await encodeClaim(encoder, claim), TOP);
    return { answer: { hits, shards: { asked: 1, answered: 1 } }, next: [] };
  };
}
