/** `sidelight corpus`: generations of the corpus are built, added to, verified, switched to and dropped. Out: what came of it. */
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { createLogger, type Logger } from '../../shared/logger.ts';
import { Generation } from '../../shared/pipeline.ts';
import {
  addToGeneration,
  type BuildDependencies,
  type Built,
  buildGeneration,
} from '../../workers/retrieval/corpus/build.ts';
import { lockGeneration } from '../../workers/retrieval/corpus/build-lock.ts';
import { generationFolder, unknownGeneration } from '../../workers/retrieval/corpus/generations.ts';
import { openInput } from '../../workers/retrieval/corpus/inputs/open-input.ts';
import type { Manifest } from '../../workers/retrieval/corpus/manifest.ts';
import type { CorpusInput } from '../../workers/retrieval/corpus/page-record.ts';
import { createBuildBars } from '../../workers/retrieval/corpus/progress.ts';
import { openSparseEngine, type SparseEngine } from '../../workers/retrieval/corpus/sparse-engine.ts';
import { readStats } from '../../workers/retrieval/corpus/stats.ts';
import { verifyGeneration } from '../../workers/retrieval/corpus/verify.ts';
import { loadBiEncoder } from '../../workers/retrieval/dense/bi-encoder.ts';
import type { ShardType } from '../../workers/retrieval/dense/shard-types.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { describeBuilt, describeStats } from './corpus-text.ts';
import { print } from './print.ts';

export interface AddOptions {
  /** Files, folders, or `fetched`. */
  input: string[];
  /** Of shards that are sealed; default: by their size. */
  type?: ShardType;
  json: boolean;
}

export interface BuildOptions extends AddOptions {
  shards?: number;
  shardPassages?: number;
}

/** Throws RequestError for a name that is none, inputs that are none, a generation that is built, a disk that can't be written. */
export async function buildCorpus(
  config: Config,
  generation: string,
  options: BuildOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!Generation.safeParse(generation).success)
    throw new RequestError('bad_name', `${generation} is no name: lower-case letters, digits and hyphens, 41 at most`);
  const { shards, shardPassages } = options;
  await work(config, options, (dependencies, inputs) =>
    buildGeneration(dependencies, { generation, inputs, type: options.type, shards, shardPassages }, signal),
  );
}

/** `name`: default the one that searches ask now. */
export async function addToCorpus(
  config: Config,
  name: string | undefined,
  options: AddOptions,
  signal: AbortSignal,
): Promise<void> {
  await work(config, options, async (dependencies, inputs) => {
    const { generation } = await chooseManifest(dependencies.engine, name);
    return addToGeneration(dependencies, { generation, inputs, type: options.type }, signal);
  });
}

/** `name`: default all generations. */
export async function showCorpus(config: Config, name: string | undefined, { json }: { json: boolean }): Promise<void> {
  await withEngine(config, async (engine) => {
    const stats = await readStats(engine, config.dataDir);
    const shown = stats.filter(({ generation }) => name === undefined || generation === name);
    if (name !== undefined && shown.length === 0) throw unknownGeneration(name);
    print(json ? { generations: shown } : describeStats(shown));
  });
}

/** Exits with 1 where something is wrong, and says what. `name`: default the one that searches ask now. */
export async function verifyCorpus(
  config: Config,
  name: string | undefined,
  { json }: { json: boolean },
  signal: AbortSignal,
): Promise<void> {
  await withEngine(config, async (engine, log) => {
    const manifest = await chooseManifest(engine, name);
    const { version: encoder } = await loadBiEncoder(config.modelsDir);
    const problems = await verifyGeneration({ manifest, dataDir: config.dataDir, engine, encoder, log }, signal);
    const { generation } = manifest;
    const lines = problems.map(({ code, detail }) => `${generation}: ${code}: ${detail}`);
    print(json ? { generation, problems } : lines.join('\n') || `${generation} is as its manifest says`);
    if (problems.length > 0) process.exitCode = 1;
  });
}

export async function switchCorpus(config: Config, generation: string): Promise<void> {
  await withEngine(config, async ({ generations }) => {
    await generations.switchTo(generation);
    print(`searches ask ${generation} from now on`);
  });
}

export async function dropCorpus(config: Config, generation: string): Promise<void> {
  await withEngine(config, async ({ generations }) => {
    if ((await generations.get(generation)) === null) throw unknownGeneration(generation);
    const lock = lockGeneration(generationFolder(config.dataDir, generation), generation);
    try {
      await generations.drop(generation);
    } finally {
      lock.release();
    }
    print(`${generation} is dropped`);
  });
}

async function work(
  config: Config,
  { input, json }: AddOptions,
  run: (dependencies: BuildDependencies, inputs: CorpusInput[]) => Promise<Built>,
): Promise<void> {
  await withEngine(config, async (engine, log) => {
    const store = await openSourceStore(config.databases.sources, config.sources);
    const bars = createBuildBars(process.stderr);
    try {
      const inputs: CorpusInput[] = [];
      for (const what of new Set(input)) inputs.push(await openInput(what, store));
      const encoder = await loadBiEncoder(config.modelsDir);
      const { dataDir } = config;
      const built = await run({ dataDir, engine, encoder, log, onProgress: bars.update }, inputs);
      bars.stop();
      print(json ? built : describeBuilt(built));
    } finally {
      bars.stop();
      await store.close();
    }
  });
}

async function withEngine(config: Config, use: (engine: SparseEngine, log: Logger) => Promise<void>): Promise<void> {
  const log = createLogger(config.logLevel, 'corpus');
  const engine = openSparseEngine(config, log);
  try {
    await use(engine, log);
  } finally {
    await engine.close();
  }
}

async function chooseManifest({ generations }: SparseEngine, name: string | undefined): Promise<Manifest> {
  const manifest = await (name === undefined ? generations.current() : generations.get(name));
  if (manifest !== null) return manifest;
  if (name !== undefined) throw unknownGeneration(name);
  throw new RequestError('no_corpus', 'no generation is searched yet: `sidelight corpus build` one and `switch` to it');
}
