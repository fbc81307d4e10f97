/** What is written on a wiki page, declared for the command line: `report …`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReportWish } from '../commands/report.ts';
import { config, stopSignal } from './context.ts';

export function declareReport(program: Command): void {
  program
    .command('report')
    .description('show what a report on a wiki page would change; with --save, write it where the page asks for it')
    .argument('<target>', 'of the project, or of the bot’s own user space: "Wikipedia:WikiProject Mills/Sidelight"')
    .addOption(one('--worklist <name>', 'findings of the articles of a worklist', 'worklist'))
    .addOption(one('--category <title>', 'of the pages of a category: "Category:Mills"', 'category'))
    .addOption(
      one('--wikiproject <title>', 'of a WikiProject’s articles: "Category:Mill articles by quality"', 'wikiproject'),
    )
    .addOption(one('--page <title>', 'of one article', 'page'))
    .addOption(new Option('--depth <n>', 'of subcategories; default: 0, for --wikiproject 1').argParser(depth))
    .option('--save', 'write it', false)
    .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
    .option('--json', 'print one JSON object', false)
    .action(async (target: string, { wiki, ...options }: Omit<ReportWish, 'target'> & { wiki?: string }) => {
      const { report } = await import('../commands/report.ts');
      await report(config(wiki === undefined ? {} : { WIKI: wiki }), { ...options, target }, stopSignal());
    });
}

function one(flags: string, description: string, name: string): Option {
  return new Option(flags, description).conflicts(WHOSE.filter((other) => other !== name));
}

function depth(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= 50) return Number(text);
  throw new InvalidArgumentError('it is a whole number from 0 to 50');
}

const WHOSE = ['worklist', 'category', 'wikiproject', 'page'];
