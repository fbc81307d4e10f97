/** What makes and looks at generations of the corpus, declared for the command line: `corpus …`. */
import { type Command, Option } from 'commander';
import { RequestError } from '../../shared/errors.ts';
import type { ShardType } from '../../workers/retrieval/dense/shard-types.ts';
import type { AddOptions, BuildOptions } from '../commands/corpus.ts';
import { config, stopSignal } from './context.ts';

export function declareCorpus(program: Command): void {
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
      const { buildCorpus } = await import('../commands/corpus.ts');
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
      const { addToCorpus } = await import('../commands/corpus.ts');
      await addToCorpus(config(), name, options, stopSignal());
    });

  corpusCommand
    .command('stats')
    .description('what is in the generations')
    .argument('[name]', 'of a generation; default: all')
    .option('--json', 'print one JSON object', false)
    .action(async (name: string | undefined, options: { json: boolean }) => {
      const { showCorpus } = await import('../commands/corpus.ts');
      await showCorpus(config(), name, options);
    });

  corpusCommand
    .command('verify')
    .description('check files against the manifest, and both arms against the corpus')
    .argument('[name]', 'of a generation; default: the one that is searched')
    .option('--json', 'print one JSON object', false)
    .action(async (name: string | undefined, options: { json: boolean }) => {
      const { verifyCorpus } = await import('../commands/corpus.ts');
      await verifyCorpus(config(), name, options, stopSignal());
    });

  corpusCommand
    .command('switch')
    .description('search another generation from now on, under running workers')
    .argument('<name>', 'of the generation')
    .action(async (name: string) => {
      const { switchCorpus } = await import('../commands/corpus.ts');
      await switchCorpus(config(), name);
    });

  corpusCommand
    .command('drop')
    .description('delete a generation that is not searched')
    .argument('<name>', 'of the generation')
    .action(async (name: string) => {
      const { dropCorpus } = await import('../commands/corpus.ts');
      await dropCorpus(config(), name);
    });
}

function positive(name: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw new RequestError('no_number', `${name}: ${text} is no whole number above 0`);
  };
}

const INPUTS = 'JSONL, WARC or WET files, folders of pages, or `fetched`: what this installation has read';
const SHARD_TYPES: ShardType[] = ['flat', 'hnsw-sq8', 'ivf-pq'];
