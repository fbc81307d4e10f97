/**
 * The generations that a process of the workers uses, each opened when a job first names it, and the one that fetched pages are
 * added to. In: names. Out: opened generations. One that was dropped, or built again under its name, is closed a while later.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../shared/logger.ts';
import type { PassageEncoder } from '../dense/encode.ts';
import { unknownGeneration } from './generations.ts';
import type { Manifest } from './manifest.ts';
import { createManifest, type OpenGeneration, openGeneration, requireEncoder } from './open-generation.ts';
import type { SparseEngine } from './sparse-engine.ts';

export interface OpenGenerations {
  /** Reads the manifest each time, so that new shards are known. Throws RequestError for one that is not there. */
  open(generation: string): Promise<OpenGeneration>;
  /** The one that searches ask now; null before the first page. */
  current(): Promise<OpenGeneration | null>;
  /**
   * The one that fetched pages are added to: the current one, or `fetched`, which is begun and switched to where there is none.
   * Throws RefuseToStart where its sealed shards are of another encoder; without sealed shards, it takes this one from now on
   * (fillIndexes encodes its passages again).
   */
  grow(encoder: PassageEncoder): Promise<OpenGeneration>;
  /** Names shards in the manifest that the corpus has begun, so that workers are asked for them. */
  nameShards(generation: OpenGeneration): Promise<void>;
  close(): Promise<void>;
}

export interface GenerationsOptions {
  dataDir: string;
  engine: SparseEngine;
  log: Logger;
}

/** The generation that grows by itself. */
export const FETCHED = 'fetched';

export function createOpenGenerations(options: GenerationsOptions): OpenGenerations {
  const { generations } = options.engine;
  const opened = new Map<string, OpenGeneration>();
  const retire = (generation: OpenGeneration) => {
    opened.delete(generation.manifest.generation);
    setTimeout(() => void generation.close(), IN_USE_MS).unref();
  };
  const openManifest = async (manifest: Manifest) => {
    const known = opened.get(manifest.generation);
    if (known !== undefined && isSame(known.manifest, manifest)) {
      known.refresh(manifest);
      return known;
    }
    if (known !== undefined) retire(known);
    const generation = openGeneration({ ...options, manifest });
    opened.set(manifest.generation, generation);
    return generation;
  };
  return {
    async open(name) {
      const manifest = await generations.get(name);
      if (manifest !== null) return openManifest(manifest);
      const known = opened.get(name);
      if (known !== undefined) retire(known);
      throw unknownGeneration(name);
    },
    async current() {
      const manifest = await generations.current();
      return manifest === null ? null : openManifest(manifest);
    },
    grow: async (encoder) => openManifest(await currentOrNew(options, encoder)),
    nameShards: async (generation) => nameShards(options, generation),
    async close() {
      for (const generation of opened.values()) await generation.close();
      opened.clear();
    },
  };
}

/** Built again under the same name, or of another encoder now, it is another one. */
function isSame(a: Manifest, b: Manifest): boolean {
  return a.createdAt === b.createdAt && a.encoder.version === b.encoder.version;
}

async function currentOrNew(options: GenerationsOptions, encoder: PassageEncoder): Promise<Manifest> {
  const { engine, log } = options;
  const manifest = await engine.generations.current();
  if (manifest === null) return beginFetched(options, encoder);
  if (manifest.encoder.version === encoder.version) return manifest;
  if (manifest.shards.some(({ sealed }) => sealed !== null)) requireEncoder(manifest, encoder);
  log.warn({ found: manifest.encoder.version, version: encoder.version }, 'the corpus is encoded again');
  const { version, dimensions } = encoder;
  const next = { ...manifest, encoder: { version, dimensions } };
  await engine.generations.save(next);
  return next;
}

/** Two processes that begin it at once begin the same one. */
async function beginFetched(options: GenerationsOptions, encoder: PassageEncoder): Promise<Manifest> {
  const { engine, dataDir, log } = options;
  const manifest = (await engine.generations.get(FETCHED)) ?? createManifest(FETCHED, 'ready', { engine, encoder });
  const generation = openGeneration({ ...options, manifest, create: {} });
  for (const part of [generation.corpus, generation.dense(0)]) void part.size; // creates the files before they are named
  await generation.close();
  await engine.generations.save(manifest);
  await engine.generations.switchTo(FETCHED);
  if (existsSync(join(dataDir, 'corpus.sqlite')))
    log.info(
      'corpus.sqlite, sparse.sqlite and dense-0.* are of an earlier version and no longer read: delete them, and `sidelight corpus add --input fetched` once',
    );
  return manifest;
}

async function nameShards({ engine }: GenerationsOptions, generation: OpenGeneration): Promise<void> {
  const { corpus, manifest } = generation;
  if (corpus.shards().length === manifest.shards.length) return;
  const latest = (await engine.generations.get(manifest.generation)) ?? manifest;
  const missing = corpus.shards().filter(({ shard }) => latest.shards.every((known) => known.shard !== shard));
  const next: Manifest = {
    ...latest,
    shards: [...latest.shards, ...missing.map(({ shard }) => ({ shard, sealed: null }))],
    ...corpus.size(),
  };
  await engine.generations.save(next);
  generation.refresh(next);
}

/** No search takes longer. */
const IN_USE_MS = 60_000;
