/** How cost grows: with worker processes, with claims, with the corpus. Each a line fitted to three points or more. */
import { availableParallelism } from 'node:os';
import { fitLine } from '../../../deploy/simulation/tally.ts';
import {
  type Benchmark,
  type BenchOptions,
  line,
  type Measured,
  type Result,
  runParts,
  type Size,
} from '../benchmark.ts';
import { ARTICLES, runOnce, runWith } from '../pipeline/pipeline.ts';
import type { Run } from '../pipeline/run.ts';
import { measureShards } from '../retrieval/shards.ts';
import { measureSparse } from '../retrieval/sparse.ts';
import { compareProcesses } from '../verification/processes.ts';

interface Scale {
  rounds: number;
  spellMs: number;
  /** Passages, ten times as many at the end as at the beginning. */
  passages: readonly number[];
  searches: number;
}

const SCALE: Record<Size, Scale> = {
  tiny: { rounds: 1, spellMs: 50, passages: [50, 150, 500], searches: 2 },
  quick: { rounds: 3, spellMs: 2000, passages: [2000, 6000, 20_000], searches: 30 },
  full: { rounds: 5, spellMs: 5000, passages: [10_000, 30_000, 100_000], searches: 50 },
};

export const growth: Benchmark = {
  name: 'growth',
  about:
    'how cost grows: 1 to 4 worker processes, ten times the claims, ten times the corpus; slopes with what they leave',
  parts: ['processes', 'claims', 'corpus'],
  run(options) {
    const scale = SCALE[options.size];
    const measure = {
      processes: () => processes(scale),
      claims: () => claims(options),
      corpus: () => corpus(options.sizes ?? scale.passages, scale.searches),
    };
    return runParts('growth', measure, options.parts);
  },
};

type Point = readonly [x: number, y: number];

/** Above as many processes as there are cores nothing can grow: the line is fitted to those below. */
async function processes({ rounds, spellMs }: Scale): Promise<Measured> {
  const rates = [...(await compareProcesses({ counts: COUNTS, rounds, spellMs }))];
  const cores = availableParallelism();
  const within = rates.filter(([count]) => count <= cores);
  const shown = rates.map(([count, rate]) => `${count}: ${rate.toFixed(1)}`).join(', ');
  const note = `pairs/s by processes of one thread: ${shown}; ${cores} cores, so no more than ${cores} can help`;
  const [one = Number.NaN, most = Number.NaN] = [within[0]?.[1], within.at(-1)?.[1]];
  const results = [
    fitted('pairs/s a process more', 'pairs/s', within, note),
    line({ name: `${within.length} processes ÷ one`, ours: most / one, unit: '×', ratio: most / one }),
  ];
  return { figures: { pairs_per_second: Object.fromEntries(rates), ...fitLine(within) }, results };
}

const COUNTS = [1, 2, 3, 4] as const;

/** Processor time of everything that is ours, over a tenth, a third and all of the articles. */
async function claims(options: BenchOptions): Promise<Measured> {
  const all = ARTICLES[options.size];
  const sizes = [Math.max(1, Math.round(all / 10)), Math.max(2, Math.round(all / 3))];
  const runs: Run[] = [];
  for (const articles of sizes) runs.push(await runWith(options, 1, articles));
  runs.push(await runOnce(options));
  const points = runs.map((run): Point => [run.claims, secondsOf(run)]);
  const walls = runs.map((run): Point => [run.claims, run.seconds]);
  const note = `${points.map(([count, seconds]) => `${count} claims: ${seconds.toFixed(1)} s`).join(', ')}`;
  const results = [
    fitted('core-seconds a claim more', 's', points, note),
    fitted('seconds a claim more', 's', walls, 'by the clock; one process judges'),
  ];
  return { figures: { core_seconds: points, ...fitLine(points), seconds: walls }, results };
}

function secondsOf({ used: { world, ...own } }: Run): number {
  return Object.values(own).reduce((sum, { seconds }) => sum + seconds, 0);
}

async function corpus(sizes: readonly number[], searches: number): Promise<Measured> {
  const sparse = await measureSparse(sizes, searches);
  const dense = await measureShards(sizes, ['hnsw-sq8']);
  const figures = { sparse, dense };
  const search = sparse.map(({ passages, search_cpu_ms }): Point => [passages / 1000, search_cpu_ms]);
  const disk = sparse.map(({ passages, index_mb }): Point => [passages / 1000, index_mb]);
  const graph = dense.map(({ passages, search_cpu_ms }): Point => [passages / 1000, search_cpu_ms]);
  const memory = dense.map(({ passages, index_mb }): Point => [passages / 1000, index_mb]);
  const results = [
    fitted('FTS5 search, a thousand passages more', 'ms of a core', search, shownOf(search, 'ms')),
    fitted('FTS5 index, a thousand passages more', 'MB', disk, shownOf(disk, 'MB')),
    fitted('HNSW search, a thousand passages more', 'ms of a core', graph, shownOf(graph, 'ms')),
    fitted('HNSW index, a thousand passages more', 'MB', memory, shownOf(memory, 'MB')),
  ];
  return { figures, results };
}

function shownOf(points: readonly Point[], unit: string): string {
  return points.map(([thousands, y]) => `${thousands * 1000}: ${Number(y.toPrecision(3))} ${unit}`).join(', ');
}

/** The slope; its note says what the line leaves. */
function fitted(name: string, unit: string, points: readonly Point[], note: string): Result {
  const { slope, residual } = fitLine(points);
  return line({
    name,
    ours: slope,
    unit,
    note: `${note}; the line leaves ±${Number(residual.toPrecision(2))} ${unit}`,
  });
}
