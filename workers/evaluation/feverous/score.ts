/**
 * FEVEROUS's gold file and predictions → label accuracy, evidence precision, recall and F1, FEVEROUS score (Aly et al. 2021).
 * Unlike FEVER, a claim with NOT ENOUGH INFO needs its evidence too.
 */
import { z } from 'zod';
import { matchPredictions } from '../fever/match.ts';
import { FeverLabel } from '../fever/score.ts';
import { createTally, type EvidenceFigures } from '../fever/tally.ts';
import { AnyElement, type Element, isCell } from './element.ts';

const MAX_SENTENCES = 5;
const MAX_CELLS = 25;

const Id = z.union([z.string(), z.number()]).optional();

export const FeverousGold = z.object({
  id: Id,
  label: FeverLabel,
  /** At most three sets, each of which is enough. */
  evidence: z.array(z.object({ content: z.array(AnyElement) })),
});
export type FeverousGold = z.infer<typeof FeverousGold>;

/** The published files begin with a record whose every value is empty; the published scorer drops the first line unread. */
export function isHeader(value: unknown): boolean {
  return z.object({ id: z.literal('') }).safeParse(value).success;
}

export const FeverousPrediction = z.object({
  id: Id,
  predicted_label: FeverLabel,
  /** Best first, as ids or as triples. */
  predicted_evidence: z.array(AnyElement),
});
export type FeverousPrediction = z.infer<typeof FeverousPrediction>;

/** `score` is the FEVEROUS score. Throws RequestError for malformed lines and claims without a prediction. */
export async function scoreFeverous(files: { gold: string; predictions: string }): Promise<EvidenceFigures> {
  const tally = createTally();
  const gold = { path: files.gold, schema: FeverousGold, isHeader };
  for await (const pair of matchPredictions(gold, { path: files.predictions, schema: FeverousPrediction, isHeader })) {
    tally.add(toScored(pair.gold, pair.predicted));
  }
  return tally.figures();
}

function toScored(gold: FeverousGold, predicted: FeverousPrediction) {
  return {
    isLabelCorrect: gold.label === predicted.predicted_label,
    goldSets: gold.evidence.map(({ content }) => content.map(keyOf)),
    predicted: cut(predicted.predicted_evidence).map(keyOf),
    needsEvidence: true,
  };
}

/** The first five sentences and the first 25 cells, list items and captions. */
function cut(evidence: Element[]): Element[] {
  let sentences = 0;
  let cells = 0;
  return evidence.filter((element) => {
    if (isCell(element)) cells += 1;
    else sentences += 1;
    return isCell(element) ? cells <= MAX_CELLS : sentences <= MAX_SENTENCES;
  });
}

function keyOf(element: Element): string {
  return JSON.stringify(element);
}
