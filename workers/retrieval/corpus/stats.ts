/** What is in the generations of the corpus. In: manifests and, where a generation's folder is on this host, its corpus. Out: counts. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Database } from '../../../shared/sql/better-sqlite3.ts';
import { type LeftOut, openTally } from './build-tally.ts';
import { generationFolder } from './generations.ts';
import type { Manifest, Shard } from './manifest.ts';
import type { SparseEngine } from './sparse-engine.ts';
import { openCorpus } from './store.ts';

export interface GenerationStats {
  generation: string;
  /** Whether searches ask it now. */
  current: boolean;
  state: Manifest['state'];
  createdAt: string;
  encoder: Manifest['encoder'];
  sparse: Manifest['sparse'];
  /** As they are now; without the generation's folder, as its manifest says. */
  pages: number;
  passages: number;
  shards: ShardStats[];
  /** Null where the generation's folder is not on this host. */
  details: (LeftOut & { languages: Share[]; domains: Share[] }) | null;
}

export interface ShardStats {
  shard: number;
  /** `growing`: not sealed, searched exactly. */
  type: NonNullable<Shard['sealed']>['type'] | 'growing';
  /** Of its files and its vectors on this host. */
  bytes: number;
}

/** `name` '' for an unknown language. */
export interface Share {
  name: string;
  pages: number;
  passages: number;
}

/** Oldest first. */
export async function readStats(engine: SparseEngine, dataDir: string): Promise<GenerationStats[]> {
  const current = await engine.generations.current();
  const manifests = await engine.generations.list();
  return manifests.map((manifest) => describe(manifest, dataDir, current?.generation ?? null));
}

function describe(manifest: Manifest, dataDir: string, current: string | null): GenerationStats {
  const { generation, state, createdAt, encoder, sparse, pages, passages } = manifest;
  const folder = generationFolder(dataDir, generation);
  return {
    ...{ generation, current: generation === current, state, createdAt, encoder, sparse, pages, passages },
    ...{ shards: manifest.shards.map((shard) => describeShard(folder, shard)), details: null },
    ...(existsSync(join(folder, 'corpus.sqlite')) ? readCorpus(join(folder, 'corpus.sqlite')) : {}),
  };
}

function readCorpus(path: string): Pick<GenerationStats, 'pages' | 'passages' | 'details'> {
  const corpus = openCorpus(path);
  try {
    const { database } = corpus;
    const shares = {
      languages: readShares(database, 'language', -1),
      domains: readShares(database, 'domain', DOMAINS),
    };
    return { ...corpus.size(), details: { ...openTally(database).read(), ...shares } };
  } finally {
    corpus.close();
  }
}

/** Most pages first. `limit` -1: all of them. */
function readShares(database: Database, column: 'language' | 'domain', limit: number): Share[] {
  return z.array(Row).parse(database.prepare(selectShares(column)).all(limit));
}

function describeShard(folder: string, { shard, sealed }: Shard): ShardStats {
  const names = ['sqlite', 'sqlite-wal', 'faiss', 'labels'].map((kind) => join(folder, `dense-${shard}.${kind}`));
  const bytes = names.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  return { shard, type: sealed?.type ?? 'growing', bytes };
}

const Row = z.object({ name: z.string(), pages: z.int(), passages: z.int() });
const DOMAINS = 10;

/** Passages are counted for the groups that are given only. */
function selectShares(column: 'language' | 'domain'): string {
  return `
    WITH shares AS (
      SELECT ${column} AS name, count(*) AS pages FROM pages GROUP BY ${column} ORDER BY pages DESC, name LIMIT ?
    )
    SELECT name, pages,
      (SELECT count(*) FROM passages WHERE page IN (SELECT id FROM pages WHERE ${column} = name)) AS passages
    FROM shares ORDER BY pages DESC, name`;
}
