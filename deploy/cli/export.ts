/** What people said at the review page, as data, declared for the command line: `export …`. */
import { type Command, Option } from 'commander';
import { EXPORTS } from '../../workers/review/export-formats.ts';
import type { ExportFeedbackOptions } from '../commands/export-feedback.ts';
import { config } from './context.ts';

export function declareExport(program: Command): void {
  program
    .command('export')
    .description('what people said at the review page, as data')
    .command('feedback')
    .description('what people decided and judged, one JSON object a line; what is left out is counted on stderr')
    .addOption(
      new Option('--format <format>', 'labelled pairs for `evaluate verification`, judgements for `evaluate agreement`')
        .choices(EXPORTS)
        .default('pairs'),
    )
    .option('--since <date>', 'only what was said since')
    .option('--out <file>', 'where to write it; default: stdout')
    .action(async (options: ExportFeedbackOptions) => {
      const { exportFeedbackTo } = await import('../commands/export-feedback.ts');
      await exportFeedbackTo(config(), options);
    });
}
