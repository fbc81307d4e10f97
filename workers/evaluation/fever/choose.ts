/**
 * A claim and pages → the sentences and cells that together have most of it, by shared words. Each is chosen for what the
 * ones before lack: of WiCE's development claims, 68 % have a whole set of evidence among five sentences chosen so, 58 %
 * among the five that share most each for itself. Judges nothing.
 */
import type { Span } from '../../../shared/citation.ts';
import { shareTerms } from '../../verification/select.ts';
import { findTerms, mergeTerms, type Terms } from '../../verification/terms.ts';
import type { EvidencePage, Unit } from './evidence-page.ts';

/** As many as count (`score.ts` here and in feverous/). */
const MAX_SENTENCES = 5;
const MAX_CELLS = 25;
/** Further rows add cells of little use. */
const MAX_ROWS = 5;
/** What a sentence shares by itself counts this much beside what all chosen share together. */
const ALONE = 0.3;

/** What the engine quoted, if anything. */
export type Quoted = (Span & { url: string }) | null;

interface ReadUnit<E> extends Unit<E> {
  page: EvidencePage<E>;
  /** With the page's title: it helps sentences that say "it". */
  terms: Terms;
  isQuoted: boolean;
}

/** Sentences first, best first; what the engine quoted leads. Nothing that shares no word with the claim. */
export function chooseEvidence<E>(claim: Terms, pages: readonly EvidencePage<E>[], quoted: Quoted): E[] {
  const units = pages.flatMap((page) => readUnits(claim, page, quoted));
  const sentences = chooseTogether(
    claim,
    units.filter(({ kind }) => kind === 'sentence'),
    MAX_SENTENCES,
  );
  const rows = chooseTogether(
    claim,
    units.filter(({ kind }) => kind === 'cells'),
    MAX_ROWS,
  );
  const cells = once(rows.flatMap((row) => chooseCells(claim, row))).slice(0, MAX_CELLS);
  return [...sentences.flatMap(({ pieces }) => pieces.map(({ id }) => id)), ...cells];
}

function readUnits<E>(claim: Terms, page: EvidencePage<E>, quoted: Quoted): ReadUnit<E>[] {
  const title = findTerms(page.title);
  return page.units.flatMap((unit) => {
    const terms = findTerms(page.text.slice(unit.start, unit.end));
    const isQuoted = quoted !== null && quoted.url === page.url && overlaps(quoted, unit);
    if (!isQuoted && shareTerms(claim, terms) === 0) return [];
    return [{ ...unit, page, isQuoted, terms: mergeTerms([title, terms]) }];
  });
}

function chooseTogether<E>(claim: Terms, units: readonly ReadUnit<E>[], most: number): ReadUnit<E>[] {
  const chosen = units.filter(({ isQuoted }) => isQuoted).slice(0, most);
  let left = units.filter((unit) => !chosen.includes(unit));
  let found = mergeTerms(chosen.map(({ terms }) => terms));
  while (chosen.length < most && left.length > 0) {
    const worth = ({ terms }: ReadUnit<E>) =>
      shareTerms(claim, mergeTerms([found, terms])) + ALONE * shareTerms(claim, terms);
    const best = highest(left, worth);
    chosen.push(best);
    found = mergeTerms([found, best.terms]);
    left = left.filter((unit) => unit !== best);
  }
  return chosen;
}

/** The first of the best. At least one item. */
function highest<T>(items: readonly T[], gradeOf: (item: T) => number): T {
  const graded = items.map((item) => ({ item, grade: gradeOf(item) }));
  return graded.reduce((best, next) => (next.grade > best.grade ? next : best)).item;
}

/** Those that share something; all of a row that shares only as a whole. */
function chooseCells<E>(claim: Terms, { page, pieces }: ReadUnit<E>): E[] {
  const sharing = pieces.filter(({ start, end }) => shareTerms(claim, findTerms(page.text.slice(start, end))) > 0);
  return (sharing.length > 0 ? sharing : pieces).map(({ id }) => id);
}

/** A cell that spans rows stands in each of them. */
function once<E>(elements: readonly E[]): E[] {
  return [...new Map(elements.map((element) => [JSON.stringify(element), element])).values()];
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
