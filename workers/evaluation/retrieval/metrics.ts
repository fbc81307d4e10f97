/**
 * Where the first right page stood, a query each → the figures of the literature: precision at 1, success rate at k (Petroni
 * et al. 2023, "Retrieval"), mean reciprocal rank; with 95 % intervals. Pages, not passages, are counted.
 */
import { bootstrapIntervals, type Interval } from '../bootstrap.ts';

/** One query in one arm. */
export interface Ranked {
  /** From 1; null: no right page among what was found. */
  rank: number | null;
  /** Queries of one article are no independent measurements (bootstrap.ts). */
  article: string;
  /** What the search took. */
  ms: number;
}

type Measure = 'p_at_1' | 'sr_at_5' | 'sr_at_20' | 'sr_at_100' | 'sr_at_200' | 'mrr';

export type ArmFigures = Record<Measure, number> & {
  /** 95 %. */
  ci: Record<string, Interval>;
  /** Mean milliseconds a query. */
  ms: number;
  p95_ms: number;
  queries: number;
};

/** NaN for no query. */
export function summarise(ranked: readonly Ranked[]): ArmFigures {
  const figures = measure(ranked);
  const times = ranked.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    ...figures,
    ci: bootstrapIntervals(ranked, ({ article }) => article, measure),
    ms: round(mean(times)),
    p95_ms: round(times[Math.ceil(0.95 * times.length) - 1] ?? Number.NaN),
    queries: ranked.length,
  };
}

/** The rank of the first page that is right, from 1. */
export function rankOf(pages: readonly string[], answers: ReadonlySet<string>): number | null {
  const at = pages.findIndex((page) => answers.has(page));
  return at < 0 ? null : at + 1;
}

function measure(ranked: readonly Ranked[]): Record<Measure, number> {
  const ranks = ranked.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY);
  const within = (cutoff: number) => mean(ranks.map((rank) => (rank <= cutoff ? 1 : 0)));
  return {
    p_at_1: within(1),
    sr_at_5: within(5),
    sr_at_20: within(20),
    sr_at_100: within(100),
    sr_at_200: within(200),
    mrr: mean(ranks.map((rank) => 1 / rank)),
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function round(ms: number): number {
  return Number(ms.toFixed(2));
}
