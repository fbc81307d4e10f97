/**
 * `npm run bench`: every benchmark of the project, each beside a peer where it has one, in one table; `npm run bench -- NAME` one of
 * them. A machine at rest, or the figures mean little: what is compared takes turns, so that ratios suffer least.
 */
import { Command, Option } from 'commander';
import { RefuseToStart } from '../../shared/errors.ts';
import type { Benchmark, BenchOptions, Measured } from './benchmark.ts';
import { positive } from './numbers.ts';

const modelsDir = process.env.MODELS_DIR ?? 'workers/models';

interface Given extends Omit<BenchOptions, 'size' | 'modelsDir' | 'python'> {
  json: boolean;
  full: boolean;
  tiny: boolean;
}

const program = new Command('bench').description('Measures how fast Sidelight is, beside others.').showHelpAfterError();

program
  .command('measure', { isDefault: true })
  .argument('[names...]', 'verification, retrieval, queue, bot, pipeline, review, gadget, growth, simulation, reasons')
  .option('--json', 'one JSON object, with the ratios', false)
  .option('--full', 'larger sizes and more rounds: hours', false)
  .option('--tiny', 'only to see that everything runs: the figures mean nothing', false)
  .addOption(new Option('--parts <names...>', 'only these parts of the benchmarks').default(null))
  .addOption(new Option('--rounds <n>', 'interleaved rounds; medians are given').argParser(positive).default(null))
  .addOption(
    new Option('--sizes <passages>', 'of indexes that are grown, parted by commas').argParser(sizes).default(null),
  )
  .addOption(new Option('--html <folder>', 'Parsoid HTML of articles, in place of made-up pages').default(null))
  .addOption(new Option('--database <file>', 'of findings: made if it is not there, and kept').default(null))
  .action(measure);

/** Processes that a benchmark starts. */
const CHILDREN: Record<string, (argument: string) => Promise<unknown>> = {
  'measure-shard': async (task) => (await import('./retrieval/shards.ts')).measureShardInTurn(task),
  'encode-in-turn': async () => (await import('./retrieval/encode.ts')).encodeInTurn(modelsDir),
  'score-on-one-thread': async () => (await import('./verification/processes.ts')).scoreOnOneThread(modelsDir),
  'transformers-js': async () => (await import('./verification/transformers-js.ts')).answerWithTransformers(),
  'serve-world': async (task) => (await import('./pipeline/world.ts')).serveWorld(task),
  'drain-queue': async (task) => (await import('./queue/drain.ts')).drainInTurn(task),
};
for (const [name, run] of Object.entries(CHILDREN)) {
  program
    .command(name, { hidden: true })
    .argument('[task]')
    .action(async (task = '') => void (await run(task)));
}

await program.parseAsync().catch((error: unknown) => {
  if (!(error instanceof RefuseToStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});

async function measure(names: string[], { json, full, tiny, ...given }: Given): Promise<void> {
  const { BENCHMARKS } = await import('./all.ts');
  const { describeMachine, readVersions } = await import('./machine.ts');
  const { toJson, toText } = await import('./table.ts');
  const size = tiny ? 'tiny' : full ? 'full' : 'quick';
  const options: BenchOptions = { ...given, size, modelsDir, python: process.env.PYTHON ?? 'python3' };
  const chosen = choose(BENCHMARKS, names, given.parts);
  const machine = describeMachine();
  const versions = await readVersions(options.python);
  const measured = new Map<string, Measured>();
  for (const benchmark of chosen) measured.set(benchmark.name, await benchmark.run(options));
  const report = { machine, versions, measured };
  process.stdout.write(json ? toJson(report) : toText(report));
}

/** Throws RefuseToStart for a name, or a part, that there is none of. */
function choose(
  all: readonly Benchmark[],
  names: readonly string[],
  parts: readonly string[] | null,
): readonly Benchmark[] {
  const known = all.map(({ name }) => name);
  const strange = names.find((name) => !known.includes(name));
  if (strange !== undefined) throw new RefuseToStart(`${strange} is no benchmark; they are ${known.join(', ')}`);
  const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const offered = chosen.flatMap((benchmark) => benchmark.parts);
  const missing = parts?.find((part) => !offered.includes(part));
  if (missing !== undefined) throw new RefuseToStart(`${missing} is no part; they are ${offered.join(', ')}`);
  return chosen;
}

function sizes(text: string): number[] {
  return text.split(',').map(positive);
}
