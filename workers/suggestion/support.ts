/**
 * A claim beside one passage → P(supported): what the cross-encoder says of it, and which share of the claim's words, numbers, dates
 * and names it has. Nearly as good as the judgement of a whole page, at one run of the model (deploy/decisions/suggestions.md).
 */
import type { ReadClaim } from '../verification/claim.ts';
import type { Opinion } from '../verification/features.ts';
import { sigmoid } from '../verification/scorer.ts';
import { containment, type Terms } from '../verification/terms.ts';

/** In the order of `measureSupport`. */
export const SUPPORT_FEATURES = ['supported', 'words', 'numbers', 'dates', 'names'] as const;

/** A logit, and shares of the claim's terms; 1 for a kind of which it has none, but of words. */
export function measureSupport({ terms }: ReadClaim, opinion: Opinion, found: Terms): number[] {
  return [
    opinion.supported,
    containment(terms.words, found.words, 0),
    containment(terms.numbers, found.numbers, 1),
    containment(terms.dates, found.dates, 1),
    containment(terms.names, found.words, 1),
  ];
}

/** 0 to 1. */
export function chanceOfSupport(features: readonly number[]): number {
  return sigmoid(COEFFICIENTS.reduce((sum, weight, at) => sum + weight * (features[at] ?? 0), INTERCEPT));
}

/** Written by training/fit-support.ts. Years are numbers too, so that dates have little left to say. */
const COEFFICIENTS = [0.232, 2.273, 1.803, -0.189, 0.415];
const INTERCEPT = -2.44;
