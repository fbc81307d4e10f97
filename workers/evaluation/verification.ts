/** Labelled pairs → how well the shipped verifier ranks and decides them. Trains nothing, picks no threshold. */
import { RequestError } from '../../shared/errors.ts';
import type { Verifier } from '../verification/verifier.ts';
import { accuracy, auroc, averagePrecision, precisionAtRecall, type Scored } from './metrics.ts';
import type { Label, LabelledPair } from './pairs.ts';

export { readPairs } from './pairs.ts';

/** Shares from 0 to 1; NaN where a class has no row. "Failed": partially or not supported. */
export interface VerificationFigures {
  n: number;
  /** By P(supported). */
  auroc_supported: number;
  /** By P(not supported), as all that is said of "not supported". */
  auroc_not_supported: number;
  ap_not_supported: number;
  /** By 1 − P(supported), as all that is said of "failed". */
  ap_failed: number;
  /** Precision among the worst 15 % of the failed (SIDE, Fig. 3). */
  precision_at_15_recall: number;
  /** Supported or not, at the shipped threshold. */
  accuracy_supported: number;
  threshold: number;
  /** Verification alone, one process, this machine. */
  pairs_per_second: number;
}

interface Judged {
  label: Label;
  supported: number;
  notSupported: number;
}

/** Throws RequestError if there is no pair. */
export async function evaluateVerification(dependencies: {
  verifier: Verifier;
  pairs: AsyncIterable<LabelledPair>;
}): Promise<VerificationFigures> {
  const { judged, seconds } = await judgeAll(dependencies);
  if (judged.length === 0) throw new RequestError('no_pairs', 'there is no labelled pair to evaluate');
  const supported = judged.map((row): Scored => ({ score: row.supported, positive: row.label === 'supported' }));
  const failed = judged.map((row): Scored => ({ score: 1 - row.supported, positive: row.label !== 'supported' }));
  const notSupported = judged.map(
    (row): Scored => ({ score: row.notSupported, positive: row.label === 'not_supported' }),
  );
  return {
    n: judged.length,
    auroc_supported: auroc(supported),
    auroc_not_supported: auroc(notSupported),
    ap_not_supported: averagePrecision(notSupported),
    ap_failed: averagePrecision(failed),
    precision_at_15_recall: precisionAtRecall(failed, 0.15),
    accuracy_supported: accuracy(supported, dependencies.verifier.threshold),
    threshold: dependencies.verifier.threshold,
    pairs_per_second: judged.length / seconds,
  };
}

async function judgeAll({ verifier, pairs }: { verifier: Verifier; pairs: AsyncIterable<LabelledPair> }) {
  const judged: Judged[] = [];
  let seconds = 0;
  for await (const { claim, sources, label } of pairs) {
    const start = performance.now();
    const { score, notSupported } = await verifier.verify(claim, sources);
    seconds += (performance.now() - start) / 1000;
    judged.push({ label, supported: score, notSupported });
  }
  return { judged, seconds };
}
