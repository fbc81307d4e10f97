/** Features → P(supported) and P(not supported), by two logistic regressions. In: weights.json, written by its training. */
import { z } from 'zod';
import { FEATURES, type Features } from './features.ts';

const Probability = z.number().min(0).max(1);
const Regression = z.object({ intercept: z.number(), coefficients: z.array(z.number()).length(FEATURES.length) });

export const Weights = z.object({
  /** Version of the verifier: features, weights and thresholds together. */
  version: z.string().min(1),
  /** Version of the encoder that it was trained with. */
  encoder: z.string().min(1),
  features: z
    .array(z.string())
    .refine((names) => names.join() === FEATURES.join(), 'are not the features of this program'),
  means: z.array(z.number()).length(FEATURES.length),
  scales: z.array(z.number().positive()).length(FEATURES.length),
  supported: Regression,
  notSupported: Regression,
  thresholds: z.object({
    /** A claim with a lower P(supported) is low-scoring. */
    supported: Probability,
    /** A low-scoring claim with at least this P(not supported) is not supported; else partially. */
    notSupported: Probability,
  }),
});
export type Weights = z.infer<typeof Weights>;

export interface Scores {
  supported: number;
  notSupported: number;
}

/** Calibrated by training (MODEL_CARD.md, "Calibration"). Throws where a feature is not a number. */
export function score(weights: Weights, features: Features): Scores {
  const standard = FEATURES.map((name, at) => (features[name] - (weights.means[at] ?? 0)) / (weights.scales[at] ?? 1));
  const scores = { supported: apply(weights.supported, standard), notSupported: apply(weights.notSupported, standard) };
  if (Number.isFinite(scores.supported) && Number.isFinite(scores.notSupported)) return scores;
  throw new Error(`no finite score for ${JSON.stringify(features)}`);
}

function apply({ intercept, coefficients }: z.infer<typeof Regression>, standard: readonly number[]): number {
  const logit = coefficients.reduce((sum, coefficient, at) => sum + coefficient * (standard[at] ?? 0), intercept);
  return 1 / (1 + Math.exp(-logit));
}
