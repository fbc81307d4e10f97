/** The gadget, declared for the command line: `gadget build|publish`. */
import type { Command } from 'commander';
import type { PublishWish } from '../commands/gadget.ts';
import { config } from './context.ts';

export function declareGadget(program: Command): void {
  const gadget = program.command('gadget').description('the gadget, as files or as pages of a wiki');
  gadget
    .command('build')
    .description('write its pages into a folder')
    .requiredOption('--out <folder>', 'where to')
    .option('--service <url>', 'the review service that it asks; default: REVIEW_URL')
    .action(async (options: { out: string; service?: string }) => {
      const { buildGadgetInto } = await import('../commands/gadget.ts');
      await buildGadgetInto(config(), options);
    });
  gadget
    .command('publish')
    .description('put it on the wiki, as BOT_USERNAME with the rights of an interface administrator')
    .option('--dry-run', 'print the difference of every page, and save nothing', false)
    .option('--default', 'for everybody; else people choose it in their preferences', false)
    .option('--service <url>', 'the review service that it asks; default: REVIEW_URL')
    .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
    .action(async ({ wiki, ...options }: PublishWish & { wiki?: string }) => {
      const { publishGadgetOn } = await import('../commands/gadget.ts');
      await publishGadgetOn(config(wiki === undefined ? {} : { WIKI: wiki }), options);
    });
}
