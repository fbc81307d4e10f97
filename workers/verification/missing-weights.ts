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
    page: 0.896,
    sentence: 0.545,
    nearby: 0.311,
    phrasePage: 0.738,
    phraseSentence: 0.489,
    phraseNearby: 0.23,
    aroundPage: 0.996,
    aroundSentence: 0.131,
    aroundNearby: 0.312,
    content: -0.78,
    date: 1.361,
    number: 1.339,
    capital: 0.503,
    quantifier: 1.512,
    participle: -0.682,
    position: 0.591,
  },
  intercept: -2.787,
  threshold: -0.85,
};
