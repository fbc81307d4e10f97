/** What a sparse index is to the stages, whichever engine stands behind it, and how a query is given to one. Of one generation. */
import type { Retrieved } from '../../../shared/pipeline.ts';
import type { CorpusPassage } from '../corpus/store.ts';
import type { WeightedWord } from './query.ts';

export interface SparseIndex {
  /** Adding a passage again changes nothing, unless its words have changed. */
  add(passages: CorpusPassage[]): Promise<void>;
  remove(ids: number[]): Promise<void>;
  /** Those of `ids` that the index does not hold. */
  missing(ids: number[]): Promise<number[]>;
  /** How many passages it holds; what was added and removed before is counted, and seen by searches from now on. */
  count(): Promise<number>;
  /**
   * Passages with any of the words, at most `k`, best first: BM25, where a word of the page's title counts three times, each
   * word's share times its weight. No hits for no word; of more than 128 words the heaviest are asked for. `shards`: parts of
   * the index that were asked and that answered in time. Throws the signal's reason when aborted, if the engine can stop.
   */
  search(words: readonly WeightedWord[], k: number, signal?: AbortSignal): Promise<Retrieved>;
  close(): void | Promise<void>;
}

/** Words that count alike: BM25 is a sum over words, so each class is searched for itself. */
export interface WeightClass {
  weight: number;
  words: string[];
}

/** The 128 heaviest of the words, by weight. What is no letter or digit parts words, so that none is an operator of any engine. */
export function toWeightClasses(words: readonly WeightedWord[]): WeightClass[] {
  const classes = new Map<number, string[]>();
  for (const { word, weight } of [...words].sort((a, b) => b.weight - a.weight).slice(0, MAX_WORDS)) {
    const parts = word.normalize('NFKC').match(WORD) ?? [];
    classes.set(weight, [...(classes.get(weight) ?? []), ...parts]);
  }
  return [...classes].flatMap(([weight, parts]) => (parts.length === 0 ? [] : { weight, words: parts }));
}

/** A claim's and as many of an expansion. */
const MAX_WORDS = 128;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
