/** Assessed passages → which page supports the claim, which says otherwise, and what all of them say together. */

import type { Found, FoundVerdict } from '../../shared/found.ts';
import type { Assessed } from './assess.ts';

/** A passage with this chance supports the claim: deploy/decisions/find.md. */
export const SUPPORTS = 0.55;

/** Likely enough; where a detail differs it never is (assess.ts). */
export function isSupporting({ support }: Pick<Assessed, 'support'>): boolean {
  return support >= SUPPORTS;
}

/** It deals with the claim and gives a detail otherwise. The cross-encoder's own word on contradiction is not precise enough (MODEL_CARD.md). */
export function isRefuting({ mismatches }: Pick<Assessed, 'mismatches'>): boolean {
  return mismatches.length > 0;
}

/** Of each page the passage that says most: one that supports the claim, else one that says otherwise, else the likeliest. Best first. */
export function bestOfPages(assessed: readonly Assessed[]): Assessed[] {
  const best = new Map<number, Assessed>();
  for (const one of [...assessed].sort((a, b) => standing(b) - standing(a) || b.support - a.support)) {
    if (!best.has(one.passage.pageId)) best.set(one.passage.pageId, one);
  }
  return [...best.values()];
}

function standing(assessed: Assessed): number {
  if (isSupporting(assessed)) return 2;
  return isRefuting(assessed) ? 1 : 0;
}

/** Of pages that answered. One page on each side makes it disputed, however many stand beside it: which is right is for people. */
export function overallVerdict({ supports, refutes }: Pick<Found, 'supports' | 'refutes'>): FoundVerdict {
  if (supports.length > 0) return refutes.length > 0 ? 'disputed' : 'supported';
  return refutes.length > 0 ? 'refuted' : 'not_enough';
}
