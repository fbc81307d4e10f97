/** FEVER's claims and wiki-pages → predictions as the shared task takes them, one at a time. Scores nothing. */
import { CandidateClaim, readCandidates } from './candidates.ts';
import type { EvidencePage } from './evidence-page.ts';
import { FeverPage, readFeverPage } from './pages.ts';
import { type Judge, predict } from './predict.ts';
import type { FeverLabel } from './score.ts';

export interface PredictionLine {
  id: string | number;
  predicted_label: FeverLabel;
  /** FEVER: [page, sentence id]. FEVEROUS: [page, type, position]. */
  predicted_evidence: unknown[][];
}

export interface PredictionInput {
  /** A file of `CandidateClaim`s. */
  claims: string;
  /** Files of pages, as published. */
  pages: readonly string[];
  judge: Judge;
}

/** In the order of the claims. Throws RequestError for malformed lines. */
export async function* predictFever({ claims, pages, judge }: PredictionInput): AsyncGenerator<PredictionLine> {
  const schema = FeverPage.transform(readFeverPage);
  const files = pages.map((path) => ({ path, schema }));
  yield* predictAll(readCandidates({ path: claims, schema: CandidateClaim }, files), judge);
}

export async function* predictAll<E extends unknown[]>(
  candidates: AsyncIterable<{ claim: CandidateClaim; pages: EvidencePage<E>[] }>,
  judge: Judge,
): AsyncGenerator<PredictionLine> {
  for await (const { claim, pages } of candidates) {
    const { label, evidence } = await predict(claim.claim, pages, judge);
    yield { id: claim.id, predicted_label: label, predicted_evidence: evidence };
  }
}
