/** The shards of a generation that was filled → sealed files, and what its manifest says of them. Blocks the process, shard by shard. */

import { sealShard } from '../dense/seal.ts';
import type { ShardType } from '../dense/shard-types.ts';
import { findDamage } from '../dense/snapshot.ts';
import type { BuildDependencies } from './build.ts';
import type { Manifest, Shard } from './manifest.ts';
import type { OpenGeneration } from './open-generation.ts';

/**
 * Seals what no process searches yet: every shard of a generation that is being built, and those that a ready one has more than
 * its manifest says. Those sealed by a build that was killed stay as they are.
 */
export async function sealShards(
  { engine, encoder, log, onProgress }: BuildDependencies,
  opened: OpenGeneration,
  type: ShardType | undefined,
): Promise<Shard[]> {
  const { corpus, folder, dense } = opened;
  const sizes = corpus.size();
  let manifest = (await engine.generations.get(opened.manifest.generation)) ?? opened.manifest;
  const ranges = corpus.shards();
  for (const [at, { shard }] of ranges.entries()) {
    const known = manifest.shards.find((other) => other.shard === shard);
    if (dense(shard).size > 0 && !isSearched(manifest, known) && !isSealed(folder, known)) {
      const sealed = sealShard({ directory: folder, shard, encoder, type, log });
      manifest = { ...manifest, shards: withShard(manifest.shards, { shard, sealed }) };
      if (manifest.state === 'building') await engine.generations.save(manifest);
    } else if (known === undefined) {
      manifest = { ...manifest, shards: withShard(manifest.shards, { shard, sealed: null }) };
    }
    onProgress({ step: 'sealing', share: (at + 1) / ranges.length, ...sizes });
  }
  return manifest.shards;
}

function isSearched({ state }: Manifest, known: Shard | undefined): boolean {
  return state === 'ready' && known !== undefined;
}

function isSealed(folder: string, known: Shard | undefined): boolean {
  return known !== undefined && known.sealed !== null && findDamage(folder, known.sealed) === null;
}

function withShard(shards: readonly Shard[], shard: Shard): Shard[] {
  return [...shards.filter((other) => other.shard !== shard.shard), shard].sort((a, b) => a.shard - b.shard);
}
