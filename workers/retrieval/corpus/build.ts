/**
 * Inputs → a generation: pages and passages first, then both arms, then sealed shards, then a manifest that is ready. Killed at
 * any moment and started again, it goes on where it was, and what comes of it is the same.
 */
import { RequestError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { PassageEncoder } from '../dense/encode.ts';
import type { ShardType } from '../dense/shard-types.ts';
import { explainDiskError } from './build-disk.ts';
import { fingerprint } from './build-fingerprint.ts';
import { ingest } from './build-ingest.ts';
import { lockGeneration } from './build-lock.ts';
import { sealShards } from './build-seal.ts';
import { type LeftOut, openTally } from './build-tally.ts';
import { generationFolder, requireReady, unknownGeneration } from './generations.ts';
import { fillIndexes, removePassages } from './index-passages.ts';
import type { Manifest } from './manifest.ts';
import { armsOf, createManifest, type OpenGeneration, openGeneration, requireEncoder } from './open-generation.ts';
import type { CorpusInput } from './page-record.ts';
import type { SparseEngine } from './sparse-engine.ts';
import { SHARD_PASSAGES } from './store.ts';

export interface BuildDependencies {
  dataDir: string;
  engine: SparseEngine;
  encoder: PassageEncoder;
  log: Logger;
  onProgress(progress: BuildProgress): void;
}

/** Where a build is. `share`: of the step, 0 to 1. Pages and passages: of this run; those indexed count also where an arm had them. */
export interface BuildProgress {
  step: 'reading' | 'indexing' | 'sealing';
  share: number;
  pages: number;
  passages: number;
}

export interface BuildOptions {
  generation: string;
  inputs: readonly CorpusInput[];
  /** Into how many dense shards the passages are parted; default: a new one every `shardPassages`. */
  shards?: number | undefined;
  shardPassages?: number | undefined;
  /** Of sealed shards; default: by their size. */
  type?: ShardType | undefined;
}

/** What is in the generation then, and what was left out of its inputs. */
export interface Built extends LeftOut {
  manifest: Manifest;
}

/**
 * Throws RequestError for a generation that is built, for inputs without a page, a disk that can't be written, another process
 * that is at it; RefuseToStart for one that another encoder began.
 */
export async function buildGeneration(
  dependencies: BuildDependencies,
  options: BuildOptions,
  signal: AbortSignal,
): Promise<Built> {
  return exclusively(dependencies, options.generation, async () => {
    const manifest = await begin(dependencies, options.generation);
    const create = {
      shardPassages: options.shardPassages ?? (options.shards === undefined ? SHARD_PASSAGES : Number.MAX_SAFE_INTEGER),
    };
    return fill(dependencies, openGeneration({ ...dependencies, manifest, create }), options, signal);
  });
}

/**
 * The same into a generation that is ready, while it is searched. Sealed shards stay as they are: later passages are searched
 * beside them, and where the last shard is full, in new ones.
 */
export async function addToGeneration(
  dependencies: BuildDependencies,
  options: Omit<BuildOptions, 'shards' | 'shardPassages'>,
  signal: AbortSignal,
): Promise<Built> {
  const { generation } = options;
  const { generations } = dependencies.engine;
  requireReady(generation, await generations.get(generation));
  return exclusively(dependencies, generation, async () => {
    const manifest = await generations.get(generation);
    if (manifest === null) throw unknownGeneration(generation); // dropped meanwhile
    requireEncoder(manifest, dependencies.encoder);
    return fill(dependencies, openGeneration({ ...dependencies, manifest }), options, signal);
  });
}

async function exclusively<T>({ dataDir }: BuildDependencies, generation: string, work: () => Promise<T>): Promise<T> {
  const folder = generationFolder(dataDir, generation);
  try {
    const lock = lockGeneration(folder, generation);
    try {
      return await work();
    } finally {
      lock.release();
    }
  } catch (error) {
    throw await explainDiskError(error, folder);
  }
}

/** The manifest of one that was begun before, or a new one. */
async function begin({ engine, encoder }: BuildDependencies, generation: string): Promise<Manifest> {
  const known = await engine.generations.get(generation);
  if (known?.state === 'ready')
    throw new RequestError(
      'is_built',
      `${generation} is built: \`sidelight corpus add\` adds to it, \`drop\` removes it`,
    );
  if (known !== null) {
    requireEncoder(known, encoder);
    return known;
  }
  const manifest = createManifest(generation, 'building', { engine, encoder });
  await engine.generations.save(manifest);
  return manifest;
}

async function fill(
  dependencies: BuildDependencies,
  opened: OpenGeneration,
  options: BuildOptions,
  signal: AbortSignal,
): Promise<Built> {
  try {
    await read(dependencies, opened, options.inputs, signal);
    const { corpus } = opened;
    if (corpus.size().pages === 0) throw new RequestError('no_pages', noPages(openTally(corpus.database).read()));
    if (options.shards !== undefined) corpus.divide(options.shards);
    await index(dependencies, opened, signal);
    const shards = await sealShards(dependencies, opened, options.type);
    const manifest: Manifest = { ...opened.manifest, state: 'ready', shards, ...corpus.size() };
    await dependencies.engine.generations.save(manifest);
    return { manifest, ...openTally(corpus.database).read() };
  } finally {
    await opened.close();
  }
}

async function read(
  { encoder, onProgress }: BuildDependencies,
  opened: OpenGeneration,
  inputs: readonly CorpusInput[],
  signal: AbortSignal,
): Promise<void> {
  const sum = { pages: 0, passages: 0 };
  for (const [at, input] of inputs.entries()) {
    const dependencies = {
      corpus: opened.corpus,
      tally: openTally(opened.corpus.database),
      remove: async (ids: number[]) => removePassages(await armsOf(opened, encoder), ids),
      onAdded(added: { pages: number; passages: number }) {
        sum.pages += added.pages;
        sum.passages += added.passages;
        onProgress({ step: 'reading', share: (at + input.progress()) / inputs.length, ...sum });
      },
    };
    await ingest(input, await fingerprint(input), dependencies, signal);
  }
}

async function index({ encoder, onProgress }: BuildDependencies, opened: OpenGeneration, signal: AbortSignal) {
  const { corpus } = opened;
  const { pages, passages: all } = corpus.size();
  let passages = 0;
  let told = false;
  await fillIndexes(await armsOf(opened, encoder), signal, (done, added) => {
    passages += done;
    told ||= added > 0; // what was indexed before is passed over quickly: no rate begins with it
    if (told) onProgress({ step: 'indexing', share: passages / all, pages, passages });
  });
}

function noPages({ broken, duplicates }: LeftOut): string {
  const copies = duplicates.url + duplicates.content + duplicates.near;
  const [first] = broken.first;
  const why = first === undefined ? '' : `; the first: ${first.input}, entry ${first.position}: ${first.code}`;
  return `no page could be taken: ${broken.count} broken entries, ${copies} copies${why}`;
}
