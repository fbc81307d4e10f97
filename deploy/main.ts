/**
 * The `sidelight` command: parses the command line and the environment, runs one command, exits. What each command does
 * stands in commands/, one file a command.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { ConfigError, parseConfig } from '../shared/config.ts';
import { RefuseToStart, RequestError, TransientError } from '../shared/errors.ts';
import { createLogger } from '../shared/logger.ts';
import type { Stage } from '../shared/pipeline.ts';
import { STAGE_NAMES } from '../shared/pipeline.ts';
import { FORMAT_NAMES } from '../workers/evaluation/convert/names.ts';
import { ARMS, type Arm } from '../workers/evaluation/retrieval/names.ts';
import type { ShardType } from '../workers/retrieval/dense/shard-types.ts';
import { EXPANSIONS } from '../workers/retrieval/expansion/expander.ts';
import type { CheckOptions } from './commands/check.ts';
import type { ConvertOptions } from './commands/convert.ts';
import type { AddOptions, BuildOptions } from './commands/corpus.ts';
import type { EvaluateOptions } from './commands/evaluate.ts';
import type { EvaluateDistractorsOptions } from './commands/evaluate-distractors.ts';
import type { EvaluateFeverOptions } from './commands/evaluate-fever.ts';
import type { EvaluateRetrievalOptions } from './commands/evaluate-retrieval.ts';
import type { FindOptions } from './commands/find.ts';
import { FIRST_PORT } from './local/settings.ts';

/** Less than who starts a part gives it. */
const STOP_DEADLINE_MS = 2500;
const INPUTS = 'JSONL, WARC or WET files, folders of pages, or `fetched`: what this installation has read';
const SHARD_TYPES: ShardType[] = ['flat', 'hnsw-sq8', 'ivf-pq'];
/** Errors whose message says to a person what to do. */
const EXPECTED = [ConfigError, RefuseToStart, RequestError, TransientError] as const;

const program = new Command('sidelight')
  .description('Finds citations that do not support their sentence, and better sources for them.')
  .showHelpAfterError();

program
  .command('start')
  .description('run everything on this machine: sample wiki (or WIKI=…), bot, workers, review page')
  .option('--once', 'stop everything after the first pass')
  .addOption(
    new Option('--port <first>', 'first of the ports on loopback that it takes').argParser(port).default(FIRST_PORT),
  )
  .action(async (options: { once?: boolean; port: number }) => {
    const { start } = await import('./commands/start.ts');
    await start({ environment: process.env, once: options.once === true, port: options.port, signal: stopSignal() });
  });

program
  .command('listen')
  .description('follow the recent changes of the wiki and read the claims of edited articles')
  .action(async () => {
    const { startBot } = await import('../bot/main.ts');
    await serve((settings) => startBot(settings, createLogger(settings.logLevel, 'bot')));
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
    const { startWorkers } = await import('../workers/main.ts');
    await serve((settings) => startWorkers(settings, options, createLogger(settings.logLevel, 'workers')));
  });

program
  .command('review')
  .description('serve the review page and its API, and take findings in')
  .action(async () => {
    const { startReview } = await import('../workers/review/main.ts');
    await serve((settings) => startReview(settings, createLogger(settings.logLevel, 'review')));
  });

program
  .command('check')
  .description('check every citation of an article or of a wikitext file, without queues')
  .argument('[title]', 'title of an article')
  .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
  .option('--wikitext <file>', 'a file of wikitext instead of an article; the wiki parses it')
  .option('--extract-only', 'only list claims and citations', false)
  .option('--json', 'print one JSON object', false)
  .action(async (title = '', { wiki, ...options }: CheckOptions & { wiki?: string }) => {
    const { check } = await import('./commands/check.ts');
    await check(config(wiki === undefined ? {} : { WIKI: wiki }), { ...options, title }, stopSignal());
  });

program
  .command('verify')
  .description('check one claim against one source')
  .requiredOption('--claim <text>', 'the sentence')
  .requiredOption('--source <url or file>', 'the page that should support it')
  .option('--json', 'print one JSON object')
  .action(async (options: { claim: string; source: string; json?: boolean }) => {
    const { verify } = await import('./commands/verify.ts');
    await verify(config(), { ...options, json: options.json === true }, stopSignal());
  });

program
  .command('find')
  .description('find pages of the corpus that support a claim, and pages that say otherwise')
  .requiredOption('--claim <text>', 'the sentence')
  .option('--title <title>', 'title of the article that it stands in')
  .option('--generation <name>', 'generation of the corpus; default: the one that searches ask now')
  .option('--json', 'print one JSON object', false)
  .action(async (options: FindOptions) => {
    const { findEvidence } = await import('./commands/find.ts');
    await findEvidence(config(), options, stopSignal());
  });

const evaluateCommand = program.command('evaluate').description('measure an engine on labelled data');

