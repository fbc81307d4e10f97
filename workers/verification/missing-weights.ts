/** Written by models/training/train_missing.py: a logistic regression over `WORD_FEATURES`. */
import type { WordFeature } from './word-support.ts';

interface WordWeights {
  features: Record<WordFeature, number>;
  intercept: number;
  /** From here on a word is missing. */
  threshold: number;
}

export const WEIGHTS: WordWeights = {
  features: {
    page: 0.972,
    sentence: 0.569,
    nearby: 0.254,
    phrasePage: 0.59,
    phraseSentence: 0.496,
    phraseNearby: 0.368,
    aroundPage: 1.03,
    aroundSentence: 0.153,
    aroundNearby: 0.292,
    content: -0.803,
    date: 1.375,
    number: 1.391,
    capital: 0.515,
    quantifier: 1.569,
    participle: -0.678,
    position: 0.605,
  },
  intercept: -2.797,
  threshold: -0.8,
};
