/** A gold file and a predictions file → their claims in pairs: by id, or by order where predictions have none. Scores nothing. */
import { RequestError } from '../../../shared/errors.ts';
import { type RecordFile, readRecords } from '../jsonl.ts';

/** Numbers and texts name the same claim. */
export type ClaimId = string | number | undefined;

/**
 * In the order of the gold file, which is read as a stream; predictions are held in memory. Throws RequestError for a
 * malformed line, a gold claim without a prediction, and predictions that are left over: a share of too few would look well.
 */
export async function* matchPredictions<G extends { id?: ClaimId }, P extends { id?: ClaimId }>(
  gold: RecordFile<G>,
  predictions: RecordFile<P>,
): AsyncGenerator<{ gold: G; predicted: P }> {
  const byKey = await readPredictions(predictions);
  let place = 0;
  for await (const claim of readRecords(gold)) {
    const key = byKey.named ? String(claim.id) : String(place);
    const predicted = byKey.predictions.get(key);
    if (predicted === undefined) throw noPrediction(byKey.named ? `claim ${key}` : `claim ${place + 1} in order`);
    byKey.predictions.delete(key);
    place += 1;
    yield { gold: claim, predicted };
  }
  if (place === 0) throw new RequestError('no_claims', `${gold.path}: there is no claim`);
  const left = byKey.predictions.size;
  if (left > 0) throw new RequestError('unknown_claim', `${predictions.path}: ${left} predictions have no gold claim`);
}

async function readPredictions<P extends { id?: ClaimId }>(file: RecordFile<P>) {
  const { path } = file;
  const predictions = new Map<string, P>();
  let named: boolean | null = null;
  for await (const prediction of readRecords(file)) {
    named ??= prediction.id !== undefined;
    if (named !== (prediction.id !== undefined)) throw mixedIds(path);
    const key = String(prediction.id ?? predictions.size);
    if (predictions.has(key))
      throw new RequestError('duplicate_prediction', `${path}: claim ${key} is predicted twice`);
    predictions.set(key, prediction);
  }
  return { predictions, named: named ?? false };
}

function mixedIds(path: string): RequestError {
  return new RequestError('mixed_ids', `${path}: some predictions have an id and some have none`);
}

function noPrediction(claim: string): RequestError {
  return new RequestError('no_prediction', `there is no prediction for ${claim}`);
}
