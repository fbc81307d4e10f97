/** FAISS through faiss-node beside FAISS in Python, on one file and the same queries, each query by itself, in turns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import faiss from 'faiss-node';
import { z } from 'zod';
import { createLogger } from '../../../shared/logger.ts';
import { openFaissIndex } from '../../../workers/retrieval/dense/faiss.ts';
import { sealShard } from '../../../workers/retrieval/dense/seal.ts';
import type { ShardType } from '../../../workers/retrieval/dense/shard-types.ts';
import { beside, type Measured } from '../benchmark.ts';
import { median, time } from '../numbers.ts';
import { startPython } from '../peer-process.ts';
import { inTurns, timesAsFast } from '../turns.ts';
import { makeVectors } from './vectors.ts';

const DIMENSIONS = 384;
const QUERIES = 50;
const TOP = 100;
const Answer = z.object({ ms: z.number().positive() });

export interface FaissBenchOptions {
  rounds: number;
  /** Synthetic ones. */
  passages: number;
  types: readonly ShardType[];
  /** With faiss-cpu. */
  python: string;
}

/** By index type; the ratio above 1: faiss-node is the quicker. Throws RefuseToStart where faiss-cpu is missing. */
export async function benchFaiss(options: FaissBenchOptions): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'sidelight-faiss-'));
  try {
    const queries = fill(directory, options.passages);
    writeFileSync(join(directory, 'queries'), Buffer.from(queries.buffer));
    const measured: Measured = { figures: {}, results: [] };
    for (const type of options.types) {
      const { ours, python, ratio } = await compare(directory, type, queries, options);
      measured.figures[type] = ratio;
      const name = `dense search, ${type}, ${options.passages} passages`;
      const compared = { name, unit: 'ms', ours, peer: python, peerName: 'FAISS in Python', better: 'less' } as const;
      measured.results.push({ ...beside(compared), ratio });
    }
    return measured;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const encoder = { version: 'synthetic', dimensions: DIMENSIONS };
const log = createLogger('silent', 'bench');

/** Writes a shard's vectors; gives queries. */
function fill(directory: string, passages: number): Float32Array {
  const maker = makeVectors(DIMENSIONS);
  const index = openFaissIndex({ directory, shard: 0, encoder, sealed: null, log });
  for (let at = 0; at < passages; at += ROWS) {
    const count = Math.min(ROWS, passages - at);
    const ids = Array.from({ length: count }, (_, row) => at + row);
    index.add(ids, maker.passages(count));
  }
  index.close();
  return maker.queries(QUERIES);
}

async function compare(directory: string, type: ShardType, queries: Float32Array, options: FaissBenchOptions) {
  sealShard({ directory, shard: 0, encoder, type, log });
  const path = join(directory, 'dense-0.faiss');
  const peer = startPython(options.python, 'test/bench/retrieval/search_faiss.py');
  await peer.ask({
    ...{ index: path, queries: join(directory, 'queries'), dimensions: DIMENSIONS },
    ...{ k: TOP, threads: availableParallelism() },
  });
  const index = faiss.Index.read(path);
  const times = await inTurns(
    {
      ours: () => time(async () => searchAll(index, queries)),
      python: async () => Answer.parse(await peer.ask({})).ms,
    },
    options.rounds,
  );
  peer.stop();
  const perQuery = (ms: readonly number[]) => median(ms) / QUERIES;
  return { ours: perQuery(times.ours), python: perQuery(times.python), ratio: timesAsFast(times.ours, times.python) };
}

function searchAll(index: faiss.Index, queries: Float32Array): void {
  for (let row = 0; row < QUERIES; row += 1) {
    index.search(Array.from(queries.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)), TOP);
  }
}

const ROWS = 2000;
