/**
 * A claim and pages → what deserves a closer look: the passages that share most with it, their sentences, and a digest. By
 * words alone, so that a page of any length costs about the same. Judges nothing.
 */
import type { Passage, Span } from '../../shared/citation.ts';
import { type HeadedPassage, type Page, splitHeaded, splitSentences } from './passages.ts';
import { containment, findTerms, mergeTerms, type Terms } from './terms.ts';

const MAX_PASSAGES = 12;
/** Of the pages that the citation names, that many are read whatever else shares more. */
const MAX_CITED = 6;

export interface ReadPage {
  /** In the order of the page. */
  passages: ReadPassage[];
  /** Of the whole page, its title and its date. */
  terms: Terms;
}

export interface ReadPassage extends HeadedPassage {
  terms: Terms;
  /** It stands on a page that the citation names. */
  isCited: boolean;
}

/** Where it stands: characters in the page's text. */
export interface ReadSentence extends Span {
  passage: Passage;
  terms: Terms;
}

export interface Selection {
  /** Of all pages together. */
  pageTerms: Terms;
  /** At most 12, most shared first; among them those of the cited pages. */
  passages: ReadPassage[];
  /** Of these passages, in the order of pages and texts. */
  sentences: ReadSentence[];
}

/** Title and date of the page count for each of its passages: news pages often say neither anywhere else. */
export function readPage(page: Page): ReadPage {
  const heading = findTerms(`${page.title}\n${dateOfUrl(page.url)}`);
  const passages = splitHeaded(page).map(({ passage, head }) => ({
    passage,
    head,
    terms: mergeTerms([heading, findTerms(head), findTerms(passage.text)]),
    isCited: (page.cited ?? []).some(({ start, end }) => passage.start < end && start < passage.end),
  }));
  return { passages, terms: mergeTerms([heading, ...passages.map(({ terms }) => terms)]) };
}

export function select(claim: Terms, pages: readonly ReadPage[]): Selection {
  const ranked = pages
    .flatMap(({ passages }) => passages)
    .map((read, at) => ({ read, at, shared: shareTerms(claim, read.terms) }))
    .sort((a, b) => b.shared - a.shared || a.at - b.at);
  const chosen = choose(ranked);
  const inOrder = [...chosen].sort((a, b) => a.at - b.at);
  return {
    pageTerms: mergeTerms(pages.map(({ terms }) => terms)),
    passages: chosen.map(({ read }) => read),
    sentences: inOrder.flatMap(({ read }) => readSentences(read.passage)),
  };
}

/** The best; the last of them make room for the best of the cited pages. */
function choose<Ranked extends { read: ReadPassage }>(ranked: readonly Ranked[]): Ranked[] {
  const best = ranked.slice(0, MAX_PASSAGES);
  const cited = ranked.filter(({ read }) => read.isCited).slice(0, MAX_CITED);
  const late = cited.filter((each) => !best.includes(each));
  if (late.length === 0) return best;
  const left = best.filter(({ read }) => !read.isCited).slice(-late.length);
  return [...best.filter((each) => !left.includes(each)), ...late];
}

function readSentences(passage: Passage): ReadSentence[] {
  return splitSentences(passage.text).map(({ start, end }) => ({
    passage,
    terms: findTerms(passage.text.slice(start, end)),
    start: passage.start + start,
    end: passage.start + end,
  }));
}

export function textOf({ passage, start, end }: Span & { passage: Passage }): string {
  return passage.text.slice(start - passage.start, end - passage.start);
}

/** Words count most; word order, numbers and dates tell passages with the same words apart. */
export function shareTerms(claim: Terms, found: Terms): number {
  return (
    containment(claim.words, found.words, 0) +
    0.5 * containment(claim.pairs, found.pairs, 0) +
    0.25 * (containment(claim.numbers, found.numbers, 0) + containment(claim.dates, found.dates, 0))
  );
}

/** `/2005/05/17/` as ISO date, '' for a URL without one. A day is made up where there is none; it stands for the month alone. */
function dateOfUrl(url: string): string {
  const [, year, month, day = '01'] = URL_DATE.exec(url) ?? [];
  return year === undefined || month === undefined ? '' : `${year}-${month}-${day}`;
}

const URL_DATE = /\/((?:19|20)\d\d)[/-](0[1-9]|1[0-2])(?:[/-]([0-3]\d))?(?=\D|$)/;
