/** A detail of the claim → the page's details of its kind, and whether they say the same, something else, or nothing of it. */
import { type Alignment, align, type Frequencies, scoreOf } from './align.ts';
import { compatible, onlyUnitDiffers } from './compare.ts';
import { agree, conflict, type DateDetail } from './dates.ts';
import { nounsOf } from './nouns.ts';
import type { Quantity } from './quantities.ts';
import type { Detail, PageSentence, Sentence } from './reading.ts';

export interface Reading {
  claim: Sentence;
  sentences: readonly PageSentence[];
  counts: Frequencies;
}

export interface Candidate {
  sentence: PageSentence;
  detail: Detail;
  alignment: Alignment;
  /** 0 to 1. */
  score: number;
  /** Both count the same noun; false where either counts none. */
  sameNoun: boolean;
  /** Each counts a noun, and not the same. */
  otherNoun: boolean;
}

export function findCandidates({ claim, sentences, counts }: Reading, detail: Detail): Candidate[] {
  const pairs = sentences.flatMap((sentence) => sentence.details.map((theirs) => ({ sentence, theirs })));
  const comparable = pairs.filter(({ theirs }) => theirs.kind === detail.kind).slice(0, MAX_CANDIDATES);
  return comparable.map(({ sentence, theirs }) => {
    const alignment = align(claim, detail, sentence, theirs, counts);
    const nouns = compareNouns(claim, detail, sentence, theirs);
    return { sentence, detail: theirs, alignment, score: scoreOf(alignment), ...nouns };
  });
}

/** The page has the claim's value, or one that it may stand for, and not of something else. */
export function isGiven(ours: Detail, { detail: theirs, score, sameNoun, otherNoun }: Candidate): boolean {
  if (ours.kind === 'date' && theirs.kind === 'date') {
    return agree(ours, theirs) && (score >= SAME_TOPIC || saysAll(ours, theirs));
  }
  if (ours.kind === 'date' || theirs.kind === 'date') return false;
  if (ours.written === theirs.written && !isRival(ours, theirs) && score >= SAME_TOPIC && !otherNoun) return true;
  return (
    compatible(ours, theirs) &&
    (sameNoun || score >= SAME_TOPIC || isDistinctive(ours)) &&
    !(otherNoun && !isDistinctive(ours))
  );
}

/** The page gives another value of the same thing. */
export function isOtherwise(reading: Reading, ours: Detail, candidate: Candidate): boolean {
  const { detail: theirs, alignment, score } = candidate;
  if (alignment.otherName || alignment.near < LEAST_NEAR || alignment.shared < 2 || isExplained(reading, ours, theirs))
    return false;
  if (ours.kind === 'date' && theirs.kind === 'date') {
    const comparable = !ours.isPeriod && !theirs.isPeriod && conflict(ours, theirs) !== null;
    return comparable && score >= DATE_SCORE && alignment.event && !hasOtherCount(reading, candidate);
  }
  if (ours.kind === 'date' || theirs.kind === 'date') return false;
  if (hasOtherYear(reading.claim, candidate.sentence)) return false;
  return isRival(ours, theirs) && score >= thresholdOf(ours, candidate);
}

/** A total or a difference of what the page says: https://en.wikipedia.org/wiki/Wikipedia:No_original_research#Routine_calculations */
export function isCalculated(ours: Quantity, candidates: readonly Candidate[]): boolean {
  const parts = candidates
    .filter(({ otherNoun, detail }) => !otherNoun && detail.kind === 'quantity' && detail.dimension === ours.dimension)
    .slice(0, 40);
  const equals = (value: number) => Math.abs(value - ours.low) <= Math.max(ours.rounding, Math.abs(ours.low) * 0.001);
  return parts.some(({ detail: a, sentence }, at) =>
    parts.slice(at + 1).some(({ detail: b, sentence: other }) => {
      if (a.kind === 'date' || b.kind === 'date' || sentence.passage !== other.passage) return false;
      return equals(a.low + b.low) || equals(Math.abs(a.low - b.low));
    }),
  );
}

