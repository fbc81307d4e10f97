/** Scores, the cross-encoder's word on contradiction, and the claim itself → the verdict over pages that were read. */
import type { UncheckableReason } from '../../shared/citation.ts';
import type { Features } from './features.ts';
import type { JudgedVerdict } from './judgement.ts';
import { type Scores, sigmoid, type Weights } from './scorer.ts';

/** A claim that a page supports is supported, whether or not it needed a source. */
export function decide(
  { thresholds }: Pick<Weights, 'thresholds'>,
  assessed: Scores & { features: Features },
  uncheckable: UncheckableReason | null,
): JudgedVerdict {
  if (assessed.supported >= thresholds.supported) return 'supported';
  if (sigmoid(assessed.features.contradicted) >= thresholds.contradicted) return 'contradicted';
  if (uncheckable !== null) return 'uncheckable';
  return assessed.failed >= thresholds.failed ? 'not_supported' : 'partially_supported';
}
