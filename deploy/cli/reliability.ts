/** What the wiki's own lists say of sites, declared for the command line: `reliability …`. */
import type { Command } from 'commander';
import { config, stopSignal } from './context.ts';

export function declareReliability(program: Command): void {
  const reliabilityCommand = program.command('reliability').description("what a wiki's own lists say of sites");

  reliabilityCommand
    .command('import')
    .description('read the perennial sources, blacklists and mirrors of the wiki now; the bot does so every day')
    .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
    .option('--json', 'print one JSON object', false)
    .action(async ({ wiki, ...options }: { wiki?: string; json: boolean }) => {
      const { importReliability } = await import('../commands/reliability.ts');
      await importReliability(config(wiki === undefined ? {} : { WIKI: wiki }), options, stopSignal());
    });

  reliabilityCommand
    .command('show')
    .description('what was read of a site, and whether its pages may be suggested')
    .argument('<url>', 'address of a page')
    .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
    .option('--json', 'print one JSON object', false)
    .action(async (url: string, { wiki, ...options }: { wiki?: string; json: boolean }) => {
      const { showReliability } = await import('../commands/reliability.ts');
      await showReliability(config(wiki === undefined ? {} : { WIKI: wiki }), url, options);
    });
}
