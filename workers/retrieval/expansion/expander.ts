/** What a query expansion is to the sparse arm, whichever way it finds its words. */
import type { Claim } from '../../../shared/citation.ts';
import type { WeightedWord } from '../sparse/query.ts';

export const EXPANSIONS = ['none', 'rm3', 'generated', 'endpoint'] as const;
export type ExpansionName = (typeof EXPANSIONS)[number];

/** A passage that the claim's own words found. `score`: BM25. */
export interface FeedbackPassage {
  title: string;
  text: string;
  score: number;
}

export interface Query {
  claim: Pick<Claim, 'text' | 'title' | 'section' | 'context'>;
  /** The claim's own words, each once. */
  words: readonly string[];
  /** The best `k` for them: a search of its own, made only if it is asked for. */
  feedback(k: number): Promise<FeedbackPassage[]>;
}

export interface Expander {
  name: ExpansionName;
  /**
   * Words to add to the claim's own, which weigh 1 each. [] where there is nothing to add or the expansion failed, which is logged
   * with a code: a search is never lost by it. Throws TransientError if `signal` aborts, and what `feedback` throws.
   */
  expand(query: Query, signal: AbortSignal): Promise<WeightedWord[]>;
}

export const noExpansion: Expander = { name: 'none', expand: async () => [] };
