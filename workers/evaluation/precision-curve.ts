/** Scores and labels → the precision of every possible threshold, with its interval. Picks no threshold. */
import { listCuts, type Scored } from './metrics.ts';

export interface CurvePoint {
  /** Rows that score at least this are taken. */
  threshold: number;
  /** Share of the taken rows that are positive, and its 95 % interval (Wilson). */
  precision: number;
  low: number;
  high: number;
  /** Share of all positives that are taken. */
  recall: number;
  /** Rows taken. */
  n: number;
}

/** One point for each distinct score, highest first: `recall` rises to 1. [] without rows; `recall` is NaN without positives. */
export function precisionCurve(rows: readonly Scored[]): CurvePoint[] {
  return listCuts(rows).map(({ score, found, taken, precision, recall }) => {
    const [low, high] = wilsonInterval(found, taken);
    return { threshold: score, precision, low, high, recall, n: taken };
  });
}

/** 95 % score interval of a share (Wilson 1927): sound for few rows and for shares of 0 or 1, too. [0, 1] without rows. */
export function wilsonInterval(found: number, n: number): [number, number] {
  if (n === 0) return [0, 1];
  const share = found / n;
  const middle = (share + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  const half = (Z / (1 + Z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Of the normal distribution, two-sided 95 %. */
const Z = 1.959963984540054;
