/**
 * Claims with gold and predicted evidence → the figures of FEVER and of FEVEROUS, which count in the same way and differ in
 * what they count. Equal to the published scorers (fever-scorer 2.0.39, feverous 0.54). Reads no file.
 */

/** Evidence as keys: equal evidence has equal keys. */
export interface ScoredClaim {
  isLabelCorrect: boolean;
  /** Each set alone is enough. */
  goldSets: readonly (readonly string[])[];
  /** What counts of the prediction, already cut to the most that counts; a repeated piece counts each time. */
  predicted: readonly string[];
  /** False where FEVER asks for none: NOT ENOUGH INFO. */
  needsEvidence: boolean;
}

/** Shares from 0 to 1. Evidence figures are means over the claims that need evidence. */
export interface EvidenceFigures {
  n: number;
  label_accuracy: number;
  evidence_precision: number;
  evidence_recall: number;
  evidence_f1: number;
  /** Right label, and a whole gold set predicted where evidence is needed. */
  score: number;
}

export interface Tally {
  add(claim: ScoredClaim): void;
  /** All zero but precision without any claim. */
  figures(): EvidenceFigures;
}

export function createTally(): Tally {
  const sums = { n: 0, correct: 0, strict: 0, needing: 0, precision: 0, recall: 0 };
  return {
    add(claim) {
      const hasWholeSet = claim.goldSets.some((set) => set.every((piece) => claim.predicted.includes(piece)));
      sums.n += 1;
      if (claim.isLabelCorrect) sums.correct += 1;
      if (claim.isLabelCorrect && (hasWholeSet || !claim.needsEvidence)) sums.strict += 1;
      if (!claim.needsEvidence) return;
      sums.needing += 1;
      sums.precision += precisionOf(claim);
      // nothing to find is found; the published scorers say so too
      sums.recall += hasWholeSet || claim.goldSets.length === 0 ? 1 : 0;
    },
    figures: () => toFigures(sums),
  };
}

/** 1 where nothing was predicted, as the published scorers count it. */
function precisionOf({ goldSets, predicted }: ScoredClaim): number {
  const gold = new Set(goldSets.flat());
  return predicted.length === 0 ? 1 : predicted.filter((piece) => gold.has(piece)).length / predicted.length;
}

/** F1 is 0 where precision and recall are: feverous 0.54 divides by zero there. */
function toFigures(sums: Record<'n' | 'correct' | 'strict' | 'needing' | 'precision' | 'recall', number>) {
  const precision = sums.needing === 0 ? 1 : sums.precision / sums.needing;
  const recall = sums.needing === 0 ? 0 : sums.recall / sums.needing;
  return {
    n: sums.n,
    label_accuracy: sums.n === 0 ? 0 : sums.correct / sums.n,
    evidence_precision: precision,
    evidence_recall: recall,
    evidence_f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
    score: sums.n === 0 ? 0 : sums.strict / sums.n,
  };
}
