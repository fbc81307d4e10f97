/**
 * A claim and the passages nearest to it → details of the claim that the pages give otherwise, by rule. What the pages are
 * silent about, and what they give both ways, is no mismatch.
 */
import type { Mismatch, Passage } from '../../../shared/citation.ts';
import { countSentences } from './align.ts';
import { findCandidates, isCalculated, isGiven, isOtherwise, type Reading } from './candidates.ts';
import { onlyUnitDiffers } from './compare.ts';
import { findNameMismatches } from './name-mismatches.ts';
import { findOpposite } from './opposites.ts';
import { type Detail, type PageSentence, readClaim, readPassage } from './reading.ts';

/**
 * In the order of the claim, at most one for a detail, and at most one `opposite`. `page.quote` is a sentence or a table row (50 words at most), its
 * offsets count from where those of the passages do. Never throws; of the claim and of each passage the first 6,000
 * characters are read.
 */
export function findMismatches(claim: string, passages: readonly Passage[]): Mismatch[] {
  const sentences = passages.flatMap(readPassage);
  const reading: Reading = { claim: readClaim(claim), sentences, counts: countSentences(sentences) };
  const found = reading.claim.details.flatMap((detail) => findMismatch(reading, detail));
  return [...found, ...findNameMismatches(reading), ...findOpposite(reading)].sort(
    (a, b) => a.claim.start - b.claim.start,
  );
}

/** Of one place in the page's text. */
export function quote({ passage, start, text }: PageSentence): Mismatch['page'] {
  const from = passage.start + start;
  return { quote: text, url: passage.url, title: passage.title, start: from, end: from + text.length };
}

function findMismatch(reading: Reading, detail: Detail): Mismatch[] {
  const candidates = findCandidates(reading, detail);
  if (candidates.some((candidate) => isGiven(detail, candidate))) return [];
  if (detail.kind === 'quantity' && isCalculated(detail, candidates)) return [];
  const [best] = candidates
    .filter((candidate) => isOtherwise(reading, detail, candidate))
    .sort((a, b) => b.score - a.score);
  if (best === undefined) return [];
  return [
    { code: codeOf(detail, best.detail), claim: { start: detail.start, end: detail.end }, page: quote(best.sentence) },
  ];
}

function codeOf(ours: Detail, theirs: Detail): Mismatch['code'] {
  if (ours.kind === 'date' || theirs.kind === 'date') return 'date';
  if (ours.isRange || theirs.isRange) return 'range';
  return onlyUnitDiffers(ours, theirs) ? 'unit' : 'number';
}
