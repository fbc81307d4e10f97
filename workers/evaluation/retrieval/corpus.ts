/**
 * Files of documents → a generation of the corpus that can be searched, made by the product's own code in a folder that the next
 * run finds again: its name is the hash of the files and the encoder. Copies stay in it, as the query files name them.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createLogger } from '../../../shared/logger.ts';
import { indexPassages } from '../../retrieval/corpus/index-passages.ts';
import { armsOf, createManifest, type OpenGeneration, openGeneration } from '../../retrieval/corpus/open-generation.ts';
import type { SparseEngine } from '../../retrieval/corpus/sparse-engine.ts';
import type { PassageEncoder } from '../../retrieval/dense/encode.ts';
import { splitPassages } from '../../verification/passages.ts';
import { requireFile } from '../jsonl.ts';
import { readPages } from './pages.ts';
import { rememberVectors } from './vectors.ts';

export interface EvaluationCorpus {
  generation: Pick<OpenGeneration, 'corpus' | 'sparse' | 'dense'>;
  encoder: PassageEncoder;
  close(): Promise<void>;
}

export interface CorpusInputs {
  /** Sphere-style, read one after the other; of pages with one address the last stays. */
  files: readonly string[];
  /** Where corpora are kept. */
  work: string;
  encoder: PassageEncoder;
  /** Where the sparse arm is. The caller closes it. */
  engine: SparseEngine;
  /** Pages indexed so far. */
  onProgress(pages: number): void;
  /** A document that is left out: where it stands and what is wrong with it. */
  onBroken(detail: string): void;
}

/** Builds what is not built yet; killed, it goes on where it was. Throws RequestError for a file that is not there. */
export async function openEvaluationCorpus(inputs: CorpusInputs): Promise<EvaluationCorpus> {
  await mkdir(inputs.work, { recursive: true });
  const encoder = rememberVectors(inputs.encoder, join(inputs.work, 'vectors.sqlite'));
  const { engine } = inputs;
  const name = await nameOf(inputs);
  const known = await engine.generations.get(name);
  const manifest = known ?? createManifest(name, 'building', { engine, encoder });
  if (known === null) await engine.generations.save(manifest);
  const log = createLogger('error', 'evaluation');
  const generation = openGeneration({ manifest, dataDir: inputs.work, engine, log, create: {} });
  if (manifest.state === 'building') {
    await build(generation, encoder, inputs);
    await engine.generations.save({ ...manifest, state: 'ready', ...generation.corpus.size() });
  }
  return {
    ...{ generation, encoder },
    async close() {
      await generation.close();
      encoder.close();
    },
  };
}

/** Page by page; what an earlier run has done is passed over. */
async function build(generation: OpenGeneration, encoder: PassageEncoder, inputs: CorpusInputs): Promise<void> {
  const arms = await armsOf(generation, encoder);
  let pages = 0;
  let ids: number[] = [];
  for await (const page of readPages(inputs.files, inputs.onBroken)) {
    ids.push(...arms.corpus.put({ ...page, sourceKey: null }, splitPassages(page)));
    pages += 1;
    if (ids.length < BATCH) continue;
    await indexPassages(arms, ids, NEVER);
    inputs.onProgress(pages);
    ids = [];
  }
  await indexPassages(arms, ids, NEVER);
}

/** Of the files' content, in their order, and of what makes passages and vectors of it. */
async function nameOf({ files, encoder }: CorpusInputs): Promise<string> {
  const hash = createHash('sha256').update(`${LAYOUT} ${encoder.version}`);
  for (const path of files) {
    await requireFile(path);
    await pipeline(createReadStream(path), hash, { end: false });
  }
  return `evaluation-${hash.digest('hex').slice(0, 16)}`;
}

/** To be raised when passages are split or indexed in another way. */
const LAYOUT = 2;
/** Passages. */
const BATCH = 256;
const NEVER = new AbortController().signal;
