/**
 * Scores and labels → figures of ranking and of calibration. Ties count as the literature counts them: equal scores have no
 * order. Intervals are in bootstrap.ts and precision-curve.ts.
 */

export interface Scored {
  /** Higher: more likely positive. */
  score: number;
  positive: boolean;
}

/** Share of (positive, negative) pairs in the right order, a tie counting half (Mann–Whitney U). NaN if a class is empty. */
export function auroc(rows: readonly Scored[]): number {
  const positives = count(rows);
  const negatives = rows.length - positives;
  let below = 0;
  let wins = 0;
  for (const group of tiedGroups(rows).reverse()) {
    const won = count(group);
    const lost = group.length - won;
    wins += won * (below + lost / 2);
    below += lost;
  }
  return wins / (positives * negatives);
}

/** Σ (Rₙ − Rₙ₋₁) Pₙ over the distinct scores, without interpolation, as scikit-learn defines it. NaN without positives. */
export function averagePrecision(rows: readonly Scored[]): number {
  return listCuts(rows).reduce((sum, { precision, gain }) => sum + precision * gain, 0);
}

/** Precision at the highest cut that finds at least this share of the positives. NaN without positives. */
export function precisionAtRecall(rows: readonly Scored[], recall: number): number {
  return listCuts(rows).find((point) => point.recall >= recall - 1e-12)?.precision ?? Number.NaN;
}

/** Share of rows on the right side of the threshold: positive means `score >= threshold`. NaN without rows. */
export function accuracy(rows: readonly Scored[], threshold: number): number {
  return rows.filter(({ score, positive }) => score >= threshold === positive).length / rows.length;
}

export interface CalibrationBin {
  /** Scores of the bin: above `low` (the lowest bin has 0 too), at most `high`. */
  low: number;
  high: number;
  n: number;
  positives: number;
  /** Mean of its scores; NaN without rows. */
  meanScore: number;
}

/** Ten bins of equal width over 0 to 1, lowest first; a score on a boundary counts below it (Guo et al. 2017, section 2). */
export function calibrationBins(rows: readonly Scored[]): CalibrationBin[] {
  const binned = Array.from({ length: BINS }, (): Scored[] => []);
  for (const row of rows) binned[Math.max(0, Math.ceil(row.score * BINS) - 1)]?.push(row);
  return binned.map((members, at) => ({
    low: at / BINS,
    high: (at + 1) / BINS,
    n: members.length,
    positives: count(members),
    meanScore: members.reduce((sum, { score }) => sum + score, 0) / members.length,
  }));
}

/**
 * Expected calibration error (Guo et al. 2017, https://arxiv.org/abs/1706.04599): over ten bins of equal width, the distance
 * of mean score and share of positives, weighed by the bin's share of the rows. 0 to 1; NaN without rows.
 */
export function expectedCalibrationError(rows: readonly Scored[]): number {
  if (rows.length === 0) return Number.NaN;
  const filled = calibrationBins(rows).filter(({ n }) => n > 0);
  return (
    filled.reduce((sum, { n, positives, meanScore }) => sum + Math.abs(meanScore * n - positives), 0) / rows.length
  );
}

const BINS = 10;

/** What is taken at each distinct score, highest first. */
export interface Cut {
  score: number;
  /** Positives among the rows taken so far. */
  found: number;
  taken: number;
  precision: number;
  /** NaN without positives. */
  recall: number;
  /** What this score adds to the recall. */
  gain: number;
}

export function listCuts(rows: readonly Scored[]): Cut[] {
  const positives = count(rows);
  let found = 0;
  let taken = 0;
  return tiedGroups(rows).map((group) => {
    found += count(group);
    taken += group.length;
    const score = group[0]?.score ?? Number.NaN;
    return { score, found, taken, precision: found / taken, recall: found / positives, gain: count(group) / positives };
  });
}

/** Rows of equal score together, highest score first. */
function tiedGroups(rows: readonly Scored[]): Scored[][] {
  const groups: Scored[][] = [];
  for (const row of [...rows].sort((a, b) => b.score - a.score)) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.score === row.score) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** How many are positive. */
function count(rows: readonly Scored[]): number {
  return rows.filter(({ positive }) => positive).length;
}