evaluateCommand
  .command('verification')
  .description('how well the engine ranks, decides and is calibrated')
  .requiredOption('--pairs <files...>', 'claim–citation pairs with labels, one JSON object a line')
  .option('--out <file>', 'what was said of each pair, one JSON object a line')
  .option('--report <folder>', 'a report with pictures: precision and recall, calibration, kinds, the worst rows')
  .option('--json', 'print one JSON object', false)
  .action(async (options: EvaluateOptions) => {
    const { evaluate } = await import('./commands/evaluate.ts');
    await evaluate(config(), options);
  });

for (const format of ['fever', 'feverous'] as const) {
  evaluateCommand
    .command(format)
    .description(`score ${format.toUpperCase()} predictions, or make them with the shipped engine`)
    .option('--gold <file>', 'gold labels and evidence, as published')
    .option('--predictions <file>', 'predicted labels and evidence, as submitted to the shared task')
    .option('--claims <file>', 'claims with candidate pages, to predict instead')
    .option('--pages <files...>', 'the Wikipedia pages, as published')
    .option('--out <file>', 'where to write the predictions')
    .option('--json', 'print one JSON object', false)
    .action(async (options: EvaluateFeverOptions) => {
      const { evaluateFever } = await import('./commands/evaluate-fever.ts');
      await evaluateFever(config(), format, options);
    });
}

evaluateCommand
  .command('agreement')
  .description('how far people agree who judged cited and suggested sources')
  .requiredOption('--judgements <file>', 'judgements as the review service exports them, one JSON object a line')
  .option('--json', 'print one JSON object', false)
  .action(async (options: { judgements: string; json: boolean }) => {
    const { evaluateAgreement } = await import('./commands/evaluate-agreement.ts');
    await evaluateAgreement(options);
  });

evaluateCommand
  .command('retrieval')
  .description('how well each arm, both merged, and the verifier find the right page, and how fast')
  .requiredOption('--corpus <files...>', 'documents (id, url, title, text), one JSON object a line; .gz or not')
  .requiredOption('--queries <file>', 'WAFER or KILT records with the right pages')
  .addOption(new Option('--arms <names>', 'arms, parted by commas').argParser(armList).default([...ARMS]))
  .addOption(new Option('--expansion <name>', 'of the sparse query').choices(EXPANSIONS).default('none'))
  .addOption(new Option('--sparse <engine>', 'of the sparse arm').choices(['fts5', 'elasticsearch']).default('fts5'))
  .option('--work <folder>', 'where corpora are built and found again', join(tmpdir(), 'sidelight-retrieval'))
  .option('--out <file>', 'what was found for each query, one JSON object a line')
  .option('--json', 'print one JSON object', false)
  .action(async ({ expansion, ...options }: EvaluateRetrievalOptions & { expansion: string }) => {
    const { evaluateRetrievalFiles } = await import('./commands/evaluate-retrieval.ts');
    await evaluateRetrievalFiles(config({ QUERY_EXPANSION: expansion }), options);
  });

evaluateCommand
  .command('distractors')
  .description('make pages on the same topics with other facts, to measure retrieval among them')
  .requiredOption('--corpus <files...>', 'documents (id, url, title, text), one JSON object a line; .gz or not')
  .addOption(new Option('--passages <n>', 'about how many').argParser(count).default(100_000))
  .addOption(new Option('--seed <n>', 'the same seed gives the same distractors').argParser(count).default(1))
  .requiredOption('--out <file>', 'where to write them; .gz is compressed')
  .option('--json', 'print one JSON object', false)
  .action(async (options: EvaluateDistractorsOptions) => {
    const { evaluateDistractors } = await import('./commands/evaluate-distractors.ts');
    await evaluateDistractors(options);
  });

program
  .command('convert')
  .description('turn a published data set into labelled pairs, on stdout')
  .addOption(new Option('--from <format>', 'the format').choices(FORMAT_NAMES).makeOptionMandatory())
  .option('--pages <files...>', 'the pages, where the format has them in files of their own')
  .argument('<files...>', 'files of that format')
  .action(async (files: string[], options: Omit<ConvertOptions, 'files'>) => {
    const { convert } = await import('./commands/convert.ts');
    await convert({ ...options, files });
  });

const corpusCommand = program
  .command('corpus')
  .description('build, add to, look at and switch generations of the corpus');

corpusCommand
  .command('build')
  .description('build a generation; killed and started again, it goes on where it was')
  .argument('<name>', 'of the generation: lower-case letters, digits and hyphens')
  .option('--input <what...>', INPUTS, ['fetched'])
  .addOption(new Option('--shards <n>', 'dense shards to part the passages into').argParser(positive('--shards')))
  .addOption(
    new Option('--shard-passages <n>', 'passages of a dense shard, default 1,000,000')
      .argParser(positive('--shard-passages'))
      .conflicts('shards'),
  )
  .addOption(new Option('--type <type>', 'of the dense shards; default: by their size').choices(SHARD_TYPES))
  .option('--json', 'print one JSON object', false)
  .action(async (name: string, options: BuildOptions) => {
    const { buildCorpus } = await import('./commands/corpus.ts');
    await buildCorpus(config(), name, options, stopSignal());
  });

