/** Scores and labels → figures of ranking. Ties count as the literature counts them: equal scores have no order. */

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
  return precisionRecall(rows).reduce((sum, { precision, gain }) => sum + precision * gain, 0);
}

/** Precision at the highest cut that finds at least this share of the positives. NaN without positives. */
export function precisionAtRecall(rows: readonly Scored[], recall: number): number {
  return precisionRecall(rows).find((point) => point.recall >= recall - 1e-12)?.precision ?? Number.NaN;
}

/** Share of rows on the right side of the threshold: positive means `score >= threshold`. NaN without rows. */
export function accuracy(rows: readonly Scored[], threshold: number): number {
  return rows.filter(({ score, positive }) => score >= threshold === positive).length / rows.length;
}

function precisionRecall(rows: readonly Scored[]): { precision: number; recall: number; gain: number }[] {
  const positives = count(rows);
  let found = 0;
  let taken = 0;
  return tiedGroups(rows).map((group) => {
    found += count(group);
    taken += group.length;
    return { precision: found / taken, recall: found / positives, gain: count(group) / positives };
  });
}

/** Rows of equal score together, highest score first. */
function tiedGroups(rows: readonly Scored[]): Scored[][] {
  const groups: Scored[][] = [];
  for (const row of [...rows].sort((a, b) => b.score - a.score)) {
    const last = groups.at(-1);
    if (last?.[0]?.score === row.score) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

function count(rows: readonly Scored[]): number {
  return rows.filter(({ positive }) => positive).length;
}
