/** How much of a claim a sentence or a cell has: what evidence is chosen by. By words alone; judges nothing. */
import { containment, type Terms } from '../../verification/terms.ts';

/** 0 for nothing, more for more. Word order, numbers and dates tell sentences with the same words apart. */
export function shareOf(claim: Terms, found: Terms): number {
  return (
    containment(claim.words, found.words, 0) +
    0.5 * containment(claim.pairs, found.pairs, 0) +
    0.25 * (containment(claim.numbers, found.numbers, 0) + containment(claim.dates, found.dates, 0))
  );
}
