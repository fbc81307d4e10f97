/**
 * The details of a claim (numbers, dates, names) in a passage: which stand there, which stand otherwise, which don't. In: a claim,
 * a passage, what was found by rule. Out: characters to mark, in pairs that carry one number. It judges nothing: that a number
 * stands in a passage does not say that it is of the same thing.
 */
import type { Claim, Evidence, Finding, Mismatch, Span, Verdict } from '../../shared/citation.ts';
import { type ClaimDetail, findDetails, lookUp } from '../find/details.ts';
import { compatible } from '../verification/checks/compare.ts';
import { agree } from '../verification/checks/dates.ts';
import { isKnown, type KnownNames, knowNames, type Name } from '../verification/checks/names.ts';
import { type Detail, readPassage } from '../verification/checks/reading.ts';
import { findWords, type Word } from '../verification/checks/words.ts';

/** `differs`: the page says otherwise of the same thing, by rule. `absent`: not in the passage, nor in the page's title. */
export type MarkKind = 'same' | 'differs' | 'absent';

export interface Mark extends Span {
  kind: MarkKind;
  /** Of the detail, the same wherever it is marked. */
  pair: number;
}

/** A detail of the claim, as it stands in one passage. */
export interface Placed extends Point {
  kind: MarkKind;
  /** Where, in the passage; [] for one that stands in the page's title or not at all. */
  places: readonly Span[];
}

/** What a claim and its passages are compared by. Offsets are in the claim's text. */
export interface Point extends Span {
  /** From 1, in the order of the claim. */
  pair: number;
  text: string;
  /** Null for what a rule found that is neither name nor date nor number. */
  detail: ClaimDetail | null;
}

/** What of a finding is marked. In the claim: as it stands in what is cited, or where nothing of that was read, in the suggestion. */
export interface MarkedFinding {
  claim: Mark[];
  /** Null: no passage. */
  cited: Placed[] | null;
  suggested: Placed[] | null;
}

export function markFinding({ claim, evidence, suggestion, mismatches, verdict }: Finding): MarkedFinding {
  // what no page settles, or nobody could read, is not compared either
  if (UNJUDGED.includes(verdict)) return { claim: [], cited: null, suggested: null };
  const differing = FAILING.includes(verdict) ? mismatches : [];
  const points = pointsOf(claim, differing);
  const cited = evidence === null ? null : place(points, evidence, differing);
  const suggested = suggestion === null ? null : place(points, suggestion.evidence, []);
  return {
    claim: (cited ?? suggested ?? []).map(({ start, end, kind, pair }) => ({ start, end, kind, pair })),
    cited,
    suggested,
  };
}

const UNJUDGED: readonly Verdict[] = ['uncheckable', 'unsupported_language'];
/** Where a page may be said to differ, and words to be without support. */
export const FAILING: readonly Verdict[] = ['contradicted', 'not_supported', 'partially_supported'];

/** Details of the claim, and words in which a rule found that a page differs. */
export function pointsOf({ text }: Pick<Claim, 'text'>, mismatches: readonly Mismatch[]): Point[] {
  const details = findDetails(text);
  const others = mismatches
    .map(({ claim }) => ({ ...claim, text: text.slice(claim.start, claim.end), detail: null }))
    .filter((one) => one.text !== '' && !details.some((detail) => overlap(one, detail)));
  const all = [
    ...details.map((detail) => ({ start: detail.start, end: detail.end, text: detail.text, detail })),
    ...others,
  ];
  return apart(all).map((point, at) => ({ ...point, pair: at + 1 }));
}

/** `passage`: as it is shown. `mismatches`: those of the page that it is of. */
export function place(
  points: readonly Point[],
  { passage, url, title }: Pick<Evidence, 'passage' | 'url' | 'title'>,
  mismatches: readonly Mismatch[],
): Placed[] {
  const shown = { url, title, text: passage, start: 0, end: passage.length };
  const details = points.flatMap(({ detail }) => detail ?? []);
  const { found } = lookUp(details, shown);
  const stands = new Set(found.map(({ start }) => start));
  const words = findWords(passage).map((word) => ({ word, known: knowNames([word]) }));
  const read = readPassage(shown).flatMap((sentence) =>
    sentence.details.map((detail) => ({
      detail,
      span: { start: sentence.start + detail.start, end: sentence.start + detail.end },
    })),
  );
  return points.map((point) => {
    const mismatch = mismatches.find(({ claim, page }) => page.url === url && overlap(claim, point));
    if (mismatch !== undefined) return { ...point, kind: 'differs', places: quoted(passage, mismatch.page.quote) };
    if (point.detail === null || !stands.has(point.start)) return { ...point, kind: 'absent', places: [] };
    return { ...point, kind: 'same', places: placesOf(point.detail, passage, words, read) };
  });
}

/** What to mark in the passage. */
export function marksIn(placed: readonly Placed[]): Mark[] {
  return apart(placed.flatMap(({ places, kind, pair }) => places.map((span) => ({ ...span, kind, pair }))));
}

interface KnownWord {
  word: Word;
  known: KnownNames;
}

interface Read {
  detail: Detail;
  span: Span;
}

/** A number that stands everywhere need not be marked everywhere. */
const MOST = 4;

function placesOf(
  { read: ours }: ClaimDetail,
  passage: string,
  words: readonly KnownWord[],
  read: readonly Read[],
): Span[] {
  if (!('kind' in ours)) return wordsOf(ours, passage, words).slice(0, MOST);
  return read
    .filter(({ detail }) => isSame(detail, ours))
    .map(({ span }) => span)
    .slice(0, MOST);
}

function isSame(theirs: Detail, ours: Detail): boolean {
  if (theirs.kind === 'date' || ours.kind === 'date') {
    return theirs.kind === 'date' && ours.kind === 'date' && !theirs.isPeriod && agree(ours, theirs);
  }
  return compatible(ours, theirs);
}

/** Its words in any spelling, those that stand side by side as one. */
function wordsOf(name: Name, passage: string, words: readonly KnownWord[]): Span[] {
  const initials = name.parts.map(({ plain }) => plain[0]).join('');
  const spans: Span[] = [];
  for (const { word, known } of words) {
    const isPart = name.parts.some(
      (part) => part.plain === word.plain || (mayBeName(word) && isKnown({ ...name, parts: [part] }, known)),
    );
    if (!isPart && (initials.length < 2 || word.plain !== initials)) continue;
    const last = spans.at(-1);
    if (last !== undefined && /^[\s.’'-]{1,2}$/.test(passage.slice(last.end, word.start))) last.end = word.end;
    else spans.push({ start: word.start, end: word.end });
  }
  return spans;
}

/** "Run" is no spelling of "Orrin", though they have their consonants in common. */
function mayBeName({ text, plain }: Word): boolean {
  return plain.length >= 4 && /^\p{Lu}/u.test(text);
}

function quoted(passage: string, quote: string): Span[] {
  const start = quote === '' ? -1 : passage.indexOf(quote);
  return start < 0 ? [] : [{ start, end: start + quote.length }];
}

/** In order, without those that overlap an earlier one. */
function apart<T extends Span>(spans: readonly T[]): T[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sorted.filter((span) => {
    if (span.start < end || span.start >= span.end) return false;
    end = span.end;
    return true;
  });
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
