/** What is nearest to a claim → the numbers that the logistic regression weighs. Every one rises with support but the last. */
import { dot, type Near, type Nearest, type ReadClaim } from './nearest.ts';
import { containment, mergeTerms, type Terms } from './terms.ts';

/** In the order of `measure`. Changing one means training anew (models/training/README.md). */
export const FEATURES = [
  'passageCosine',
  'sentenceCosine',
  'clauseCosine',
  'weakestClauseCosine',
  'pageWords',
  'passagesWords',
  'passageWords',
  'sentencesWords',
  'sentenceWords',
  'pagePairs',
  'sentencePairs',
  'pageNumbers',
  'passagesNumbers',
  'pageDates',
  'passagesDates',
  'pageNames',
  'passagesNames',
  'claimLength',
] as const;
export type FeatureName = (typeof FEATURES)[number];
export type Features = Record<FeatureName, number>;

/** "Passages": the nearest three, so that evidence may be spread over paragraphs. */
const PASSAGES = 3;
/** "Sentences": the three that together have most of the claim's words. */
const SENTENCES = 3;

/**
 * Containments are shares of the claim's terms, 0 to 1: of its words and word pairs 0 where it has none, of its numbers,
 * dates and names 1 where it has none, since then none is missing.
 */
export function measure(claim: ReadClaim, nearest: Nearest): Features {
  const { pageTerms, passages, sentences } = nearest;
  const top = mergeTerms(passages.slice(0, PASSAGES).map(({ terms }) => terms));
  const { words, pairs, numbers, dates, names } = claim.terms;
  const clauses = claim.clauses.map((clause) => highest(sentences, ({ embedding }) => dot(clause, embedding)));
  return {
    passageCosine: highest(passages, ({ cosine }) => cosine),
    sentenceCosine: highest(sentences, ({ cosine }) => cosine),
    clauseCosine: clauses.reduce((sum, cosine) => sum + cosine, 0) / Math.max(1, clauses.length),
    weakestClauseCosine: clauses.length === 0 ? 0 : Math.min(...clauses),
    pageWords: containment(words, pageTerms.words, 0),
    passagesWords: containment(words, top.words, 0),
    passageWords: containment(words, passages[0]?.terms.words ?? new Set(), 0),
    sentencesWords: coverTogether(claim.terms, sentences),
    sentenceWords: highest(sentences, ({ terms }) => containment(words, terms.words, 0)),
    pagePairs: containment(pairs, pageTerms.pairs, 0),
    sentencePairs: highest(sentences, ({ terms }) => containment(pairs, terms.pairs, 0)),
    pageNumbers: containment(numbers, pageTerms.numbers, 1),
    passagesNumbers: containment(numbers, top.numbers, 1),
    pageDates: containment(dates, pageTerms.dates, 1),
    passagesDates: containment(dates, top.dates, 1),
    pageNames: containment(names, pageTerms.words, 1),
    passagesNames: containment(names, top.words, 1),
    claimLength: Math.log(1 + words.size),
  };
}

/** Share of the claim's words in up to three sentences, each chosen for the most words that were missing. */
function coverTogether({ words }: Terms, sentences: readonly Near[]): number {
  let missing = words;
  for (let round = 0; round < SENTENCES && missing.size > 0; round += 1) {
    const rests = sentences.map(({ terms }) => new Set([...missing].filter((word) => !terms.words.has(word))));
    missing = rests.reduce((least, rest) => (rest.size < least.size ? rest : least), missing);
  }
  return words.size === 0 ? 0 : 1 - missing.size / words.size;
}

/** 0 for none. */
function highest<T>(items: readonly T[], gradeOf: (item: T) => number): number {
  return items.length === 0 ? 0 : Math.max(...items.map(gradeOf));
}
