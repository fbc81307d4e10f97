/** A claim and pages → the few passages that share most with it, by words alone: what the cross-encoder reads. */
import type { Passage } from '../../shared/citation.ts';
import { digest } from './digest.ts';
import { type Page, splitPassages } from './passages.ts';
import { containment, findTerms, type Terms } from './terms.ts';

const MAX_PASSAGES = 12;

export interface Selection {
  /** At most 12, most shared first. */
  passages: { passage: Passage; terms: Terms }[];
  /** '' where no sentence shares anything with the claim. */
  digest: string;
}

export function select(claim: Terms, pages: readonly Page[]): Selection {
  const ranked = pages
    .flatMap(splitPassages)
    .map((passage, at) => ({ passage, at, terms: findTerms(passage.text) }))
    .map((read) => ({ ...read, shared: shareTerms(claim, read.terms) }))
    .sort((a, b) => b.shared - a.shared || a.at - b.at)
    .slice(0, MAX_PASSAGES);
  const inOrder = [...ranked].sort((a, b) => a.at - b.at);
  return { passages: ranked, digest: digest(claim, inOrder.map(({ passage }) => passage)) };
}

/** Words count most; word order, numbers and dates tell passages with the same words apart. */
export function shareTerms(claim: Terms, found: Terms): number {
  return (
    containment(claim.words, found.words, 0) +
    0.5 * containment(claim.pairs, found.pairs, 0) +
    0.25 * (containment(claim.numbers, found.numbers, 0) + containment(claim.dates, found.dates, 0))
  );
}
