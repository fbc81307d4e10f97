/**
 * The same pairs through transformers.js, which tokenises them itself. A process of its own, with what is installed apart from the
 * project's packages. In, a line of JSON each: first the settings with all pairs, then the set to run. Out: milliseconds.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { repositoryRoot } from '../../../shared/root.ts';
import { TRANSFORMERS_FOLDER } from '../machine.ts';

const Pair = z.object({ claim: z.string(), text: z.string() });
const Settings = z.object({
  folder: z.string(),
  threads: z.int().positive(),
  sets: z.array(z.object({ name: z.string(), pairs: z.array(Pair), rows: z.int().positive() })),
});
type Settings = z.infer<typeof Settings>;
const Asked = z.object({ set: z.string() });

/** What is used of it; its types come with a package that need not be there. */
interface Transformers {
  env: { allowRemoteModels: boolean; localModelPath: string };
  AutoTokenizer: { from_pretrained(id: string): Promise<Tokenize> };
  AutoModelForSequenceClassification: { from_pretrained(id: string, options: object): Promise<Run> };
}
type Tokenize = (texts: string[], options: { text_pair: string[]; padding: true; truncation: true }) => object;
type Run = (inputs: object) => Promise<unknown>;

export async function answerWithTransformers(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const settings = Settings.parse(JSON.parse((await lines.next()).value ?? ''));
  const dir = await mkdtemp(join(tmpdir(), 'sidelight-bench-'));
  try {
    const run = await open(settings, dir);
    tell({ ready: true });
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
      const { set } = Asked.parse(JSON.parse(next.value));
      tell({ ms: await run(set) });
    }
  } finally {
    await rm(dir, { recursive: true });
  }
}

async function open({ folder, threads, sets }: Settings, dir: string): Promise<(set: string) => Promise<number>> {
  const path = join(repositoryRoot(), TRANSFORMERS_FOLDER, '@huggingface/transformers/dist/transformers.node.mjs');
  const { env, AutoTokenizer, AutoModelForSequenceClassification: Models }: Transformers = await import(path);
  env.allowRemoteModels = false;
  env.localModelPath = dir;
  await layOut(resolve(folder), join(dir, 'model'));
  const tokenize = await AutoTokenizer.from_pretrained('model');
  const session_options = { intraOpNumThreads: threads };
  const model = await Models.from_pretrained('model', { dtype: 'q8', device: 'cpu', session_options });
  return async (name) => {
    const { pairs, rows } = sets.find((set) => set.name === name) ?? { pairs: [], rows: 1 };
    const start = performance.now();
    for (let at = 0; at < pairs.length; at += rows) {
      const batch = pairs.slice(at, at + rows);
      const text_pair = batch.map(({ text }) => text);
      await model(
        tokenize(
          batch.map(({ claim }) => claim),
          { text_pair, padding: true, truncation: true },
        ),
      );
    }
    return performance.now() - start;
  };
}

/** The same files under the names that it looks for. */
async function layOut(folder: string, into: string): Promise<void> {
  await mkdir(join(into, 'onnx'), { recursive: true });
  await symlink(join(folder, 'model.int8.onnx'), join(into, 'onnx', 'model_quantized.onnx'));
  await symlink(join(folder, 'tokenizer.json'), join(into, 'tokenizer.json'));
  const config = { model_type: 'bert', architectures: ['BertForSequenceClassification'], num_labels: 3 };
  await writeFile(join(into, 'config.json'), JSON.stringify(config));
  const tokenizer = { tokenizer_class: 'BertTokenizer', model_max_length: 512, pad_token: '[PAD]' };
  await writeFile(join(into, 'tokenizer_config.json'), JSON.stringify(tokenizer));
}

function tell(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
