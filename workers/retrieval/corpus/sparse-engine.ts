/**
 * Which engine has the sparse arms of the generations, and with it where their manifests are: files of this machine, or
 * Elasticsearch, where every host reads them. In: where things are. Out: what opens an arm.
 */
import { join } from 'node:path';
import type { Config } from '../../../shared/config.ts';
import type { Logger } from '../../../shared/logger.ts';
import { openFts5Index } from '../sparse/fts5.ts';
import type { SparseIndex } from '../sparse/sparse-index.ts';
import { openElasticsearchEngine } from './elasticsearch-engine.ts';
import { type Generations, openFileGenerations } from './generations.ts';
import type { Manifest } from './manifest.ts';

export interface SparseEngine {
  generations: Generations;
  /** What the manifest of a generation says of its sparse arm. */
  describe(generation: string): Manifest['sparse'];
  /** Creates what is missing of it. `folder`: the generation's, on this host. */
  open(manifest: Manifest, folder: string): Promise<SparseIndex>;
  close(): Promise<void>;
}

/** SQLite FTS5 in the generation's folder. */
export function openEmbeddedEngine(dataDir: string): SparseEngine {
  return {
    generations: openFileGenerations(dataDir),
    describe: () => ({ engine: 'fts5', index: 'sparse.sqlite' }),
    open: async ({ sparse }, folder) => openFts5Index(join(folder, sparse.index)),
    close: async () => undefined,
  };
}

/** Elasticsearch where it is set, else files. Asks nothing yet. */
export function openSparseEngine(config: Pick<Config, 'dataDir' | 'elasticsearch'>, log: Logger): SparseEngine {
  if (config.elasticsearch === null) return openEmbeddedEngine(config.dataDir);
  return openElasticsearchEngine(config.elasticsearch, config.dataDir, log);
}
