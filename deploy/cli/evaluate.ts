/** What measures an engine, declared for the command line: `evaluate …`, `convert`. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { RequestError } from '../../shared/errors.ts';
import { FORMAT_NAMES } from '../../workers/evaluation/convert/names.ts';
import { ARMS, type Arm } from '../../workers/evaluation/retrieval/names.ts';
import { EXPANSIONS } from '../../workers/retrieval/expansion/expander.ts';
import type { ConvertOptions } from '../commands/convert.ts';
import type { EvaluateOptions } from '../commands/evaluate.ts';
import type { EvaluateDistractorsOptions } from '../commands/evaluate-distractors.ts';
import type { EvaluateExtractionOptions } from '../commands/evaluate-extraction.ts';
import type { EvaluateFeverOptions } from '../commands/evaluate-fever.ts';
import type { EvaluateRetrievalOptions } from '../commands/evaluate-retrieval.ts';
import { config } from './context.ts';

export function declareEvaluate(program: Command): void {
  const evaluateCommand = program.command('evaluate').description('measure an engine on labelled data');

  evaluateCommand
    .command('verification')
    .description('how well the engine ranks, decides and is calibrated')
    .requiredOption('--pairs <files...>', 'claim–citation pairs with labels, one JSON object a line')
    .option('--out <file>', 'what was said of each pair, one JSON object a line')
    .option('--report <folder>', 'a report with pictures: precision and recall, calibration, kinds, the worst rows')
    .option('--json', 'print one JSON object', false)
    .action(async (options: EvaluateOptions) => {
      const { evaluate } = await import('../commands/evaluate.ts');
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
        const { evaluateFever } = await import('../commands/evaluate-fever.ts');
        await evaluateFever(config(), format, options);
      });
  }

  evaluateCommand
    .command('agreement')
    .description('how far people agree who judged cited and suggested sources')
    .option('--judgements <file>', 'judgements, one JSON object a line; default: those of this review service')
    .option('--json', 'print one JSON object', false)
    .action(async (options: { judgements?: string; json: boolean }) => {
      const { evaluateAgreement } = await import('../commands/evaluate-agreement.ts');
      await evaluateAgreement(config(), options);
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
      const { evaluateRetrievalFiles } = await import('../commands/evaluate-retrieval.ts');
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
      const { evaluateDistractors } = await import('../commands/evaluate-distractors.ts');
      await evaluateDistractors(options);
    });

  evaluateCommand
    .command('extraction')
    .description('how well the text of articles is found in their pages')
    .requiredOption('--pages <folder>', 'html/<id>.html.gz, and ground-truth.json: {"<id>": {"articleBody": "…"}}')
    .addOption(new Option('--peer <name>', 'measure another extractor beside it').choices(['readability']))
    .option('--out <file>', 'the texts, in the format of the ground truth')
    .option('--json', 'print one JSON object', false)
    .action(async (options: EvaluateExtractionOptions) => {
      const { evaluateExtraction } = await import('../commands/evaluate-extraction.ts');
      await evaluateExtraction(options);
    });

  program
    .command('convert')
    .description('turn a published data set into labelled pairs, on stdout')
    .addOption(new Option('--from <format>', 'the format').choices(FORMAT_NAMES).makeOptionMandatory())
    .option('--pages <files...>', 'the pages, where the format has them in files of their own')
    .argument('<files...>', 'files of that format')
    .action(async (files: string[], options: Omit<ConvertOptions, 'files'>) => {
      const { convert } = await import('../commands/convert.ts');
      await convert({ ...options, files });
    });
}

function count(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new RequestError('no_count', `${text} is no number above 0`);
}

function armList(text: string): Arm[] {
  return text.split(',').map((name) => {
    const arm = ARMS.find((known) => known === name);
    if (arm === undefined) throw new RequestError('unknown_arm', `${name} is no arm; arms are ${ARMS.join(', ')}`);
    return arm;
  });
}
