/** Rows and figures of them → 95 % percentile intervals, by resampling whole clusters. Knows no figure by name. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { groupBy } from './group.ts';

/** NaN, NaN: no resample had a value. */
export type Interval = [low: number, high: number];

const RESAMPLES = 1000;
const SEED = 20_231_019;

/**
 * The 2.5th and 97.5th percentile of each figure over the resamples that have it (a resample may lack a class). Rows of one
 * article share authors, sources and context, so that clusters are drawn, not rows. The same rows in the same order always
 * give the same intervals.
 */
export function bootstrapIntervals<Row>(
  rows: readonly Row[],
  clusterOf: (row: Row) => string,
  figuresOf: (rows: readonly Row[]) => Readonly<Record<string, number>>,
): Record<string, Interval> {
  const clusters = [...groupBy(rows, clusterOf).values()];
  const random = xoroshiro128plus(SEED);
  const draw = () => clusters.flatMap(() => clusters[uniformInt(random, 0, clusters.length - 1)] ?? []);
  const resamples = Array.from({ length: RESAMPLES }, () => figuresOf(draw()));
  const names = Object.keys(figuresOf(rows));
  return Object.fromEntries(
    names.map((name) => [name, percentileInterval(resamples.map((figures) => figures[name] ?? Number.NaN))]),
  );
}

function percentileInterval(values: readonly number[]): Interval {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  return [percentile(sorted, 0.025), percentile(sorted, 0.975)];
}

/** Between the two nearest ranks in proportion, as numpy's default does. NaN for none. */
function percentile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
