/** What checks findings again, declared for the command line: `requeue …`. */
import { type Command, Option } from 'commander';
import { UnavailableReason, Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import type { RequeueCommand } from '../commands/requeue.ts';
import { stopSignal } from './context.ts';
import { queueConfig } from './queues.ts';

export function declareRequeue(program: Command): void {
  const requeueCommand = program
    .command('requeue')
    .description('check findings again, those that all of the given options hold for')
    .option('--article <title...>', 'on these articles')
    .option('--category <title>', 'on articles of a category of the wiki')
    .addOption(new Option('--depth <n>', 'levels of its subcategories').argParser(whole('--depth')).default(0))
    .option('--citation <url>', 'that cite this page')
    .addOption(
      new Option('--reason <reason>', 'with a citation that could not be read').choices(UnavailableReason.options),
    )
    .addOption(new Option('--verdict <verdict>', 'with this verdict').choices(Verdict.options))
    .option(
      '--searched-partly',
      'for which a part of the corpus did not answer when better sources were looked for',
      false,
    )
    .option('--model <version>', 'judged by this version of the model; `other`: by any but the one that judges now')
    .addOption(new Option('--older-than <days>', 'judged longer ago').argParser(whole('--older-than')))
    .option(
      '--read-again',
      'read the sources again; by citation, reason or verdict `unavailable` it is so anyway',
      false,
    )
    .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
    .option('--dry-run', 'only say how many', false)
    .option('--json', 'print one JSON object', false)
    .action(async ({ wiki, ...options }: RequeueCommand & { wiki?: string }) => {
      const { requeueFindings } = await import('../commands/requeue.ts');
      await requeueFindings(await queueConfig(wiki === undefined ? {} : { WIKI: wiki }), options, stopSignal());
    });

  requeueCommand
    .command('cancel')
    .description('take out what still waits of a requeue')
    .argument('<request>', 'its name, as `requeue` said it')
    .action(async (request: string) => {
      const { cancel } = await import('../commands/requeue.ts');
      await cancel(await queueConfig(), request, requeueCommand.opts<{ json: boolean }>());
    });
}

function whole(name: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
    throw new RequestError('no_number', `${name}: ${text} is no whole number`);
  };
}
