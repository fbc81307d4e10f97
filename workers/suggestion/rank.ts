/**
 * A claim and passages → how far each supports it by itself, one run of the cross-encoder a passage: a thirteenth of what the
 * judgement of a page costs, and enough to say which pages deserve one. Calibrates nothing.
 */
import type { Passage } from '../../shared/citation.ts';
import { type ClaimText, readClaim } from '../verification/claim.ts';
import type { CrossEncoder } from '../verification/cross-encoder.ts';
import type { Opinion } from '../verification/features.ts';
import { askOpinions, writeText } from '../verification/opinions.ts';

export interface PassageRanker {
  /** In the order of the passages. Throws ModelFailure. */
  rank(claim: ClaimText, passages: readonly Pick<Passage, 'title' | 'text'>[]): Promise<Opinion[]>;
}

export function createRanker(crossEncoder: Pick<CrossEncoder, 'score'>): PassageRanker {
  return {
    rank: (claim, passages) => askOpinions(crossEncoder, readClaim(claim), passages.map(writeText)),
  };
}

/**
 * Where a passage stands: what retrieval gives to its page (merge.ts, up to 1), moved by what the cross-encoder says of it. Either
 * alone ranks worse (deploy/decisions/suggestions.md).
 */
export function rankScore(merged: number, { supported }: Opinion): number {
  return merged + LOGIT_WEIGHT * supported;
}

const LOGIT_WEIGHT = 0.02;
