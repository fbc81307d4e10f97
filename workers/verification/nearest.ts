/**
 * A claim and pages → the passages and sentences that deal with it, with their terms and cosines. Words choose which few
 * passages are encoded, so that a page of any length costs about the same. Judges nothing.
 */
import type { Passage } from '../../shared/citation.ts';
import type { Encoder } from './encoder.ts';
import { type Page, splitPassages, splitSentences } from './passages.ts';
import { containment, findTerms, mergeTerms, type Terms } from './terms.ts';

/** Of these, by words, cosines are computed. With 16 the cross-validated AUROC is the same (MODEL_CARD.md, "Choices"). */
const ENCODED_PASSAGES = 8;
/** Of these, by words and cosine, the sentences are read. */
const READ_PASSAGES = 4;

export interface ReadPage {
  passages: ReadPassage[];
  /** Of the whole page and its title. */
  terms: Terms;
}

interface ReadPassage {
  passage: Passage;
  terms: Terms;
}

export type Embed = (text: string) => Promise<Float32Array>;

export interface ReadClaim {
  terms: Terms;
  embedding: Float32Array;
  /** Of its clauses: what a sentence says in one part may be missing on the page. */
  clauses: Float32Array[];
}

/** A passage or sentence beside the claim. */
export interface Near {
  /** Where it stands: characters in the page's text. */
  passage: Passage;
  start: number;
  end: number;
  terms: Terms;
  embedding: Float32Array;
  cosine: number;
  /** Cosine plus overlap of words: the order of nearness. */
  nearness: number;
}

export interface Nearest {
  /** Of all pages together. */
  pageTerms: Terms;
  /** Nearest first, at most 8. */
  passages: Near[];
  /** Of the nearest 4 passages, nearest first. */
  sentences: Near[];
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

/** `/2005/05/17/` as ISO date, '' for a URL without one. A day is made up where there is none; it stands for the month alone. */
function dateOfUrl(url: string): string {
  const [, year, month, day = '01'] = URL_DATE.exec(url) ?? [];
  return year === undefined || month === undefined ? '' : `${year}-${month}-${day}`;
}

const URL_DATE = /\/((?:19|20)\d\d)[/-](0[1-9]|1[0-2])(?:[/-]([0-3]\d))?(?=\D|$)/;

export async function readClaim(text: string, embed: Embed): Promise<ReadClaim> {
  const clauses: Float32Array[] = [];
  for (const clause of splitClauses(text)) clauses.push(await embed(clause));
  return { terms: findTerms(text), embedding: await embed(text), clauses };
}

/** An embedder that encodes the same text once. */
export function rememberEmbeddings(encoder: Encoder): Embed {
  const known = new Map<string, Float32Array>();
  return async (text) => {
    const embedding = known.get(text) ?? (await encoder.encode([text]));
    known.set(text, embedding);
    return embedding;
  };
}

export async function findNearest(claim: ReadClaim, pages: readonly ReadPage[], embed: Embed): Promise<Nearest> {
  const candidates = pages
    .flatMap((page) => page.passages)
    .map((read) => ({ ...read, overlap: overlap(claim, read.terms) }));
  candidates.sort((a, b) => b.overlap - a.overlap);
  const passages: Near[] = [];
  for (const { passage, terms } of candidates.slice(0, ENCODED_PASSAGES)) {
    passages.push(await beside(claim, { passage, terms, start: passage.start, end: passage.end }, embed));
  }
  passages.sort(byNearness);
  const sentences: Near[] = [];
  for (const { passage } of passages.slice(0, READ_PASSAGES))
    sentences.push(...(await readSentences(claim, passage, embed)));
  sentences.sort(byNearness);
  return { pageTerms: mergeTerms(pages.map((page) => page.terms)), passages, sentences };
}

async function readSentences(claim: ReadClaim, passage: Passage, embed: Embed): Promise<Near[]> {
  const sentences: Near[] = [];
  for (const span of splitSentences(passage.text)) {
    const place = { start: passage.start + span.start, end: passage.start + span.end };
    const terms = findTerms(passage.text.slice(span.start, span.end));
    sentences.push(await beside(claim, { passage, terms, ...place }, embed));
  }
  return sentences;
}

async function beside(
  claim: ReadClaim,
  place: Omit<Near, 'embedding' | 'cosine' | 'nearness'>,
  embed: Embed,
): Promise<Near> {
  const { passage, start, end } = place;
  const embedding = await embed(passage.text.slice(start - passage.start, end - passage.start));
  const cosine = dot(claim.embedding, embedding);
  return { ...place, embedding, cosine, nearness: cosine + overlap(claim, place.terms) };
}

/** Words count most; word order, numbers and dates tell passages with the same words apart. */
function overlap({ terms }: ReadClaim, found: Terms): number {
  return (
    containment(terms.words, found.words, 0) +
    0.5 * containment(terms.pairs, found.pairs, 0) +
    0.25 * (containment(terms.numbers, found.numbers, 0) + containment(terms.dates, found.dates, 0))
  );
}

function byNearness(a: Near, b: Near): number {
  return b.nearness - a.nearness;
}

/** Of normalised vectors: their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** Parts between commas and before conjunctions; none shorter than four words. */
export function splitClauses(text: string): string[] {
  const clauses: string[] = [];
  for (const part of text.split(CLAUSE_BOUNDARY)) {
    const last = clauses.at(-1);
    if (last === undefined || (!isShort(last) && !isShort(part))) clauses.push(part);
    else clauses[clauses.length - 1] = `${last} ${part}`;
  }
  return clauses;
}

function isShort(part: string): boolean {
  return part.trim().split(/\s+/).length < 4;
}

const CLAUSE_BOUNDARY = /(?<=[,;:])\s+|\s+(?=(?:and|but|while|which|who|where|when|after|before|because|with|by)\s)/;