corpusCommand
  .command('add')
  .description('add to a generation that is built, while it is searched')
  .argument('[name]', 'of the generation; default: the one that is searched')
  .option('--input <what...>', INPUTS, ['fetched'])
  .addOption(new Option('--type <type>', 'of new dense shards; default: by their size').choices(SHARD_TYPES))
  .option('--json', 'print one JSON object', false)
  .action(async (name: string | undefined, options: AddOptions) => {
    const { addToCorpus } = await import('./commands/corpus.ts');
    await addToCorpus(config(), name, options, stopSignal());
  });

corpusCommand
  .command('stats')
  .description('what is in the generations')
  .argument('[name]', 'of a generation; default: all')
  .option('--json', 'print one JSON object', false)
  .action(async (name: string | undefined, options: { json: boolean }) => {
    const { showCorpus } = await import('./commands/corpus.ts');
    await showCorpus(config(), name, options);
  });

corpusCommand
  .command('verify')
  .description('check files against the manifest, and both arms against the corpus')
  .argument('[name]', 'of a generation; default: the one that is searched')
  .option('--json', 'print one JSON object', false)
  .action(async (name: string | undefined, options: { json: boolean }) => {
    const { verifyCorpus } = await import('./commands/corpus.ts');
    await verifyCorpus(config(), name, options, stopSignal());
  });

corpusCommand
  .command('switch')
  .description('search another generation from now on, under running workers')
  .argument('<name>', 'of the generation')
  .action(async (name: string) => {
    const { switchCorpus } = await import('./commands/corpus.ts');
    await switchCorpus(config(), name);
  });

corpusCommand
  .command('drop')
  .description('delete a generation that is not searched')
  .argument('<name>', 'of the generation')
  .action(async (name: string) => {
    const { dropCorpus } = await import('./commands/corpus.ts');
    await dropCorpus(config(), name);
  });

const reliabilityCommand = program.command('reliability').description("what a wiki's own lists say of sites");

reliabilityCommand
  .command('import')
  .description('read the perennial sources, blacklists and mirrors of the wiki now; the bot does so every day')
  .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
  .option('--json', 'print one JSON object', false)
  .action(async ({ wiki, ...options }: { wiki?: string; json: boolean }) => {
    const { importReliability } = await import('./commands/reliability.ts');
    await importReliability(config(wiki === undefined ? {} : { WIKI: wiki }), options, stopSignal());
  });

reliabilityCommand
  .command('show')
  .description('what was read of a site, and whether its pages may be suggested')
  .argument('<url>', 'address of a page')
  .option('--wiki <url>', 'the wiki, e.g. https://en.wikipedia.org')
  .option('--json', 'print one JSON object', false)
  .action(async (url: string, { wiki, ...options }: { wiki?: string; json: boolean }) => {
    const { showReliability } = await import('./commands/reliability.ts');
    showReliability(config(wiki === undefined ? {} : { WIKI: wiki }), url, options);
  });

await program.parseAsync().catch(fail);

/** Runs a part until it is asked to stop, then stops it within the deadline. */
async function serve(
  begin: (settings: ReturnType<typeof config>) => Promise<{ stop(deadlineMs: number): Promise<void> }>,
) {
  const signal = stopSignal();
  const running = await begin(config());
  process.send?.('ready');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  setTimeout(() => process.exit(1), 2 * STOP_DEADLINE_MS).unref(); // a Redis that is gone would be waited for
  await running.stop(STOP_DEADLINE_MS);
  process.exit(0);
}

function config(overrides: Record<string, string> = {}) {
  return parseConfig({ ...process.env, ...overrides });
}

/** Aborted by Ctrl-C, SIGTERM, or the death of the process that started this one. */
function stopSignal(): AbortSignal {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(name, () => abort.abort());
  return abort.signal;
}

function port(text: string): number {
  const first = Number(text);
  if (Number.isInteger(first) && first > 0 && first < 65_000) return first;
  throw new RequestError('no_port', `--port: ${text} is no port; give a number from 1 to 64999`);
}

function count(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new RequestError('no_count', `${text} is no number above 0`);
}

function positive(name: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw new RequestError('no_number', `${name}: ${text} is no whole number above 0`);
  };
}

function armList(text: string): Arm[] {
  return text.split(',').map((name) => {
    const arm = ARMS.find((known) => known === name);
    if (arm === undefined) throw new RequestError('unknown_arm', `${name} is no arm; arms are ${ARMS.join(', ')}`);
    return arm;
  });
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

/** What a person can mend or wait for is one line; anything else is a bug and shows where. */
function fail(error: unknown): never {
  if (error instanceof Error && error.name === 'AbortError') process.exit(130); // who pressed Ctrl-C knows
  const isExpected = EXPECTED.some((expected) => error instanceof expected);
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  process.stderr.write(`sidelight: ${text}\n`);
  process.exit(1);
}
