/**
 * A claim beside what was selected of its pages, and what the models say of it → the numbers that the score is made of. Those
 * of words are shares that a person can be shown.
 */
import type { ReadClaim } from './claim.ts';
import type { Meaning } from './meaning.ts';
import type { ReadSentence, Selection } from './select.ts';
import { containment, mergeTerms, type Terms } from './terms.ts';

/** In the order of `measure`. Changing one means training anew (models/training/README.md). */
export const FEATURES = [
  'supported',
  'digestSupported',
  'secondSupported',
  'partly',
  'contradicted',
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
  'weakestClause',
  'claimLength',
  'sentenceCosine',
  'clauseCosine',
  'weakestClauseCosine',
] as const;
export type FeatureName = (typeof FEATURES)[number];
export type Features = Record<FeatureName, number>;

/** What the cross-encoder says of one text. Logits. */
export interface Opinion {
  supported: number;
  /** At least partly. */
  partly: number;
  contradicted: number;
}

export interface Opinions {
  /** In the order of the selection. */
  passages: readonly Opinion[];
  digest: Opinion | null;
}

/** "Passages": the three that share most, so that evidence may be spread over paragraphs. */
const PASSAGES = 3;
/** "Sentences": the three that together have most of the claim's words. */
const SENTENCES = 3;
/** Where there is no text: below what the model gives. */
const NO_TEXT = -6;

/**
 * Containments are shares of the claim's terms, 0 to 1: of its words and word pairs 0 where it has none, of its numbers,
 * dates and names 1 where it has none, since then none is missing. The cross-encoder's are logits.
 */
export function measure(claim: ReadClaim, selection: Selection, opinions: Opinions, meaning: Meaning): Features {
  return { ...measureOpinions(opinions), ...measureTerms(claim, selection), ...meaning };
}

type OpinionFeature = 'supported' | 'digestSupported' | 'secondSupported' | 'partly' | 'contradicted';

/** The page is as good as its best text (SIDE, "Methods"); what speaks against the claim is asked of the text nearest to it. */
function measureOpinions({ passages, digest }: Opinions): Pick<Features, OpinionFeature> {
  const all = digest === null ? [...passages] : [...passages, digest];
  const [first, second] = [...all].sort((a, b) => b.supported - a.supported);
  const nearest = [...all].sort((a, b) => nearness(b) - nearness(a))[0];
  return {
    supported: first?.supported ?? NO_TEXT,
    digestSupported: digest?.supported ?? NO_TEXT,
    secondSupported: second?.supported ?? first?.supported ?? NO_TEXT,
    partly: all.length === 0 ? NO_TEXT : Math.max(...all.map(({ partly }) => partly)),
    contradicted: nearest?.contradicted ?? NO_TEXT,
  };
}

/** A text that deals with the claim supports a part of it or speaks against it. */
function nearness({ partly, contradicted }: Opinion): number {
  return Math.max(partly, contradicted);
}

function measureTerms(claim: ReadClaim, selection: Selection): Omit<Features, OpinionFeature | keyof Meaning> {
  const { pageTerms, passages, sentences } = selection;
  const top = mergeTerms(passages.slice(0, PASSAGES).map(({ terms }) => terms));
  const { words, pairs, numbers, dates, names } = claim.terms;
  return {
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
    weakestClause: weakestClause(claim, sentences),
    claimLength: Math.log(1 + words.size),
  };
}

/** Of each clause the share of its words in the sentence that has most; the least of these shares. 0 without clauses. */
function weakestClause({ clauses }: ReadClaim, sentences: readonly ReadSentence[]): number {
  const shares = clauses.map((clause) =>
    highest(sentences, ({ terms }) => containment(clause.terms.words, terms.words, 1)),
  );
  return shares.length === 0 ? 0 : Math.min(...shares);
}

/** Share of the claim's words in up to three sentences, each chosen for the most words that were missing. */
function coverTogether({ words }: Terms, sentences: readonly ReadSentence[]): number {
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
