/** What a sparse index is to the stages, whichever engine stands behind it. Only types. */
import type { Hit } from '../../../shared/pipeline.ts';
import type { CorpusPassage } from '../corpus/store.ts';

export interface SparseIndex {
  /** Adding a passage again changes nothing. */
  add(passages: CorpusPassage[]): Promise<void>;
  remove(ids: number[]): Promise<void>;
  /** Those of `ids` that the index does not hold. */
  missing(ids: number[]): Promise<number[]>;
  /** Passages with any of the words (letters and digits only), at most `k`, best first; [] for no word. */
  search(words: string[], k: number): Promise<Hit[]>;
  close(): void;
}
