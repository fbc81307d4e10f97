/**
 * A claim and pages → what deserves a closer look: the passages that share most with it, their sentences, and a digest. By
 * words alone, so that a page of any length costs about the same. Judges nothing.
 */
import type { Passage, Span } from '../../shared/citation.ts';
import { type Page, splitPassages, splitSentences } from './passages.ts';
import { containment, findTerms, mergeTerms, type Terms } from './terms.ts';

const MAX_PASSAGES = 12;

export interface ReadPage {
  /** In the order of the page. */
  passages: ReadPassage[];
  /** Of the whole page, its title and its date. */
  terms: Terms;
}

export interface ReadPassage {
  passage: Passage;
  terms: Terms;
}

/** Where it stands: characters in the page's text. */
export interface ReadSentence extends Span {
  passage: Passage;
  terms: Terms;
}

export interface Selection {
  /** Of all pages together. */
  pageTerms: Terms;
  /** At most 12, most shared first. */
  passages: ReadPassage[];
  /** Of these passages, in the order of pages and texts. */
  sentences: ReadSentence[];
}

/** Title and date of the page count for each of its passages: news pages often say neither anywhere else. */
export function readPage(page: Page): ReadPage {
  const heading = findTerms(`${page.title}\n${dateOfUrl(page.url)}`);
  const passages = splitPassages(page).map((passage) => ({
    passage,
    terms: mergeTerms([heading, findTerms(passage.text)]),
  }));
  return { passages, terms: mergeTerms([heading, ...passages.map(({ terms }) => terms)]) };
}

export function select(claim: Terms, pages: readonly ReadPage[]): Selection {
  const chosen = pages
    .flatMap(({ passages }) => passages)
    .map((read, at) => ({ read, at, shared: shareTerms(claim, read.terms) }))
    .sort((a, b) => b.shared - a.shared || a.at - b.at)
    .slice(0, MAX_PASSAGES);
  const inOrder = [...chosen].sort((a, b) => a.at - b.at);
  return {
    pageTerms: mergeTerms(pages.map(({ terms }) => terms)),
    passages: chosen.map(({ read }) => read),
    sentences: inOrder.flatMap(({ read }) => readSentences(read.passage)),
  };
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
