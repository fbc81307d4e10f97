/** Texts → embeddings, by the bi-encoder in the folder `bi-encoder` (8-bit ONNX; pooling and normalisation are inside the graph). Ranks nothing. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession } from 'onnxruntime-node';
import { z } from 'zod';
import { ModelFailure, RefuseToStart } from '../../../shared/errors.ts';
import { openModel } from '../../models/manifest.ts';
import { tokenize } from '../../verification/encoder.ts';
import { openSession } from '../../verification/onnx.ts';
import { type Batch, makeBatches } from '../../verification/token-batches.ts';
import type { PassageEncoder } from './encode.ts';

const Manifest = z.object({
  name: z.string(),
  version: z.string().min(1),
  dimensions: z.int().positive(),
  maxTokens: z.int().min(16),
});
type Manifest = z.infer<typeof Manifest>;

/** Of one run. Workers scale by processes: more threads gain less. */
const THREADS = Math.min(2, availableParallelism());
/** Tokens of a batch, padding counted; more are not faster (MODEL_CARD.md, "Bi-encoder"). */
const BATCH_TOKENS = 512;

/**
 * From `<modelsDir>/bi-encoder`. Throws RefuseToStart where files are missing, damaged, or no bi-encoder.
 * `encode` gives n × dimensions, row by row, L2-normalised; tokens beyond the first `maxTokens` (256) of a text are not read.
 * The ranges of its 8-bit products are fixed, so that a text's embedding is the same beside any others but for the last
 * digits of float sums (cosine above .99999). `encode` throws ModelFailure.
 */
export async function loadBiEncoder(modelsDir: string, options: { threads?: number } = {}): Promise<PassageEncoder> {
  const folder = join(modelsDir, 'bi-encoder');
  const { manifest, read } = await openModel(folder, Manifest);
  const tokenizer = new Tokenizer(JSON.parse((await read('tokenizer.json')).toString('utf8')), {});
  const session = await openGraph(folder, await read('model.int8.onnx'), options.threads ?? THREADS);
  return {
    version: manifest.version,
    dimensions: manifest.dimensions,
    encode: (texts) => encode(session, tokenizer, manifest, texts),
  };
}

/** onnxruntime-node runs on the calling thread: the event loop turns between batches. */
async function encode(
  session: InferenceSession,
  tokenizer: Tokenizer,
  manifest: Manifest,
  texts: readonly string[],
): Promise<Float32Array> {
  const { dimensions } = manifest;
  const embeddings = new Float32Array(texts.length * dimensions);
  const sequences = texts.map((text) => ({ ids: tokenize(tokenizer, text, manifest), types: [] }));
  for (const batch of makeBatches(sequences, BATCH_TOKENS)) {
    const rows = await run(session, batch, dimensions);
    for (const [row, place] of batch.places.entries()) {
      embeddings.set(rows.subarray(row * dimensions, (row + 1) * dimensions), place * dimensions);
    }
  }
  return embeddings;
}

async function run(session: InferenceSession, { places, inputs }: Batch, dimensions: number): Promise<Float32Array> {
  const { input_ids, attention_mask } = inputs;
  const { embeddings } = await session.run({ input_ids, attention_mask }).catch((cause: unknown) => {
    throw new ModelFailure('run_failed', { cause });
  });
  const shaped = embeddings?.dims.join() === `${places.length},${dimensions}`;
  if (!shaped || !(embeddings.data instanceof Float32Array)) throw new ModelFailure('wrong_shape');
  if (!embeddings.data.every(Number.isFinite)) throw new ModelFailure('not_finite');
  return embeddings.data;
}

async function openGraph(folder: string, model: Buffer, threads: number): Promise<InferenceSession> {
  const session = await openSession(model, threads).catch((cause: unknown) => {
    throw new RefuseToStart(`${folder}/model.int8.onnx can't be used: export it anew.`, { cause });
  });
  const { inputNames, outputNames } = session;
  if (inputNames.toSorted().join() === 'attention_mask,input_ids' && outputNames.join() === 'embeddings')
    return session;
  throw new RefuseToStart(
    `${folder}/model.int8.onnx takes ${inputNames.join(', ')} and gives ${outputNames.join(', ')}: ` +
      'it must take input_ids, attention_mask and give embeddings.',
  );
}
