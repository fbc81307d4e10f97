/**
 * How long a search for evidence takes on a corpus of many passages, and how much of that is the cross-encoder. Texts are made up,
 * with words as frequent as in prose (Zipf), and so are vectors, by which the time of an exact search does not change.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../shared/logger.ts';
import { find } from '../../../workers/find/find.ts';
import { openRetrievers } from '../../../workers/find/retrievers.ts';
import {
  createManifest,
  type OpenGeneration,
  openGeneration,
} from '../../../workers/retrieval/corpus/open-generation.ts';
import { openEmbeddedEngine } from '../../../workers/retrieval/corpus/sparse-engine.ts';
import type { PassageEncoder } from '../../../workers/retrieval/dense/encode.ts';
import { noExpansion } from '../../../workers/retrieval/expansion/expander.ts';
import { createRanker, type PassageRanker } from '../../../workers/suggestion/rank.ts';
import { splitPassages } from '../../../workers/verification/passages.ts';
import { loadModels } from '../../../workers/verification/verifier.ts';
import { time } from '../numbers.ts';
import { createProse, type Prose } from './prose.ts';
import { makeVectors } from './vectors.ts';

export interface FindBenchOptions {
  modelsDir: string;
  /** Of the dense arm. */
  encoder: PassageEncoder;
  passages: number;
  searches: number;
}

export interface FindFigures {
  find_passages: number;
  find_p50_ms: number;
  find_p95_ms: number;
  /** Median of whole time ÷ time within the cross-encoder. */
  find_to_model: number;
}

/** In a folder of its own, which is removed. Searches for sentences of the corpus and sentences beside it in turn. */
export async function timeFind({ modelsDir, encoder, passages, searches }: FindBenchOptions): Promise<FindFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sidelight-bench-'));
  const engine = openEmbeddedEngine(dataDir);
  const manifest = createManifest('bench', 'ready', { engine, encoder });
  const generation = openGeneration({ manifest, dataDir, engine, log: createLogger('error', 'bench'), create: {} });
  const prose = createProse(1);
  try {
    await fill(generation, prose, encoder.dimensions, passages);
    const { crossEncoder } = await loadModels(modelsDir);
    return {
      find_passages: passages,
      ...(await timeSearches(generation, encoder, createRanker(crossEncoder), prose, searches)),
    };
  } finally {
    await generation.close();
    await rm(dataDir, { recursive: true });
  }
}

/** Pages of about eight passages. */
async function fill(generation: OpenGeneration, prose: Prose, dimensions: number, passages: number): Promise<void> {
  const sparse = await generation.sparse();
  const dense = generation.dense(0);
  const vectors = makeVectors(dimensions);
  for (let done = 0, page = 0; done < passages; page += 1) {
    const record = { url: `https://bench.example/${page}`, title: prose.words(4), text: prose.page(800) };
    const known = { ...record, language: 'en', crawledAt: null, publishedAt: null, sourceKey: null };
    const ids = generation.corpus.put(known, splitPassages(record));
    await sparse.add(generation.corpus.passages(ids));
    dense.add(ids, vectors.passages(ids.length));
    done += ids.length;
  }
}

async function timeSearches(
  generation: OpenGeneration,
  encoder: PassageEncoder,
  ranker: PassageRanker,
  prose: Prose,
  searches: number,
): Promise<Omit<FindFigures, 'find_passages'>> {
  let inModel = 0;
  const timed: PassageRanker = {
    async rank(claim, passages) {
      const start = performance.now();
      const opinions = await ranker.rank(claim, passages);
      inModel = performance.now() - start;
      return opinions;
    },
  };
  const retrievers = openRetrievers(generation, { encoder, expander: noExpansion });
  const exclusions = { reliability: { standings: () => [] }, allowUserGenerated: false };
  const where = { generation: 'bench', wiki: 'wiki.example', exclusions };
  const parts = { retrievers, corpus: generation.corpus, ranker: timed, ...where };
  const rows: { ms: number; ratio: number }[] = [];
  for (let at = -2; at < searches; at += 1) {
    const claim = { text: prose.sentence(18), title: '', section: [], context: '' };
    const ms = await time(() => find(claim, parts, NEVER));
    if (at >= 0) rows.push({ ms, ratio: ms / inModel }); // the first ones open files
  }
  const quantile = (values: number[], share: number) =>
    values.sort((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
  return {
    find_p50_ms: quantile(
      rows.map(({ ms }) => ms),
      0.5,
    ),
    find_p95_ms: quantile(
      rows.map(({ ms }) => ms),
      0.95,
    ),
    find_to_model: quantile(
      rows.map(({ ratio }) => ratio),
      0.5,
    ),
  };
}

const NEVER = new AbortController().signal;
