/** The benchmark of retrieval: encoder, dense and sparse search beside others, a search for evidence, and how the indexes grow. */
import { loadBiEncoder } from '../../../workers/retrieval/dense/bi-encoder.ts';
import { type Benchmark, type BenchOptions, beside, line, type Measured, runParts, type Size } from '../benchmark.ts';
import { compareWithElasticsearch } from './elasticsearch.ts';
import { benchEncode } from './encode.ts';
import { benchFaiss } from './faiss.ts';
import { timeFind } from './find.ts';
import { measureShards, SHARD_TYPES } from './shards.ts';
import { measureSparse } from './sparse.ts';

const SCALE: Record<Size, Scale> = {
  tiny: { rounds: 1, encoded: 4, compared: 200, types: ['flat'], searches: 2, indexed: 50, sizes: [100, 200] },
  quick: {
    rounds: 3,
    encoded: 130,
    compared: 20_000,
    types: SHARD_TYPES,
    searches: 20,
    indexed: 10_000,
    sizes: [10_000],
  },
  full: {
    ...{ rounds: 9, encoded: 130, compared: 100_000, types: SHARD_TYPES, searches: 100, indexed: 10_000 },
    sizes: [10_000, 100_000, 1_000_000],
  },
};

interface Scale {
  rounds: number;
  encoded: number;
  /** Passages beside FAISS in Python, and of the search that a person waits for. */
  compared: number;
  types: readonly (typeof SHARD_TYPES)[number][];
  searches: number;
  /** Passages in Elasticsearch. */
  indexed: number;
  /** Passages of the indexes that are grown. Vectors and prose are synthetic at every size. */
  sizes: readonly number[];
}

export const retrieval: Benchmark = {
  name: 'retrieval',
  about: 'encoder, sparse and dense search beside others, a search for evidence, and how the indexes grow',
  parts: ['encode', 'elasticsearch', 'faiss', 'find', 'shards', 'sparse'],
  run(options) {
    const scale = SCALE[options.size];
    const { modelsDir, python, parts } = options;
    const rounds = options.rounds ?? scale.rounds;
    const sizes = options.sizes ?? scale.sizes;
    const measure = {
      encode: () => benchEncode({ modelsDir, python, rounds, passages: scale.encoded }),
      elasticsearch: () => elasticsearch(scale),
      faiss: () => benchFaiss({ rounds, python, passages: scale.compared, types: scale.types }),
      find: () => find(options, scale),
      shards: () => shards(sizes),
      sparse: () => sparse(sizes),
    };
    return runParts('retrieval', measure, parts);
  },
};

async function elasticsearch({ indexed, searches }: Scale): Promise<Measured> {
  const figures = await compareWithElasticsearch({ passages: indexed, searches: searches * 4 });
  const { elasticsearch_search_ms: ours, elasticsearch_bare_search_ms: peer } = figures;
  const name = `sparse search, ${indexed} passages`;
  const peerName = 'a bare _search of the same node';
  return { figures: { ...figures }, results: [beside({ name, unit: 'ms', ours, peer, peerName, better: 'less' })] };
}

async function find({ modelsDir }: BenchOptions, { compared, searches }: Scale): Promise<Measured> {
  const encoder = await loadBiEncoder(modelsDir);
  const figures = await timeFind({ modelsDir, encoder, passages: compared, searches });
  const results = [
    line({ name: 'evidence for a sentence, p50', ours: figures.find_p50_ms, unit: 'ms', note: `${compared} passages` }),
    line({
      name: 'the same, whole ÷ in the model',
      ours: figures.find_to_model,
      unit: '×',
      ratio: figures.find_to_model,
    }),
  ];
  return { figures: { ...figures }, results };
}

async function shards(sizes: readonly number[]): Promise<Measured> {
  const figures = await measureShards(sizes, SHARD_TYPES);
  const results = figures.map(({ type, passages, search_cpu_ms, index_mb, recall_at_100 }) => {
    const note = `${index_mb.toFixed(1)} MB, recall at 100 ${recall_at_100.toFixed(3)}`;
    return line({ name: `shard ${type}, ${passages} passages`, ours: search_cpu_ms, unit: 'ms of a core', note });
  });
  return { figures: { shards: figures }, results };
}

async function sparse(sizes: readonly number[]): Promise<Measured> {
  const figures = await measureSparse(sizes);
  const results = figures.map(({ passages, search_cpu_ms, index_mb, add_cpu_ms_per_1000 }) => {
    const note = `${index_mb.toFixed(1)} MB; adding 1,000: ${add_cpu_ms_per_1000.toFixed(0)} ms`;
    return line({ name: `FTS5 search, ${passages} passages`, ours: search_cpu_ms, unit: 'ms of a core', note });
  });
  return { figures: { sparse: figures }, results };
}
