/** Features → P(supported) and P(failed), by two logistic regressions. In: weights.json, written by its training. */
import { z } from 'zod';
import { ModelFailure } from '../../shared/errors.ts';
import { FEATURES, type Features } from './features.ts';

const Probability = z.number().min(0).max(1);
const Regression = z.object({ intercept: z.number(), coefficients: z.array(z.number()).length(FEATURES.length) });

export const Weights = z.object({
  /** Version of the verifier: cross-encoder, features, weights and thresholds together. */
  version: z.string().min(1),
  /** Version of the cross-encoder that it was trained with. */
  crossEncoder: z.string().min(1),
  /** Version of the encoder, likewise. */
  encoder: z.string().min(1),
  features: z
    .array(z.string())
    .refine((names) => names.join() === FEATURES.join(), 'are not the features of this program'),
  means: z.array(z.number()).length(FEATURES.length),
  scales: z.array(z.number().positive()).length(FEATURES.length),
  supported: Regression,
  failed: Regression,
  thresholds: z.object({
    /** A claim with a lower P(supported) is low-scoring. */
    supported: Probability,
    /** A low-scoring claim with at least this P(failed) is not supported; else partially. */
    failed: Probability,
    /** A low-scoring claim of which the cross-encoder gives at least this is contradicted; null: its word is not precise enough. */
    contradicted: Probability.nullable(),
  }),
});
export type Weights = z.infer<typeof Weights>;

export interface Scores {
  supported: number;
  failed: number;
}

/** Calibrated by training (MODEL_CARD.md, "Calibration"). Throws ModelFailure where a feature is not a number. */
export function score(weights: Weights, features: Features): Scores {
  const standard = FEATURES.map((name, at) => (features[name] - (weights.means[at] ?? 0)) / (weights.scales[at] ?? 1));
  const scores = { supported: apply(weights.supported, standard), failed: apply(weights.failed, standard) };
  if (Number.isFinite(scores.supported) && Number.isFinite(scores.failed)) return scores;
  throw new ModelFailure('not_finite');
}

function apply({ intercept, coefficients }: z.infer<typeof Regression>, standard: readonly number[]): number {
  return sigmoid(coefficients.reduce((sum, coefficient, at) => sum + coefficient * (standard[at] ?? 0), intercept));
}

/** Logit → probability. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
