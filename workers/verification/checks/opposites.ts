/** A claim and sentences of pages → the claim's word that a page's sentence on the same thing denies. What pages say both ways is none. */
import type { Mismatch } from '../../../shared/citation.ts';
import { type Alignment, align, scoreOf } from './align.ts';
import { hasOtherYear, type Reading } from './candidates.ts';
import { quote } from './mismatches.ts';
import { findStances, isInvolved, keyOf, type Stance } from './polarity.ts';
import type { PageSentence, Sentence } from './reading.ts';

interface Meeting {
  ours: Stance;
  theirs: Stance;
  sentence: PageSentence;
  alignment: Alignment;
  /** 0 to 1. */
  score: number;
}

/** The likeliest one, if any. */
export function findOpposite(reading: Reading): Mismatch[] {
  const meetings = findMeetings(reading);
  const denied = meetings
    .filter((meeting) => meeting.ours.reversed !== meeting.theirs.reversed && isSameThing(reading, meeting))
    .filter((meeting) => !meetings.some((other) => isSaid(other, meeting)))
    .sort((a, b) => b.score - a.score);
  const [best] = denied;
  if (best === undefined) return [];
  const { start, end } = best.ours;
  return [{ code: 'opposite', claim: { start, end }, page: quote(best.sentence) }];
}

function findMeetings({ claim, sentences, counts }: Reading): Meeting[] {
  const ours = findStances(claim);
  const pages = sentences.map((sentence) => ({ sentence, stances: findStances(sentence) }));
  const marked = new Set(
    [...ours, ...pages.flatMap(({ stances }) => stances)].filter(isMarked).map((one) => one.about),
  );
  const open = ours.filter(({ about }) => marked.has(about)).slice(0, MAX_STANCES);
  const pairs = pages.flatMap(({ sentence, stances }) =>
    open.flatMap((mine) =>
      stances.filter(({ about }) => about === mine.about).map((theirs) => ({ ours: mine, theirs, sentence })),
    ),
  );
  return pairs.slice(0, MAX_MEETINGS).map((pair) => {
    const alignment = align(claim, pair.ours, pair.sentence, pair.theirs, counts);
    return { ...pair, alignment, score: scoreOf(alignment) };
  });
}

function isMarked({ paired, reversed }: Stance): boolean {
  return paired || reversed;
}

/** Somewhere a page says what the claim says, perhaps of the same thing. */
function isSaid(other: Meeting, { ours, score }: Meeting): boolean {
  const agrees = other.ours.reversed === other.theirs.reversed;
  return agrees && other.ours.about === ours.about && other.score >= score * SAID_SHARE;
}

function isSameThing({ claim }: Reading, { ours, theirs, sentence, alignment, score }: Meeting): boolean {
  const { near, shared, otherName } = alignment;
  const isNear = near >= LEAST_NEAR && shared >= (near >= SURELY_NEAR ? 2 : LEAST_SHARED) && score >= LEAST_SCORE;
  if (!isNear || otherName || hasOtherYear(claim, sentence)) return false;
  if (isInvolved(claim.text, ours) || isInvolved(sentence.text, theirs)) return false;
  return hasSameNext(claim, ours, sentence, theirs);
}

/** What the claim's word stands before ("against the bridge") stands by the page's word too. */
function hasSameNext(claim: Sentence, ours: Stance, page: PageSentence, theirs: Stance): boolean {
  const [next] = keysAfter(claim, ours);
  const [previous] = keysBefore(claim, ours);
  const [after, before] = [keysAfter(page, theirs).slice(0, 3), keysBefore(page, theirs).slice(0, 3)];
  const beside = [...after, ...before];
  if (next === undefined) return previous !== undefined && beside.includes(previous);
  return beside.includes(next) && hasSubject(claim, ours, page);
}

/** Two of the three words before the claim's, or all there are, stand in the page's sentence or around it. */
function hasSubject(claim: Sentence, ours: Stance, page: PageSentence): boolean {
  const before = keysBefore(claim, ours).slice(0, 3);
  const present = before.filter((key) => page.stems.has(key) || page.around.has(key));
  return present.length >= Math.min(2, before.length);
}

/** Nearest first. */
function keysAfter({ words }: Sentence, { at }: Stance): string[] {
  return words.slice(at + 1, at + 1 + BESIDE).flatMap((word) => keyOf(word) ?? []);
}

function keysBefore({ words }: Sentence, { at }: Stance): string[] {
  return words
    .slice(Math.max(0, at - BESIDE), at)
    .toReversed()
    .flatMap((word) => keyOf(word) ?? []);
}

const MAX_STANCES = 24;
const MAX_MEETINGS = 200;
const BESIDE = 8;
const SAID_SHARE = 0.7;
const LEAST_SHARED = 3;
const LEAST_SCORE = 0.5;
const LEAST_NEAR = 0.5;
/** Of a short claim, nearly all words stand beside. */
const SURELY_NEAR = 0.8;
