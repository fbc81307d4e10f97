/** FEVER's gold file and predictions → label accuracy, evidence precision, recall and F1, FEVER score (shared task of 2018). */
import { z } from 'zod';
import { matchPredictions } from './match.ts';
import { createTally, type EvidenceFigures } from './tally.ts';

/** Further predicted sentences don't count, neither for nor against (FEVER shared task). */
const MAX_EVIDENCE = 5;

export const FeverLabel = z
  .string()
  .transform((label) => label.toUpperCase())
  .pipe(z.enum(['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO']));
export type FeverLabel = z.infer<typeof FeverLabel>;

const Id = z.union([z.string(), z.number()]).optional();

/** [annotation id, evidence id, page, sentence id]; page and sentence are null where there is no evidence. */
const EvidencePiece = z.tuple([z.unknown(), z.unknown(), z.string().nullable(), z.int().nullable()]);

/** As published: a list of sets, each of which is enough. */
export const FeverGold = z.object({ id: Id, label: FeverLabel, evidence: z.array(z.array(EvidencePiece)) });
export type FeverGold = z.infer<typeof FeverGold>;

/** As submitted: [page, sentence id], best first. */
export const FeverPrediction = z.object({
  id: Id,
  predicted_label: FeverLabel,
  predicted_evidence: z.array(z.tuple([z.string(), z.int()])),
});
export type FeverPrediction = z.infer<typeof FeverPrediction>;

/** `score` is the FEVER score. Throws RequestError for malformed lines and claims without a prediction. */
export async function scoreFever(files: { gold: string; predictions: string }): Promise<EvidenceFigures> {
  const tally = createTally();
  const gold = { path: files.gold, schema: FeverGold };
  for await (const pair of matchPredictions(gold, { path: files.predictions, schema: FeverPrediction })) {
    tally.add(toScored(pair.gold, pair.predicted));
  }
  return tally.figures();
}

function toScored(gold: FeverGold, predicted: FeverPrediction) {
  return {
    isLabelCorrect: gold.label === predicted.predicted_label,
    goldSets: gold.evidence.map((set) => set.map(([, , page, sentence]) => keyOf(page, sentence))),
    predicted: predicted.predicted_evidence.slice(0, MAX_EVIDENCE).map(([page, sentence]) => keyOf(page, sentence)),
    needsEvidence: gold.label !== 'NOT ENOUGH INFO',
  };
}

function keyOf(page: string | null, sentence: number | null): string {
  return JSON.stringify([page, sentence]);
}
