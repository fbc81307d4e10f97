/** Scores, what differs, the cross-encoder's word on contradiction, and the claim itself → the verdict over pages that were read. */
import type { Mismatch, UncheckableReason } from '../../shared/citation.ts';
import type { Features } from './features.ts';
import type { JudgedVerdict } from './judgement.ts';
import { type Scores, sigmoid, type Weights } from './scorer.ts';

interface Assessed extends Scores {
  features: Pick<Features, 'contradicted'>;
  mismatches: readonly Mismatch[];
}

/** A claim that a page supports is supported, whether or not it needed a source. */
export function decide(
  thresholds: Weights['thresholds'],
  assessed: Assessed,
  uncheckable: UncheckableReason | null,
): JudgedVerdict {
  if (assessed.supported >= thresholds.supported) return 'supported';
  if (assessed.mismatches.length > 0 || speaksAgainst(thresholds, assessed)) return 'contradicted';
  if (uncheckable !== null) return 'uncheckable';
  return assessed.failed >= thresholds.failed ? 'not_supported' : 'partially_supported';
}

function speaksAgainst({ contradicted }: Weights['thresholds'], { features }: Assessed): boolean {
  return contradicted !== null && sigmoid(features.contradicted) >= contradicted;
}
