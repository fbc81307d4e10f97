/** `npm run bench -- verification|retrieval|reasons|bot|gadget [--json]`: runs one benchmark and prints what it measured. A machine at rest, or the figures mean nothing. */
import { Command, Option } from 'commander';
import { RefuseToStart } from '../../shared/errors.ts';
import { BOT_PARTS, type BotPart } from './bot/names.ts';
import { positive } from './numbers.ts';
import { type BenchPart, PARTS } from './retrieval/names.ts';

const modelsDir = process.env.MODELS_DIR ?? 'workers/models';

const program = new Command('bench').description('Measures how fast Sidelight is.').showHelpAfterError();

program
  .command('verification')
  .description('the cross-encoder beside PyTorch and Python, whole claims, memory, processes')
  .option('--json', 'one JSON object', false)
  .addOption(new Option('--rounds <n>', 'interleaved rounds; medians are printed').argParser(positive).default(9))
  .addOption(new Option('--pairs <n>', 'pairs over which memory is watched').argParser(positive).default(5000))
  .action(async (options: { json: boolean; rounds: number; pairs: number }) => {
    const { benchVerification } = await import('./verification/verification.ts');
    await benchVerification({ ...options, modelsDir, python: process.env.PYTHON ?? 'python3' });
  });

program
  .command('retrieval')
  .description('encoder and FAISS beside Python, a search for evidence, and how the indexes grow')
  .option('--json', 'one JSON object', false)
  .addOption(new Option('--parts <names...>', 'what is measured').choices(PARTS).default([...PARTS]))
  .addOption(new Option('--rounds <n>', 'interleaved rounds; medians are printed').argParser(positive).default(9))
  .addOption(
    new Option('--sizes <passages>', 'of the indexes that are grown, ascending, parted by commas')
      .argParser((text) => text.split(',').map(positive))
      .default([10_000, 100_000, 1_000_000]),
  )
  .action(async (options: { json: boolean; parts: BenchPart[]; rounds: number; sizes: number[] }) => {
    const { benchRetrieval } = await import('./retrieval/retrieval.ts');
    await benchRetrieval({ ...options, modelsDir, python: process.env.PYTHON ?? 'python3' });
  });

program
  .command('reasons')
  .description('why pages are no source: precision and recall over the labelled set')
  .option('--json', 'one JSON object', false)
  .action(async (options: { json: boolean }) => {
    const { benchReasons } = await import('./reasons/reasons.ts');
    await benchReasons(options);
  });

program
  .command('bot')
  .description('claims from Parsoid HTML beside a bare parse, revisions a second, how far behind the stream, memory')
  .option('--json', 'one JSON object in one line', false)
  .addOption(new Option('--parts <names...>', 'what is measured').choices(BOT_PARTS).default([...BOT_PARTS]))
  .addOption(new Option('--rounds <n>', 'interleaved rounds; medians are printed').argParser(positive).default(5))
  .addOption(new Option('--minutes <n>', 'of a large wiki, replayed for memory').argParser(positive).default(60))
  .option('--html <folder>', 'Parsoid HTML of articles, in place of made-up pages')
  .action(async (options: { json: boolean; parts: BotPart[]; rounds: number; minutes: number; html?: string }) => {
    const { benchBot } = await import('./bot/bot.ts');
    await benchBot(options);
  });

program
  .command('review')
  .description(
    'lists of the review page by every filter and order over HTTP, beside fifty rows straight from the database',
  )
  .option('--json', 'one JSON object in one line', false)
  .addOption(new Option('--findings <n>', 'in the database').argParser(positive).default(100_000))
  .addOption(new Option('--pages <n>', 'on which they stand').argParser(positive).default(20_000))
  .addOption(new Option('--rounds <n>', 'of each filter alone').argParser(positive).default(3))
  .option('--database <file>', 'made if it is not there, and kept')
  .action(async (options: { json: boolean; findings: number; pages: number; rounds: number; database?: string }) => {
    const { benchReview } = await import('./review/review.ts');
    await benchReview(options);
  });

program
  .command('gadget')
  .description('what loading the gadget costs the main thread of an article, beside an empty gadget')
  .option('--json', 'one JSON object in one line', false)
  .addOption(new Option('--rounds <n>', 'interleaved rounds; medians are printed').argParser(positive).default(7))
  .addOption(new Option('--references <n>', 'of the article').argParser(positive).default(200))
  .action(async (options: { json: boolean; rounds: number; references: number }) => {
    const { benchGadget } = await import('./gadget/gadget.ts');
    await benchGadget(options);
  });

program
  .command('measure-shard', { hidden: true })
  .argument('<task>')
  .action(async (task: string) => {
    const { measureShardInTurn } = await import('./retrieval/shards.ts');
    measureShardInTurn(task);
  });

program.command('encode-in-turn', { hidden: true }).action(async () => {
  const { encodeInTurn } = await import('./retrieval/encode.ts');
  await encodeInTurn(modelsDir);
});

program.command('score-on-one-thread', { hidden: true }).action(async () => {
  const { scoreOnOneThread } = await import('./verification/processes.ts');
  await scoreOnOneThread(modelsDir);
});

await program.parseAsync().catch((error: unknown) => {
  if (!(error instanceof RefuseToStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
