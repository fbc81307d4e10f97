/** The names, dates and numbers of a claim, and which of them stand in a passage: what a reader looks for first. Judges nothing. */
import type { Passage } from '../../shared/citation.ts';
import type { Detail } from '../../shared/found.ts';
import { compatible } from '../verification/checks/compare.ts';
import { agree } from '../verification/checks/dates.ts';
import { isKnown, knowNames, type Name } from '../verification/checks/names.ts';
import { type Detail as Given, readClaim, readPassage } from '../verification/checks/reading.ts';
import { findWords } from '../verification/checks/words.ts';

export interface ClaimDetail extends Detail {
  read: Given | Name;
}

/** In the order of the claim. A detail that stands inside another is left to that one. */
export function findDetails(claim: string): ClaimDetail[] {
  const { names, details } = readClaim(claim);
  const found = [
    ...details.map(
      (read): ClaimDetail => ({ ...place(claim, read), kind: read.kind === 'date' ? 'date' : 'number', read }),
    ),
    ...names.map((read): ClaimDetail => ({ ...place(claim, read), kind: 'name', read })),
  ];
  const isInside = (inner: Detail, outer: Detail) =>
    inner !== outer && inner.start >= outer.start && inner.end <= outer.end && inner.text !== outer.text;
  return found.filter((one) => !found.some((other) => isInside(one, other))).sort((a, b) => a.start - b.start);
}

/** Names in any spelling, in the passage or the page's title; dates and numbers that may stand for the claim's. */
export function lookUp(details: readonly ClaimDetail[], passage: Passage): { found: Detail[]; absent: Detail[] } {
  const sentences = readPassage(passage);
  const given = sentences.flatMap((sentence) => sentence.details);
  const names = knowNames([...sentences.flatMap(({ words }) => words), ...findWords(passage.title)]);
  const stands = ({ read }: ClaimDetail) =>
    'kind' in read ? given.some((other) => says(other, read)) : isKnown(read, names);
  return {
    found: details.filter(stands).map(toDetail),
    absent: details.filter((detail) => !stands(detail)).map(toDetail),
  };
}

function says(theirs: Given, ours: Given): boolean {
  if (theirs.kind === 'date' || ours.kind === 'date') {
    return theirs.kind === 'date' && ours.kind === 'date' && agree(ours, theirs);
  }
  return compatible(ours, theirs);
}

function place(claim: string, { start, end }: { start: number; end: number }) {
  return { start, end, text: claim.slice(start, end).trim() };
}

function toDetail({ kind, text, start, end }: ClaimDetail): Detail {
  return { kind, text, start, end };
}
