/** The benchmark of retrieval: the parts that were asked for one after the other, printed as text or as one JSON object. */
import { cpus } from 'node:os';
import { loadBiEncoder } from '../../../workers/retrieval/dense/bi-encoder.ts';
import { compareWithElasticsearch } from './elasticsearch.ts';
import { benchEncode } from './encode.ts';
import { benchFaiss } from './faiss.ts';
import { timeFind } from './find.ts';
import type { BenchPart } from './names.ts';
import { measureShards, SHARD_TYPES } from './shards.ts';
import { measureSparse } from './sparse.ts';

export interface RetrievalBenchOptions {
  json: boolean;
  parts: readonly BenchPart[];
  rounds: number;
  /** Passages of the indexes that are grown. Vectors and prose are synthetic at every size. */
  sizes: readonly number[];
  modelsDir: string;
  python: string;
}

/** Throws RefuseToStart where a model or a Python package is missing. */
export async function benchRetrieval({ json, parts, ...options }: RetrievalBenchOptions): Promise<void> {
  const measured: Record<string, unknown> = {};
  for (const part of parts) {
    measured[part] = await MEASURE[part](options);
    process.stderr.write(`${part} measured\n`);
  }
  measured.processor = `${cpus().length} × ${cpus()[0]?.model}`;
  process.stdout.write(`${json ? JSON.stringify(measured, shorten) : JSON.stringify(measured, shorten, 2)}\n`);
}

const MEASURE: Record<BenchPart, (options: Omit<RetrievalBenchOptions, 'json' | 'parts'>) => Promise<unknown>> = {
  elasticsearch: () => compareWithElasticsearch(),
  encode: benchEncode,
  faiss: ({ rounds, python }) => benchFaiss({ rounds, python, passages: COMPARED }),
  find: async ({ modelsDir }) =>
    timeFind({ modelsDir, encoder: await loadBiEncoder(modelsDir), passages: COMPARED, searches: 100 }),
  shards: ({ sizes }) => measureShards(sizes, SHARD_TYPES),
  sparse: ({ sizes }) => measureSparse(sizes),
};

/** Four figures are all that repeats. */
function shorten(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

/** Passages beside Python's FAISS, and of the search that a person waits for. */
const COMPARED = 100_000;
