/** `npm run bench -- verification [--json]`: runs one benchmark and prints what it measured. A machine at rest, or the figures mean nothing. */
import { Command, Option } from 'commander';
import { RefuseToStart } from '../../shared/errors.ts';
import { positive } from './numbers.ts';

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

program.command('score-on-one-thread', { hidden: true }).action(async () => {
  const { scoreOnOneThread } = await import('./verification/processes.ts');
  await scoreOnOneThread(modelsDir);
});

await program.parseAsync().catch((error: unknown) => {
  if (!(error instanceof RefuseToStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
