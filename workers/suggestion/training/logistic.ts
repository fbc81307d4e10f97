/** Logistic regression by Newton's method, for a handful of features. In: examples. Out: weights, the last one the intercept. */
import { sigmoid } from '../../verification/scorer.ts';

export interface Labelled {
  x: readonly number[];
  positive: boolean;
}

export function chance(weights: readonly number[], x: readonly number[]): number {
  return sigmoid(weights.reduce((sum, weight, at) => sum + weight * (x[at] ?? 1), 0));
}

/** With an L2 penalty that the intercept is free of. */
export function regress(examples: readonly Labelled[], penalty = 1): number[] {
  const size = (examples[0]?.x.length ?? 0) + 1;
  let weights: number[] = Array.from({ length: size }, () => 0);
  for (let step = 0; step < 25; step += 1) {
    const gradient = weights.map((weight, at) => (at < size - 1 ? penalty * weight : 0));
    const curvature = weights.map((_, a) => weights.map((_, b) => (a === b ? (a < size - 1 ? penalty : 1e-9) : 0)));
    for (const { x, positive } of examples) {
      const given = [...x, 1];
      const said = chance(weights, x);
      for (const [a, value] of given.entries()) {
        gradient[a] = (gradient[a] ?? 0) + (said - Number(positive)) * value;
        const row = curvature[a] ?? [];
        for (const [b, other] of given.entries()) row[b] = (row[b] ?? 0) + said * (1 - said) * value * other;
      }
    }
    const change = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight - (change[at] ?? 0));
  }
  return weights;
}

/** Gaussian elimination with pivots; `matrix` is not singular. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  for (let at = 0; at < rows.length; at += 1) {
    const below = rows.slice(at).sort((a, b) => Math.abs(b[at] ?? 0) - Math.abs(a[at] ?? 0));
    rows.splice(at, rows.length - at, ...below);
    const pivot = rows[at] ?? [];
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1);
      for (let column = at; column < row.length; column += 1) {
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
      }
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}