/** Same dimension or a slip of the unit, and not both true. */
function isRival(ours: Quantity, theirs: Quantity): boolean {
  const measured = ours.unit !== '' && theirs.unit !== '' && ours.dimension !== 'share' && theirs.dimension !== 'share';
  if (measured && onlyUnitDiffers(ours, theirs)) return true;
  return ours.dimension === theirs.dimension && !compatible(ours, theirs);
}

function thresholdOf(ours: Quantity, { sameNoun, otherNoun }: Candidate): number {
  if (sameNoun) return SAME_NOUN_SCORE;
  const isCounted = ours.dimension === 'count' || ours.dimension === 'ordinal';
  if (isCounted) return otherNoun ? Number.POSITIVE_INFINITY : NO_NOUN_SCORE;
  return otherNoun && ours.dimension === 'share' ? NO_NOUN_SCORE : UNIT_SCORE;
}

/** What the page says is said by the claim too, of another thing. */
function isExplained({ claim }: Reading, ours: Detail, theirs: Detail): boolean {
  return claim.details.some((other) => {
    if (other === ours || (other.start < ours.end && ours.start < other.end)) return false;
    if (other.kind === 'date') return theirs.kind === 'date' && agree(other, theirs) && saysAll(other, theirs);
    return theirs.kind === 'quantity' && compatible(other, theirs);
  });
}

/** The page's sentence is of other years than the claim. */
export function hasOtherYear(claim: Sentence, page: Sentence): boolean {
  const years = page.details.filter((detail) => detail.kind === 'date' && detail.years !== null);
  const ours = claim.details.filter((detail) => detail.kind === 'date' && detail.years !== null);
  if (years.length === 0 || ours.length === 0) return false;
  return !ours.some((a) => years.some((b) => a.kind === 'date' && b.kind === 'date' && conflict(a, b) !== 'year'));
}

/** The page's sentence counts the same thing otherwise: it is of another time. */
function hasOtherCount({ claim }: Reading, { sentence }: Candidate): boolean {
  return claim.details.some((ours) => {
    if (ours.kind === 'date') return false;
    const rivals = sentence.details.filter((theirs) => theirs.kind === 'quantity' && isRival(ours, theirs));
    const given = sentence.details.some((theirs) => theirs.kind === 'quantity' && compatible(ours, theirs));
    return !given && rivals.some((theirs) => compareNouns(claim, ours, sentence, theirs).sameNoun);
  });
}

/** The page's date leaves nothing open that the claim's says. */
function saysAll(ours: DateDetail, theirs: DateDetail): boolean {
  return (
    (ours.years === null || theirs.years !== null) &&
    (ours.month === null || theirs.month !== null) &&
    (ours.day === null || theirs.day !== null)
  );
}

/** Two pages have 1,187 of something by chance less often than 12. */
function isDistinctive({ written }: Quantity): boolean {
  return Math.abs(written) >= 100 && written % 100 !== 0;
}

function compareNouns(claim: Sentence, ours: Detail, page: Sentence, theirs: Detail) {
  if (ours.kind === 'date' || theirs.kind === 'date') return { sameNoun: false, otherNoun: false };
  const [a, b] = [nounsOf(claim, ours), nounsOf(page, theirs)];
  const theirNouns = new Set([...b.behind, ...b.before]);
  const sameNoun = [...a.behind, ...a.before].some((noun) => theirNouns.has(noun));
  return { sameNoun, otherNoun: !sameNoun && a.behind.length > 0 && b.behind.length > 0 };
}

/** Twelve passages of prose have fewer. */
const MAX_CANDIDATES = 200;
const SAME_TOPIC = 0.25;
const LEAST_NEAR = 0.33;
const DATE_SCORE = 0.45;
const SAME_NOUN_SCORE = 0.4;
const UNIT_SCORE = 0.5;
const NO_NOUN_SCORE = 0.6;
