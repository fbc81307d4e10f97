/** Labelled pairs → how well an engine ranks, decides and is calibrated. Trains nothing, picks no threshold. */
import { RequestError } from '../../shared/errors.ts';
import type { Baseline, BaselineScores } from './baselines.ts';
import { bootstrapIntervals, type Interval } from './bootstrap.ts';
import { type Engine, type JudgedPair, judgePair } from './judge-pairs.ts';
import {
  accuracy,
  auroc,
  averagePrecision,
  expectedCalibrationError,
  precisionAtRecall,
  type Scored,
} from './metrics.ts';
import type { Label, LabelledPair } from './pairs.ts';

export { readPairs } from './pairs.ts';

/** Shares from 0 to 1; NaN where a class has no row. */
export interface RowFigures {
  /** By P(supported). */
  auroc_supported: number;
  /** By P(failed), as all that is said of the label "not supported". */
  auroc_not_supported: number;
  ap_not_supported: number;
  /** By 1 − P(supported): partially and not supported against the rest. */
  ap_failed: number;
  /** Of the same ranking: precision at the highest cut that finds 15 % of them (SIDE, Fig. 3). */
  precision_at_15_recall: number;
  /** Supported or not, at the engine's threshold. */
  accuracy_supported: number;
  /** Expected calibration error, ten bins of equal width (metrics.ts), of P(supported) and the label "supported". */
  ece: number;
  /** The same of P(failed) and the label "not supported": P(failed) is that nothing of the claim is supported. */
  ece_failed: number;
}

export interface BaselineFigures {
  auroc_supported: number;
  auroc_not_supported: number;
}

export interface VerificationFigures extends RowFigures {
  n: number;
  threshold: number;
  /** Verification alone, one process, this machine. */
  pairs_per_second: number;
  /**
   * 95 % of each figure above, by bootstrap over articles. Those of a calibration error lie high: resampled bins are noisier
   * than the sample's.
   */
  intervals: Record<string, Interval>;
  baselines: Record<Baseline, BaselineFigures>;
}

export interface Evaluation {
  figures: VerificationFigures;
  rows: JudgedPair[];
}

/** `onRow` is told of each pair as it is judged, in order. Throws RequestError `no_pairs` if there is none. */
export async function evaluateVerification(dependencies: {
  engine: Engine;
  baselinesOf: (pair: LabelledPair) => Promise<BaselineScores>;
  pairs: AsyncIterable<LabelledPair>;
  onRow?: (row: JudgedPair) => Promise<void>;
}): Promise<Evaluation> {
  const { engine, baselinesOf, pairs, onRow } = dependencies;
  const rows: JudgedPair[] = [];
  const baselines: BaselineScores[] = [];
  for await (const pair of pairs) {
    const row = await judgePair(engine, pair);
    rows.push(row);
    baselines.push(await baselinesOf(pair));
    await onRow?.(row);
  }
  if (rows.length === 0) throw new RequestError('no_pairs', 'there is no labelled pair to evaluate');
  return { figures: figuresOf(rows, baselines, engine.threshold), rows };
}

function figuresOf(
  rows: readonly JudgedPair[],
  baselines: readonly BaselineScores[],
  threshold: number,
): VerificationFigures {
  const ofRows = (some: readonly JudgedPair[]) => ({ ...measureRows(some, threshold) });
  return {
    n: rows.length,
    ...measureRows(rows, threshold),
    threshold,
    pairs_per_second: rows.length / rows.reduce((sum, { seconds }) => sum + seconds, 0),
    intervals: bootstrapIntervals(rows, ({ cluster }) => cluster, ofRows),
    baselines: measureBaselines(rows, baselines),
  };
}

export function measureRows(rows: readonly JudgedPair[], threshold: number): RowFigures {
  const { supported, failed, notSupported } = rankings(rows);
  return {
    auroc_supported: auroc(supported),
    auroc_not_supported: auroc(notSupported),
    ap_not_supported: averagePrecision(notSupported),
    ap_failed: averagePrecision(failed),
    precision_at_15_recall: precisionAtRecall(failed, 0.15),
    accuracy_supported: accuracy(supported, threshold),
    ece: expectedCalibrationError(supported),
    ece_failed: expectedCalibrationError(notSupported),
  };
}

export interface Rankings {
  /** P(supported); positive: supported. */
  supported: Scored[];
  /** 1 − P(supported); positive: partially or not supported. */
  failed: Scored[];
  /** P(failed); positive: not supported. */
  notSupported: Scored[];
}

export function rankings(rows: readonly JudgedPair[]): Rankings {
  return {
    supported: rows.map(({ label, opinion }) => ({ score: opinion.score, positive: label === 'supported' })),
    failed: rows.map(({ label, opinion }) => ({ score: 1 - opinion.score, positive: label !== 'supported' })),
    notSupported: rows.map(({ label, opinion }) => ({
      score: opinion.failed,
      positive: label === 'not_supported',
    })),
  };
}

function measureBaselines(
  rows: readonly { label: Label }[],
  scores: readonly BaselineScores[],
): Record<Baseline, BaselineFigures> {
  const measure = (name: Baseline): BaselineFigures => {
    const scored = rows.map(({ label }, at) => ({ label, score: scores[at]?.[name] ?? Number.NaN }));
    return {
      auroc_supported: auroc(scored.map(({ label, score }) => ({ score, positive: label === 'supported' }))),
      auroc_not_supported: auroc(
        scored.map(({ label, score }) => ({ score: -score, positive: label === 'not_supported' })),
      ),
    };
  };
  return {
    document_length: measure('document_length'),
    url_depth: measure('url_depth'),
    lexical: measure('lexical'),
    cosine: measure('cosine'),
  };
}
