/** The parts that run until they are stopped, declared for the command line: `start`, `listen`, `work`, `review`. */
import { type Command, Option } from 'commander';
import { RequestError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import { STAGE_NAMES, type Stage } from '../../shared/pipeline.ts';
import { FIRST_PORT } from '../local/settings.ts';
import { serve, stopSignal } from './context.ts';

export function declareRun(program: Command): void {
  program
    .command('start')
    .description('run everything on this machine: sample wiki (or WIKI=…), bot, workers, review page')
    .option('--once', 'stop everything after the first pass')
    .addOption(
      new Option('--port <first>', 'first of the ports on loopback that it takes').argParser(port).default(FIRST_PORT),
    )
    .action(async (options: { once?: boolean; port: number }) => {
      const { start } = await import('../commands/start.ts');
      await start({ environment: process.env, once: options.once === true, port: options.port, signal: stopSignal() });
    });

  program
    .command('listen')
    .description('follow the recent changes of the wiki and read the claims of edited articles')
    .action(async () => {
      await serve('bot', async (settings) => {
        const { startBot } = await import('../../bot/main.ts');
        return startBot(settings, createLogger(settings.logLevel, 'bot'));
      });
    });

  program
    .command('work')
    .description('drain the queues of some stages')
    .addOption(new Option('--stages <names>', 'stages, parted by commas').argParser(stageList).makeOptionMandatory())
    .addOption(
      new Option('--shards <numbers>', 'dense shards to hold, parted by commas; default: all of the current generation')
        .argParser(shardList)
        .default(null),
    )
    .action(async (options: { stages: Stage[]; shards: number[] | null }) => {
      await serve(`workers-${options.stages[0]}`, async (settings) => {
        const { startWorkers } = await import('../../workers/main.ts');
        return startWorkers(settings, options, createLogger(settings.logLevel, 'workers'));
      });
    });

  program
    .command('review')
    .description('serve the review page and its API, and take findings in')
    .action(async () => {
      await serve('review', async (settings) => {
        const { startReview } = await import('../../workers/review/main.ts');
        return startReview(settings, createLogger(settings.logLevel, 'review'));
      });
    });
}

function port(text: string): number {
  const first = Number(text);
  if (Number.isInteger(first) && first > 0 && first < 65_000) return first;
  throw new RequestError('no_port', `--port: ${text} is no port; give a number from 1 to 64999`);
}

function stageList(text: string): Stage[] {
  return text.split(',').map((name) => {
    const stage = STAGE_NAMES.find((known) => known === name);
    if (stage === undefined)
      throw new RequestError('unknown_stage', `${name} is no stage; stages are ${STAGE_NAMES.join(', ')}`);
    return stage;
  });
}

function shardList(text: string): number[] {
  return text.split(',').map((number) => {
    if (/^\d{1,6}$/.test(number)) return Number(number);
    throw new RequestError('no_shard', `--shards: ${number} is no number of a shard`);
  });
}
