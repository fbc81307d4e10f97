/**
 * How a dense shard grows: for each index type at some size, seconds to build it, its memory and disk, milliseconds a search, and how
 * many of the 100 nearest it finds. Vectors are synthetic (vectors.ts); each figure is from a process of its own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { RefuseToStart } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import { openFaissIndex } from '../../../workers/retrieval/dense/faiss.ts';
import { sealShard } from '../../../workers/retrieval/dense/seal.ts';
import type { ShardType } from '../../../workers/retrieval/dense/shard-types.ts';
import { median } from '../numbers.ts';
import { makeVectors } from './vectors.ts';

const ShardFigures = z.object({
  type: z.enum(['flat', 'hnsw-sq8', 'ivf-pq']),
  passages: z.int(),
  /** Processor time of all threads: other work on the machine does not change it much. */
  build_cpu_s: z.number(),
  search_ms: z.number(),
  search_cpu_ms: z.number(),
  /** Of the process that searches, less that of one that holds nothing. */
  memory_mb: z.number(),
  /** Of the index, and of the vectors beside it from which it can be built again. */
  index_mb: z.number(),
  vectors_mb: z.number(),
  /** Share of the 100 nearest that an exact search finds. */
  recall_at_100: z.number(),
});
export type ShardFigures = z.infer<typeof ShardFigures>;

export const SHARD_TYPES = ['flat', 'hnsw-sq8', 'ivf-pq'] as const satisfies readonly ShardType[];

/** The program that calls this must run `measureShardInTurn` for the argument `measure-shard`. */
export async function measureShards(sizes: readonly number[], types: readonly ShardType[]): Promise<ShardFigures[]> {
  const figures: ShardFigures[] = [];
  for (const passages of sizes) {
    const directory = mkdtempSync(join(tmpdir(), 'sidelight-shards-'));
    try {
      fill(directory, passages);
      for (const type of types) figures.push(await inProcess({ directory, passages, type }));
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
  return figures;
}

interface Task {
  directory: string;
  passages: number;
  type: ShardType;
}

async function inProcess(task: Task): Promise<ShardFigures> {
  const child = fork(process.argv[1] ?? '', ['measure-shard', JSON.stringify(task)]);
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  const parsed = ShardFigures.safeParse(answer);
  if (!parsed.success)
    throw new RefuseToStart(`${task.type} of ${task.passages} passages: its process ended (${answer})`);
  return parsed.data;
}

const Task = z.object({ directory: z.string(), passages: z.int(), type: z.enum(SHARD_TYPES) });

/** The child: builds the index, measures it, tells its parent. */
export function measureShardInTurn(text: string): void {
  const { directory, passages, type } = Task.parse(JSON.parse(text));
  const start = process.cpuUsage();
  const sealed = sealShard({ directory, shard: 0, encoder, type, log });
  const build_cpu_s = cpuSince(start) / 1e6;
  const queries = makeQueries();
  const before = process.memoryUsage.rss();
  const index = openFaissIndex({ directory, shard: 0, encoder, sealed, log });
  index.search(queries[0] ?? new Float32Array(DIMENSIONS), TOP); // reads the files
  const memory_mb = (process.memoryUsage.rss() - before) / 1e6;
  const searching = process.cpuUsage();
  const found = queries.map((query) => timed(() => index.search(query, TOP)));
  const search_cpu_ms = cpuSince(searching) / 1e3 / queries.length;
  index.close();
  const exact = exactSearch(directory, queries);
  const shared = found.map(({ value }, at) => value.filter(({ passageId }) => exact[at]?.has(passageId)).length);
  const figures: ShardFigures = {
    ...{ type, passages, build_cpu_s, search_ms: median(found.map(({ ms }) => ms)), search_cpu_ms, memory_mb },
    index_mb: sealed.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
    vectors_mb: statSync(join(directory, 'dense-0.sqlite')).size / 1e6,
    recall_at_100: shared.reduce((sum, n) => sum + n, 0) / (queries.length * TOP),
  };
  process.send?.(figures);
  process.disconnect();
}

const encoder = { version: 'synthetic', dimensions: 384 };
const { dimensions: DIMENSIONS } = encoder;
const log = createLogger('silent', 'bench');

function fill(directory: string, passages: number): void {
  const maker = makeVectors(DIMENSIONS);
  const index = openFaissIndex({ directory, shard: 0, encoder, sealed: null, log });
  for (let at = 0; at < passages; at += ROWS) {
    const count = Math.min(ROWS, passages - at);
    index.add(
      Array.from({ length: count }, (_, row) => at + row),
      maker.passages(count),
    );
  }
  index.close();
}

/** Near pages of the topics that the shard has. */
function makeQueries(): Float32Array[] {
  const rows = makeVectors(DIMENSIONS).queries(QUERIES);
  return Array.from({ length: QUERIES }, (_, row) => rows.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS));
}

/** What a Flat index of the same vectors finds; takes the place of the index that was measured. */
function exactSearch(directory: string, queries: readonly Float32Array[]): Set<number>[] {
  const sealed = sealShard({ directory, shard: 0, encoder, type: 'flat', log });
  const index = openFaissIndex({ directory, shard: 0, encoder, sealed, log });
  const found = queries.map((query) => new Set(index.search(query, TOP).map(({ passageId }) => passageId)));
  index.close();
  return found;
}

function timed<T>(work: () => T): { value: T; ms: number } {
  const start = performance.now();
  const value = work();
  return { value, ms: performance.now() - start };
}

/** Microseconds of all threads. */
function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const QUERIES = 50;
const TOP = 100;
const ROWS = 2000;
