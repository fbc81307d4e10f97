/** What happened to the jobs of one stage: counts, waiting times, and how its queue grew. */

export interface StageTally {
  queued: number;
  begun: number;
  done: number;
  /** Seconds of cores. */
  worked: number;
  /** Seconds in the queue of each that was begun, and until it was done of each that is. */
  waits: readonly number[];
  sojourns: readonly number[];
}

export interface Tally {
  queued(): void;
  begun(waited: number): void;
  done(sojourn: number, worked: number): void;
  read(): StageTally;
}

export function createTally(): Tally {
  const counts = { queued: 0, begun: 0, done: 0, worked: 0 };
  const [waits, sojourns]: [number[], number[]] = [[], []];
  return {
    queued: () => void counts.queued++,
    begun(waited) {
      counts.begun += 1;
      waits.push(waited);
    },
    done(sojourn, worked) {
      counts.done += 1;
      counts.worked += worked;
      sojourns.push(sojourn);
    },
    read: () => ({ ...counts, waits, sojourns }),
  };
}

/** NaN of none. `share`: 0.5 for the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** Least squares. `residual`: root mean square of what the line leaves, in units of y. NaN with fewer than two points. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const across = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  const slope = across / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  const intercept = y - slope * x;
  const residual = Math.sqrt(mean(points.map(([at, value]) => (value - intercept - slope * at) ** 2)));
  return { slope, intercept, residual };
}
