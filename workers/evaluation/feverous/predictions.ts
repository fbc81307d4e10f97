/** FEVEROUS's claims and Wikipedia pages → predictions as the shared task takes them, one at a time. Scores nothing. */
import { CandidateClaim, readCandidates } from '../fever/candidates.ts';
import { type PredictionInput, type PredictionLine, predictAll } from '../fever/predictions.ts';
import { FeverousPage } from './pages.ts';
import { isHeader } from './score.ts';

/** In the order of the claims. Throws RequestError for malformed lines. */
export async function* predictFeverous({ claims, pages, judge }: PredictionInput): AsyncGenerator<PredictionLine> {
  const files = pages.map((path) => ({ path, schema: FeverousPage }));
  yield* predictAll(readCandidates({ path: claims, schema: CandidateClaim, isHeader }, files), judge);
}
