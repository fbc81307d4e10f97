/** What it takes to keep up with a wiki, simulated from measured costs, declared for the command line. */
import { type Command, Option } from 'commander';
import { RequestError } from '../../shared/errors.ts';
import { print } from '../commands/print.ts';
import type { SimulateOptions } from '../commands/simulate.ts';
import { WIKIS } from '../simulation/wikis.ts';

export function declareSimulate(program: Command): void {
  const number = (flag: string, about: string) => new Option(`${flag} <n>`, about).argParser(parseNumber(flag));
  program
    .command('simulate')
    .description('how busy each stage would be, how long jobs would wait, and how many machines keep up')
    .addOption(
      new Option('--wiki <name>', 'its rate: deploy/capacity.md says where it is from').choices(Object.keys(WIKIS)),
    )
    .addOption(new Option('--measured <file>', 'costs: of `npm run bench -- pipeline --json`; default: those shipped'))
    .addOption(number('--edits-per-second', 'edits of articles, bots left out'))
    .addOption(number('--claims-per-edit', 'of an edit that touches cited claims'))
    .addOption(number('--touched', 'share of edits that touch cited claims'))
    .addOption(number('--sources-per-claim', 'citations of a claim'))
    .addOption(number('--cached', 'share of citations whose page was read within the day'))
    .addOption(number('--readable', 'share of cited pages that are read and join the corpus; 0: it does not grow'))
    .addOption(number('--searched', 'share of claims for which a better source is sought'))
    .addOption(number('--fetch', 'seconds until a page of the web has come'))
    .addOption(number('--pause', 'seconds between two requests to one host').default(1))
    .addOption(number('--hosts', 'that sources lie on').default(10_000))
    .addOption(number('--shards', 'dense shards').default(1))
    .addOption(number('--days', 'in which a full pass is to be done').default(30))
    .addOption(number('--machines', 'that judge; default: the fewest that keep up'))
    .addOption(number('--cores', 'of each').default(8))
    .addOption(number('--within', 'seconds from an edit to its verdict, for 95 of 100 claims').default(300))
    .addOption(number('--hours', 'that are simulated').default(1))
    .addOption(number('--seed', 'of the random numbers').default(1))
    .option('--json', 'one JSON object', false)
    .action(async (options: SimulateOptions) => {
      const { simulateWiki } = await import('../commands/simulate.ts');
      print(await simulateWiki(options));
    });
}

function parseNumber(flag: string) {
  return (text: string) => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number;
    throw new RequestError('no_number', `${flag}: ${text} is no number from 0 on`);
  };
}
