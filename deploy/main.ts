/**
 * The `sidelight` command: parses the command line, runs one command, exits. Its commands are declared in cli/, one file a
 * room; what each does stands in commands/.
 */
import { Command } from 'commander';
import { ConfigError } from '../shared/config.ts';
import { RefuseToStart, RequestError, TransientError } from '../shared/errors.ts';
import { withoutSecrets } from '../shared/logger.ts';
import { programVersion } from '../shared/root.ts';
import { declareCheck } from './cli/check.ts';
import { declareCorpus } from './cli/corpus.ts';
import { declareEvaluate } from './cli/evaluate.ts';
import { declareExport } from './cli/export.ts';
import { declareGadget } from './cli/gadget.ts';
import { declareMoving } from './cli/moving.ts';
import { declareReliability } from './cli/reliability.ts';
import { declareReport } from './cli/report.ts';
import { declareRequeue } from './cli/requeue.ts';
import { declareRun } from './cli/run.ts';
import { declareSimulate } from './cli/simulate.ts';
import { declareSources } from './cli/sources.ts';
import { declareStatus } from './cli/status.ts';
import { declareWorklist } from './cli/worklist.ts';

/** Errors whose message says to a person what to do. */
const EXPECTED = [ConfigError, RefuseToStart, RequestError, TransientError] as const;

const program = new Command('sidelight')
  .description('Finds citations that do not support their sentence, and better sources for them.')
  .version(programVersion())
  .showHelpAfterError();
const declarations = [
  declareRun,
  declareCheck,
  declareEvaluate,
  declareExport,
  declareCorpus,
  declareGadget,
  declareMoving,
  declareReliability,
  declareReport,
  declareRequeue,
  declareSimulate,
  declareSources,
  declareStatus,
  declareWorklist,
];
for (const declare of declarations) declare(program);
process.stdout.on('error', leave);
await program.parseAsync().catch(fail);

/** Who reads has enough, as `head` does. */
function leave(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit();
  return fail(error);
}

/** What a person can mend or wait for is one line; anything else is a bug and shows where. */
function fail(error: unknown): never {
  if (error instanceof Error && error.name === 'AbortError') process.exit(130); // who pressed Ctrl-C knows
  const isExpected = EXPECTED.some((expected) => error instanceof expected);
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  process.stderr.write(`sidelight: ${withoutSecrets(text ?? '')}\n`);
  process.exit(1);
}
