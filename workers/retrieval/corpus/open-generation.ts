/**
 * A generation as it is used: its corpus and both arms, each opened when it is first asked for. In: a manifest, and where things
 * are. Out: stores and indexes. Whether the generation is complete, verify.ts says.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RefuseToStart } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { DenseIndex } from '../dense/dense-index.ts';
import type { PassageEncoder } from '../dense/encode.ts';
import { openFaissIndex } from '../dense/faiss.ts';
import type { SparseIndex } from '../sparse/sparse-index.ts';
import { generationFolder } from './generations.ts';
import type { Manifest } from './manifest.ts';
import type { SparseEngine } from './sparse-engine.ts';
import { type CorpusOptions, type CorpusStore, openCorpus } from './store.ts';

export interface OpenGeneration {
  /** As it was when the generation was opened or last refreshed. */
  readonly manifest: Manifest;
  /** Where its files are on this host. */
  readonly folder: string;
  /** Throws RefuseToStart where the generation's folder is not on this host. */
  readonly corpus: CorpusStore;
  sparse(): Promise<SparseIndex>;
  /** By the manifest's encoder: a shard of another one is refused. A shard that the manifest has not is one that only grows. */
  dense(shard: number): DenseIndex;
  /** The same, for searches: throws RefuseToStart where this host has no vectors of the shard. */
  held(shard: number): DenseIndex;
  /** Takes a newer manifest of the same generation: of shards that are not opened yet, it counts. */
  refresh(manifest: Manifest): void;
  /** The shards that were opened are saved. */
  close(): Promise<void>;
}

export interface GenerationOptions {
  manifest: Manifest;
  dataDir: string;
  engine: SparseEngine;
  log: Logger;
  /** For a generation that is only beginning: its corpus is created. */
  create?: CorpusOptions;
}

export function openGeneration({ dataDir, engine, log, create, ...options }: GenerationOptions): OpenGeneration {
  let manifest = options.manifest;
  const folder = generationFolder(dataDir, manifest.generation);
  if (create !== undefined) mkdirSync(folder, { recursive: true });
  const file = 'corpus.sqlite';
  const corpus = lazy(() => openCorpus(create === undefined ? requireFile(folder, file) : join(folder, file), create));
  const sparse = lazy(() => engine.open(manifest, folder));
  const shards = new Map<number, DenseIndex>();
  const openShard = (shard: number) => {
    const sealed = manifest.shards.find((known) => known.shard === shard)?.sealed ?? null;
    const index = openFaissIndex({ directory: folder, shard, encoder: manifest.encoder, sealed, log });
    shards.set(shard, index);
    return index;
  };
  return {
    folder,
    get manifest() {
      return manifest;
    },
    get corpus() {
      return corpus.get();
    },
    sparse: sparse.get,
    dense: (shard) => shards.get(shard) ?? openShard(shard),
    held(shard) {
      requireFile(folder, `dense-${shard}.sqlite`);
      return shards.get(shard) ?? openShard(shard);
    },
    refresh(newer) {
      manifest = newer;
    },
    async close() {
      for (const shard of shards.values()) shard.close();
      shards.clear();
      await (await sparse.opened())?.close();
      corpus.opened()?.close();
    },
  };
}

/** The manifest of a generation that has nothing yet. */
export function createManifest(
  generation: string,
  state: Manifest['state'],
  { engine, encoder: { version, dimensions } }: { engine: SparseEngine; encoder: PassageEncoder },
): Manifest {
  return {
    ...{ generation, createdAt: new Date().toISOString(), state, encoder: { version, dimensions } },
    ...{ sparse: engine.describe(generation), shards: [{ shard: 0, sealed: null }], pages: 0, passages: 0 },
  };
}

/** Both arms, opened, with the encoder that fills the dense one. */
export async function armsOf(generation: OpenGeneration, encoder: PassageEncoder) {
  const { corpus, dense } = generation;
  return { corpus, sparse: await generation.sparse(), dense, encoder };
}

/** Throws RefuseToStart where the vectors of a generation are not those of the encoder. */
export function requireEncoder({ generation, encoder }: Manifest, { version }: { version: string }): void {
  if (encoder.version === version) return;
  throw new RefuseToStart(
    `${generation} has vectors of ${encoder.version}, not of ${version}: build a generation with this encoder.`,
  );
}

function requireFile(folder: string, name: string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  throw new RefuseToStart(`${path} is not there: bring the generation's folder to this host, or build it again.`);
}

function lazy<T>(open: () => T): { get(): T; opened(): T | null } {
  let part: { value: T } | null = null;
  return {
    get() {
      part ??= { value: open() };
      return part.value;
    },
    opened: () => part?.value ?? null,
  };
}
