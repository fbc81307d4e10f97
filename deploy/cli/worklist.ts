/** Lists of articles that are checked as a whole, declared for the command line: `worklist …`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS, type Format } from '../../bot/worklists/formats.ts';
import { Verdict } from '../../shared/citation.ts';
import { RequestError } from '../../shared/errors.ts';
import { config, stopSignal } from './context.ts';
import { queueConfig } from './queues.ts';

export function declareWorklist(program: Command): void {
  const worklist = program.command('worklist').description('check whole lists of articles, and follow how far that is');
  declareAdd(worklist);
  declareLooks(worklist);
  declareActs(worklist);
  declareSchedule(worklist);
}

function declareAdd(worklist: Command): void {
  worklist
    .command('add')
    .description('keep a list of articles under a name')
    .argument('<name>', 'of the list')
    .option('--category <title>', 'pages of a category: "Category:Mills"')
    .option('--assessment <title>', 'articles of a WikiProject: "Category:Mill articles by importance"')
    .addOption(new Option('--depth <n>', 'of subcategories; default: 0, for --assessment 1').argParser(number))
    .addOption(new Option('--pagepile <id>', 'a pile of PagePile').argParser(number))
    .addOption(new Option('--petscan <id>', 'a saved query of PetScan (PSID)').argParser(number))
    .option('--file <file>', 'a file of titles, one a line')
    .option('--search <query>', 'what the search of the wiki finds')
    .option('--links-to <title>', 'what links to a page or transcludes it')
    .option('--created-by <user>', 'articles that a user began')
    .option('--json', 'print one JSON object', false)
    .action(async (name: string, options: { json: boolean }) => {
      const { addWorklist } = await import('../commands/worklist.ts');
      await addWorklist(config(), { ...options, name }, stopSignal());
    });
}

function declareLooks(worklist: Command): void {
  worklist
    .command('list')
    .description('the lists of the wiki')
    .option('--json', 'print one JSON object', false)
    .action(async (options: { json: boolean }) => {
      const { listWorklists } = await import('../commands/worklist.ts');
      await listWorklists(config(), options);
    });

  named(worklist, 'show', 'how far a list is: articles, claims, findings').action(
    async (name: string, options: Json) => {
      const { showWorklist } = await import('../commands/worklist.ts');
      await showWorklist(config(), { ...options, name });
    },
  );

  worklist
    .command('export')
    .description('the articles of the last run with their findings')
    .argument('<name>', 'of the list')
    .addOption(new Option('--format <format>', 'of the export').choices(FORMATS).default('csv'))
    .addOption(new Option('--verdicts <names>', 'only these, parted by commas').argParser(verdicts).default([]))
    .option('--out <file>', 'where to write it; default: stdout')
    .action(async (name: string, options: { format: Format; verdicts: Verdict[]; out?: string }) => {
      const { exportWorklist } = await import('../commands/worklist-export.ts');
      await exportWorklist(config(), { ...options, name });
    });
}

function declareActs(worklist: Command): void {
  named(worklist, 'run', 'begin a run, or tell the one that is open to go on')
    .option('--all', 'read articles too that have not changed since they were read with the same model', false)
    .action(async (name: string, options: Json & { all: boolean }) => {
      const { runWorklist } = await import('../commands/worklist.ts');
      await runWorklist(await queueConfig(), { ...options, name });
    });

  named(worklist, 'pause', 'hand no more articles on').action(async (name: string, options: Json) => {
    const { pauseWorklist } = await import('../commands/worklist.ts');
    await pauseWorklist(config(), { ...options, name });
  });

  named(worklist, 'resume', 'go on with a list that is paused').action(async (name: string, options: Json) => {
    const { resumeWorklist } = await import('../commands/worklist.ts');
    await resumeWorklist(await queueConfig(), { ...options, name });
  });

  named(worklist, 'cancel', 'end the open run, and take out what still waits for it').action(
    async (name: string, options: Json) => {
      const { cancelWorklist } = await import('../commands/worklist.ts');
      await cancelWorklist(await queueConfig(), { ...options, name });
    },
  );

  named(worklist, 'drop', 'forget a list and its runs; findings stay').action(async (name: string, options: Json) => {
    const { dropWorklist } = await import('../commands/worklist.ts');
    await dropWorklist(await queueConfig(), { ...options, name });
  });
}

function declareSchedule(worklist: Command): void {
  named(worklist, 'schedule', 'begin a run every week; it reads what has changed since the last')
    .addOption(new Option('--weekly', 'once a week').conflicts('off'))
    .option('--day <name>', 'day of the week', 'Monday')
    .addOption(new Option('--hour <n>', 'hour of the day, UTC').argParser(number).default(3))
    .option('--off', 'no longer')
    .action(async (name: string, { weekly, off, day, hour, json }: Weekly) => {
      const { parseDay, scheduleWorklist } = await import('../commands/worklist.ts');
      if (weekly !== true && off !== true) throw new RequestError('no_schedule', '--weekly or --off: say which');
      if (hour > 23) throw new RequestError('no_hour', `--hour: ${hour} is no hour; give a number from 0 to 23`);
      const schedule = off === true ? null : { day: parseDay(day), hour };
      await scheduleWorklist(await queueConfig(), { name, json, schedule });
    });
}

interface Json {
  json: boolean;
}

interface Weekly extends Json {
  weekly?: true;
  off?: true;
  day: string;
  hour: number;
}

function named(worklist: Command, verb: string, description: string) {
  return worklist
    .command(verb)
    .description(description)
    .argument('<name>', 'of the list')
    .option('--json', 'print one JSON object', false);
}

function number(text: string): number {
  const parsed = Number(text);
  if (Number.isSafeInteger(parsed) && parsed >= 0 && text.trim() !== '') return parsed;
  throw new InvalidArgumentError('it is a whole number from 0 on');
}

function verdicts(text: string): Verdict[] {
  return text.split(',').map((name) => {
    const verdict = Verdict.safeParse(name.trim());
    if (verdict.success) return verdict.data;
    throw new RequestError('unknown_verdict', `${name} is no verdict: ${Verdict.options.join(', ')}`);
  });
}
