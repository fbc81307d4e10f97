/** Texts → embeddings, by all-MiniLM-L6-v2 (8-bit ONNX; pooling and normalisation are inside the graph). Ranks nothing. */
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { z } from 'zod';
import { ModelFailure } from '../../shared/errors.ts';
import { openModel } from '../models/manifest.ts';
import { openSession } from './onnx.ts';

export interface Encoder {
  /** Stored with whatever is computed from its embeddings: an index of another version must be built anew. */
  version: string;
  dimensions: 384;
  /** Float32Array, n × 384, row by row, L2-normalised. Tokens beyond the first 256 of a text are not read. */
  encode(texts: readonly string[]): Promise<Float32Array>;
}

const Manifest = z.object({
  name: z.string(),
  version: z.string().min(1),
  dimensions: z.literal(384),
  maxTokens: z.int().positive(),
});

/** From `<modelsDir>/encoder`. Throws RefuseToStart for a missing or damaged model. */
export async function loadEncoder(modelsDir: string): Promise<Encoder> {
  const { manifest, read } = await openModel(join(modelsDir, 'encoder'), Manifest);
  const tokenizer = new Tokenizer(JSON.parse((await read('tokenizer.json')).toString('utf8')), {});
  const session = await openSession(await read('model.int8.onnx'), THREADS);
  return {
    version: manifest.version,
    dimensions: manifest.dimensions,
    async encode(texts) {
      const rows = new Float32Array(texts.length * manifest.dimensions);
      for (const [row, text] of texts.entries()) {
        rows.set(await embed(session, tokenize(tokenizer, text, manifest)), row * manifest.dimensions);
      }
      return rows;
    },
  };
}

/** Ids with the marks of beginning and end; of a longer text the first `maxTokens`, the last one the mark. */
export function tokenize(tokenizer: Tokenizer, text: string, { maxTokens }: { maxTokens: number }): number[] {
  // no token is longer than 20 characters on average: the rest would be cut off anyway
  const { ids } = tokenizer.encode(text.slice(0, maxTokens * 20));
  const separator = ids.at(-1);
  return ids.length <= maxTokens || separator === undefined ? ids : [...ids.slice(0, maxTokens - 1), separator];
}

/**
 * One text a run: dynamic quantisation takes its ranges from the whole batch, so that in a batch a text's embedding would
 * depend on its neighbours. On a CPU a batch is no faster (MODEL_CARD.md, "Speed").
 */
async function embed(session: InferenceSession, ids: number[]): Promise<Float32Array> {
  const shape = [1, ids.length];
  const { embeddings } = await session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
  });
  if (embeddings?.data instanceof Float32Array && embeddings.data.every(Number.isFinite)) return embeddings.data;
  throw new ModelFailure('not_finite');
}

/** More threads gain little on texts of 130 tokens, and workers scale by processes. */
const THREADS = 2;
