/**
 * Pairs of a claim and a text → how far the text supports the claim, by an ONNX model in the folder `cross-encoder`.
 * Any folder with such a manifest serves, so also a bigger model: `model.int8.onnx` (BERT's inputs → `logits`, n × 3; the
 * numbers may be of any width), `tokenizer.json`, and `manifest.json`, where `probe` holds what one pair must give.
 * Chooses no texts and calibrates nothing.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { z } from 'zod';
import { ModelFailure, RefuseToStart } from '../../shared/errors.ts';
import { openModel } from '../models/manifest.ts';
import { openSession } from './onnx.ts';
import { type Pair, readTokenizer, type TokenizePair } from './pair-tokens.ts';
import { type Batch, INPUTS, makeBatches } from './token-batches.ts';

export interface CrossEncoder {
  /** Stored with every score. */
  version: string;
  /**
   * n × 3 logits, in the order of the pairs: supported, at least partly supported, contradicted. The same pairs always give
   * the same logits. Throws ModelFailure.
   */
  score(pairs: readonly Pair[]): Promise<Float32Array>;
}

/** Of one run. Workers scale by processes: more threads gain less. */
export const THREADS = Math.min(2, availableParallelism());
/** Tokens of a batch, padding counted; more are not faster (MODEL_CARD.md, "Speed"). */
export const BATCH_TOKENS = 1024;

const OUTPUTS = ['supported', 'partly', 'contradicted'] as const;

const Manifest = z.object({
  name: z.string(),
  version: z.string().min(1),
  maxTokens: z.int().min(16),
  outputs: z.tuple([z.literal(OUTPUTS[0]), z.literal(OUTPUTS[1]), z.literal(OUTPUTS[2])]),
  probe: z.object({
    claim: z.string(),
    text: z.string(),
    ids: z.array(z.int().nonnegative()).min(3),
    logits: z.array(z.number()).length(OUTPUTS.length),
  }),
});
type Manifest = z.infer<typeof Manifest>;

/** From `<modelsDir>/cross-encoder`. Throws RefuseToStart where files are missing, damaged, or don't belong together. */
export async function loadCrossEncoder(modelsDir: string, options: { threads?: number } = {}): Promise<CrossEncoder> {
  const folder = join(modelsDir, 'cross-encoder');
  const { manifest, read } = await openModel(folder, Manifest);
  const tokenizer = await read('tokenizer.json');
  const model = await read('model.int8.onnx');
  const tokenize = refuseUnreadable(`${folder}/tokenizer.json`, () =>
    readTokenizer(JSON.parse(tokenizer.toString('utf8')), manifest.maxTokens),
  );
  const session = await openSession(model, options.threads ?? THREADS).catch((error: unknown) =>
    refuse(`${folder}/model.int8.onnx`, error),
  );
  checkInputs(folder, session);
  const encoder = { version: manifest.version, score: (pairs: readonly Pair[]) => score(session, tokenize, pairs) };
  await checkProbe(folder, manifest, tokenize, encoder);
  return encoder;
}

/**
 * onnxruntime-node runs on the calling thread: the event loop turns between batches, and tokenising ahead would gain nothing.
 */
async function score(session: InferenceSession, tokenize: TokenizePair, pairs: readonly Pair[]): Promise<Float32Array> {
  const logits = new Float32Array(pairs.length * OUTPUTS.length);
  for (const batch of makeBatches(pairs.map(tokenize), BATCH_TOKENS)) {
    const rows = await run(session, batch);
    for (const [row, place] of batch.places.entries()) {
      logits.set(rows.subarray(row * OUTPUTS.length, (row + 1) * OUTPUTS.length), place * OUTPUTS.length);
    }
  }
  return logits;
}

async function run(session: InferenceSession, { places, inputs }: Batch): Promise<Float32Array> {
  const feeds = Object.fromEntries(Object.entries(inputs).filter(([name]) => session.inputNames.includes(name)));
  const { logits } = await session.run(feeds, ['logits']).catch((cause: unknown) => {
    throw new ModelFailure('run_failed', { cause });
  });
  const shaped = logits?.dims.length === 2 && logits.dims[0] === places.length && logits.dims[1] === OUTPUTS.length;
  if (!shaped || !(logits.data instanceof Float32Array)) throw new ModelFailure('wrong_shape');
  if (!logits.data.every(Number.isFinite)) throw new ModelFailure('not_finite');
  return logits.data;
}

/** A model without token types (RoBERTa and its like) is fed none. */
function checkInputs(folder: string, session: InferenceSession): void {
  const known: readonly string[] = INPUTS;
  const missing = ['input_ids', 'attention_mask'].filter((name) => !session.inputNames.includes(name));
  const others = session.inputMetadata.filter(
    (input) => !known.includes(input.name) || !input.isTensor || input.type !== 'int64' || input.shape.length !== 2,
  );
  if (missing.length === 0 && others.length === 0 && session.outputNames.includes('logits')) return;
  throw new RefuseToStart(
    `${folder}/model.int8.onnx takes ${session.inputNames.join(', ')} and gives ${session.outputNames.join(', ')}: ` +
      `it must take ${INPUTS.join(', ')} (int64, batch × tokens) and give logits.`,
  );
}

/** What the files' sums can't tell: that tokenizer and model were made for each other, and run here as where they were made. */
async function checkProbe(
  folder: string,
  manifest: Manifest,
  tokenize: TokenizePair,
  encoder: CrossEncoder,
): Promise<void> {
  const { claim, text, ids, logits } = manifest.probe;
  const found = tokenize({ claim, text }).ids;
  if (found.join() !== ids.join()) {
    throw new RefuseToStart(
      `${folder}/tokenizer.json is not the model's: the probe of manifest.json has other tokens.`,
    );
  }
  const scored = await encoder
    .score([{ claim, text }])
    .catch((error: unknown) => refuse(`${folder}/model.int8.onnx`, error));
  if (logits.every((logit, at) => Math.abs(logit - (scored[at] ?? Number.NaN)) <= PROBE_TOLERANCE)) return;
  throw new RefuseToStart(
    `${folder}/model.int8.onnx gives ${scored.join(', ')} for the probe of manifest.json, not ${logits.join(', ')}: export it anew.`,
  );
}

function refuseUnreadable<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    return refuse(path, error);
  }
}

/** Always throws. */
function refuse(path: string, error: unknown): never {
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  throw new RefuseToStart(`${path} can't be used (${reason}): export it anew.`, { cause: error });
}

/** Between processors, whose float operations round differently, 8-bit values near a boundary fall to either side. */
const PROBE_TOLERANCE = 0.5;
