/**
 * The words of the passages that a claim found → the words to add: the relevance model RM3 (Lavrenko & Croft 2001; Abdul-Jaleel
 * et al., TREC 2004). No model file, no second machine; one search more.
 */
import { stemmer } from 'stemmer';
import { splitWords, type WeightedWord } from '../sparse/query.ts';
import type { Expander, FeedbackPassage } from './expander.ts';

/** As measured in deploy/decisions/query-expansion.md. */
export interface FeedbackSettings {
  passages: number;
  terms: number;
  /** λ: the claim's own share of the query, between 0 and 1. */
  original: number;
}

export const FEEDBACK: FeedbackSettings = { passages: 10, terms: 10, original: 0.9 };

export function createFeedbackExpander(settings = FEEDBACK): Expander {
  return {
    name: 'rm3',
    expand: async ({ words, feedback }) =>
      words.length === 0 ? [] : expandByFeedback(words, await feedback(settings.passages), settings),
  };
}

/**
 * P(term | R) = Σ P(term | passage) · P(passage | query), the latter in proportion to BM25 as in Anserini; its best terms share
 * 1 − λ of the query as the claim's words share λ. Weights are those shares over that of one of the claim's words. Forms of one
 * stem are one term: the claim's own form of it, else the most frequent.
 */
export function expandByFeedback(
  words: readonly string[],
  passages: readonly FeedbackPassage[],
  { terms, original }: FeedbackSettings,
): WeightedWord[] {
  const likely = [...likelihoods(words, passages)].sort(([, a], [, b]) => b - a).slice(0, terms);
  const whole = likely.reduce((sum, [, share]) => sum + share, 0);
  const scale = ((1 - original) * words.length) / (original * whole);
  return likely.map(([word, share]) => ({ word, weight: share * scale }));
}

/** By the form that stands for the term. */
function likelihoods(words: readonly string[], passages: readonly FeedbackPassage[]): Map<string, number> {
  const texts = passages.map(({ title, text }) => splitWords(`${title} ${text}`));
  const formOf = chooseForms(words, texts.flat());
  const scores = passages.reduce((sum, { score }) => sum + score, 0);
  const found = new Map<string, number>();
  for (const [at, text] of texts.entries()) {
    const share = (passages[at]?.score ?? 0) / scores / text.length;
    for (const word of text) {
      const form = formOf(word);
      found.set(form, (found.get(form) ?? 0) + share);
    }
  }
  return found;
}

function chooseForms(words: readonly string[], found: readonly string[]): (word: string) => string {
  const counts = new Map<string, number>();
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  const forms = new Map<string, string>();
  for (const [word] of [...counts].sort(([, a], [, b]) => a - b)) forms.set(stemmer(word), word);
  for (const word of words) forms.set(stemmer(word), word);
  return (word) => forms.get(stemmer(word)) ?? word;
}
