/** What looks at single articles, claims and sources, declared for the command line: `check`, `verify`, `find`. */
import type { Command } from 'commander';
import type { CheckOptions } from '../commands/check.ts';
import type { FindOptions } from '../commands/find.ts';
import type { VerifyOptions } from '../commands/verify.ts';
import { config, stopSignal } from './context.ts';

export function declareCheck(program: Command): void {
  program
    .command('check')
    .description('check every citation of an article or of a wikitext file, without queues')
    .argument('[title]', 'title of an article')
    .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
    .option('--wikitext <file>', 'a file of wikitext instead of an article; the wiki parses it')
    .option('--extract-only', 'only list claims and citations', false)
    .option('--offline', 'read sources as they were fetched before, and no others', false)
    .option('--json', 'print one JSON object', false)
    .action(async (title = '', { wiki, ...options }: CheckOptions & { wiki?: string }) => {
      const { check } = await import('../commands/check.ts');
      await check(config(wiki === undefined ? {} : { WIKI: wiki }), { ...options, title }, stopSignal());
    });

  program
    .command('verify')
    .description('check one claim against one source')
    .requiredOption('--claim <text>', 'the sentence')
    .requiredOption('--source <url or file>', 'the page that should support it')
    .option('--offline', 'read the page as it was fetched before', false)
    .option('--json', 'print one JSON object', false)
    .action(async (options: VerifyOptions) => {
      const { verify } = await import('../commands/verify.ts');
      await verify(config(), options, stopSignal());
    });

  program
    .command('find')
    .description('find pages of the corpus that support a claim, and pages that say otherwise')
    .requiredOption('--claim <text>', 'the sentence')
    .option('--title <title>', 'title of the article that it stands in')
    .option('--generation <name>', 'generation of the corpus; default: the one that searches ask now')
    .option('--json', 'print one JSON object', false)
    .action(async (options: FindOptions) => {
      const { findEvidence } = await import('../commands/find.ts');
      await findEvidence(config(), options, stopSignal());
    });
}
