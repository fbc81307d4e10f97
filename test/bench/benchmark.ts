/** What a benchmark is, and what it gives: one line of the table for each thing that is measured. Measures nothing itself. */
import { RefuseToStart } from '../../shared/errors.ts';

/** `tiny`: only to see that everything runs; its figures mean nothing. */
export type Size = 'tiny' | 'quick' | 'full';

export interface BenchOptions {
  size: Size;
  /** Only these of its parts. Null: all. */
  parts: readonly string[] | null;
  modelsDir: string;
  /** A Python with the packages of workers/models/training/requirements.txt. */
  python: string;
  /** Interleaved; medians are given. Null: as the size has it. */
  rounds: number | null;
  /** Passages of the indexes that are grown, ascending. Null: as the size has it. */
  sizes: readonly number[] | null;
  /** Folder of Parsoid HTML, in place of made-up pages. */
  html: string | null;
  /** A review database that is made if it is not there, and kept. */
  database: string | null;
}

/** One line of the table. */
export interface Result {
  name: string;
  /** Null: not measured, as `note` says. */
  ours: number | null;
  unit: string;
  /** The same of the peer, measured in turns with ours. */
  peer: number | null;
  peerName: string | null;
  /** How often ours is as good as the peer, above 1 the better one; of a share or a slope, what the name says. Null: there is none. */
  ratio: number | null;
  note: string;
}

export interface Measured {
  results: Result[];
  /** Everything that was measured, by names of its own. */
  figures: Record<string, unknown>;
}

export interface Benchmark {
  name: string;
  about: string;
  parts: readonly string[];
  /** A part whose engine is missing here gives a line that says so. */
  run(options: BenchOptions): Promise<Measured>;
}

/** A line without a peer, if none is given. */
export function line(given: Pick<Result, 'name' | 'ours' | 'unit'> & Partial<Result>): Result {
  return { peer: null, peerName: null, ratio: null, note: '', ...given };
}

/** A line beside a peer. `better`: `more` of a rate, `less` of a time or a cost. */
export function beside(
  given: Pick<Result, 'name' | 'unit' | 'peerName'> & {
    ours: number;
    peer: number;
    better: 'more' | 'less';
  } & Partial<Result>,
): Result {
  const { better, ...rest } = given;
  const ratio = better === 'more' ? given.ours / given.peer : given.peer / given.ours;
  return { ratio, note: '', ...rest };
}

export function notMeasured(name: string, note: string): Result {
  return line({ name, ours: null, unit: '', note });
}

export type Parts = Record<string, () => Promise<Measured>>;

/** One part after the other. What refuses to start, for want of a program or a package, becomes a line that says what is missing. */
export async function runParts(benchmark: string, parts: Parts, chosen: readonly string[] | null): Promise<Measured> {
  const measured: Measured = { results: [], figures: {} };
  for (const [name, run] of Object.entries(parts)) {
    if (chosen !== null && !chosen.includes(name)) continue;
    const part = await run().catch((error: unknown) => refused(name, error));
    measured.results.push(...part.results);
    measured.figures[name] = part.figures;
    process.stderr.write(`${benchmark}: ${name} measured\n`);
  }
  return measured;
}

function refused(name: string, error: unknown): Measured {
  if (!(error instanceof RefuseToStart)) throw error;
  return { results: [notMeasured(name, error.message)], figures: { missing: error.message } };
}
