/** What is known of sources and links, and what people say and give, declared for the command line: `sources …`. */
import { type Command, Option } from 'commander';
import type { CorrectOptions, ExportOptions, GiveOptions, HealthOptions } from '../commands/sources.ts';
import { config, stopSignal } from './context.ts';

export function declareSources(program: Command): void {
  const sourcesCommand = program
    .command('sources')
    .description('what is known of cited pages: their links, and texts that were read or given');

  sourcesCommand
    .command('health')
    .description('which links are live, failing, blocked or dead, and when they are looked at again')
    .argument('[url]', 'of one page')
    .addOption(new Option('--state <state>', 'only those').choices(['live', 'failing', 'blocked', 'dead', 'corrected']))
    .option('--limit <n>', 'how many to list, those looked at last first', '20')
    .option('--json', 'print one JSON object', false)
    .action(async (url: string | undefined, options: HealthOptions) => {
      const { showHealth } = await import('../commands/sources.ts');
      await showHealth(config(), url, options);
    });

  sourcesCommand
    .command('correct')
    .description('say what a link really is: it counts until the page changes, or for 90 days')
    .argument('<url>', 'of the page')
    .addOption(
      new Option('--state <state>', 'what it is; `clear` takes back what was said')
        .choices(['live', 'dead', 'blocked', 'paywall', 'clear'])
        .makeOptionMandatory(),
    )
    .option('--note <text>', 'why, for other people', '')
    .action(async (url: string, options: CorrectOptions) => {
      const { correctLink } = await import('../commands/sources.ts');
      await correctLink(config(), url, options);
    });

  sourcesCommand
    .command('give')
    .description("give the text of a page that can't be fetched; it is kept private")
    .argument('<url>', 'of the page, as it is cited')
    .addOption(new Option('--file <file>', 'a text, HTML or PDF file; `-`: what is piped in').conflicts('withdraw'))
    .option('--withdraw', 'forget what was given')
    .action(async (url: string, options: GiveOptions) => {
      const { giveSource } = await import('../commands/sources.ts');
      await giveSource(config(), url, options);
    });

  sourcesCommand
    .command('export')
    .description('write what was fetched to a WARC file')
    .argument('<file>', 'x.warc.gz')
    .option('--url <url>', 'only what was fetched for this page')
    .option('--since <date>', 'only what came since')
    .option('--json', 'print one JSON object', false)
    .action(async (file: string, options: ExportOptions) => {
      const { exportSources } = await import('../commands/sources.ts');
      await exportSources(config(), file, options, stopSignal());
    });

  sourcesCommand
    .command('import')
    .description('keep the responses of a WARC file, to be read with --offline')
    .argument('<file>', 'x.warc or x.warc.gz')
    .option('--json', 'print one JSON object', false)
    .action(async (file: string, options: { json: boolean }) => {
      const { importSources } = await import('../commands/sources.ts');
      await importSources(config(), file, options, stopSignal());
    });
}
