/** A generation of the corpus → its retrievers, asked without queues. An arm is opened when it is first asked; one that can't be is its own loss. */
import { TOP } from '../../shared/pipeline.ts';
import { type OpenGeneration, requireEncoder } from '../retrieval/corpus/open-generation.ts';
import { encodeClaim, type PassageEncoder } from '../retrieval/dense/encode.ts';
import type { Expander } from '../retrieval/expansion/expander.ts';
import { searchSparse } from '../retrieval/sparse/retrieve.ts';
import type { Retriever } from './find.ts';

type Searched = Pick<OpenGeneration, 'manifest' | 'corpus' | 'sparse' | 'held'>;

export function openRetrievers(
  generation: Searched,
  { encoder, expander }: { encoder: PassageEncoder; expander: Expander },
): Retriever[] {
  const sparse: Retriever = {
    arm: 'sparse',
    name: 'retrieval-sparse',
    search: async (claim, signal) =>
      searchSparse({ index: await generation.sparse(), corpus: generation.corpus, expander }, claim, TOP, signal),
  };
  const dense = generation.manifest.shards.map(
    ({ shard }): Retriever => ({
      arm: 'dense',
      name: `retrieval-dense-${shard}`,
      async search(claim) {
        requireEncoder(generation.manifest, encoder);
        const hits = generation.held(shard).search(await encodeClaim(encoder, claim), TOP);
        return { hits, shards: { asked: 1, answered: 1 } };
      },
    }),
  );
  return [sparse, ...dense];
}
