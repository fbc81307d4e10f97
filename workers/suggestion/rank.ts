/**
 * A claim and passages → how far each supports it by itself, one run of the cross-encoder a passage: a thirteenth of what the
 * judgement of a page costs, and enough to say which pages deserve one. Calibrates nothing.
 */
import type { Passage } from '../../shared/citation.ts';
import { type ClaimText, readClaim } from '../verification/claim.ts';
import type { CrossEncoder } from '../verification/cross-encoder.ts';
import type { Opinion } from '../verification/features.ts';

export interface PassageRanker {
  /** In the order of the passages. Throws ModelFailure. */
  rank(claim: ClaimText, passages: readonly Pick<Passage, 'title' | 'text'>[]): Promise<Opinion[]>;
}

export function createRanker(crossEncoder: Pick<CrossEncoder, 'score'>): PassageRanker {
  return {
    async rank(claim, passages) {
      const { written } = readClaim(claim);
      const logits = await crossEncoder.score(
        passages.map((passage) => ({ claim: written, text: writeText(passage) })),
      );
      return passages.map((_, at) => opinionAt(logits, at));
    },
  };
}

/** As training/train_cross_encoder.py writes it. */
function writeText({ title, text }: Pick<Passage, 'title' | 'text'>): string {
  return title === '' ? text : `${title} | ${text}`;
}

function opinionAt(logits: Float32Array, at: number): Opinion {
  const [supported = Number.NaN, partly = Number.NaN, contradicted = Number.NaN] = logits.subarray(3 * at, 3 * at + 3);
  return { supported, partly, contradicted };
}
