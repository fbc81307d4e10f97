/**
 * What a generation of the corpus is made of: which models, which index, which shard files. Written when something is built or
 * added, never while searching: how many passages a growing generation holds, its stores know. Only a schema.
 */
import { z } from 'zod';
import { Generation } from '../../../shared/pipeline.ts';

/** A file of the generation's folder. */
export const ShardFile = z.object({
  name: z.string().regex(/^[\w.-]+$/),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ShardFile = z.infer<typeof ShardFile>;

/** One part of the dense index, searched by a process of its own. */
export const Shard = z.object({
  shard: z.int().nonnegative(),
  /** What was built and no longer changes; null for a shard that only grows. Later passages are searched beside it. */
  sealed: z
    .object({
      type: z.enum(['flat', 'hnsw-sq8', 'ivf-pq']),
      /** Passages in the files. */
      passages: z.int().nonnegative(),
      files: z.array(ShardFile).min(1),
    })
    .nullable(),
});
export type Shard = z.infer<typeof Shard>;

export const Manifest = z.object({
  generation: Generation,
  createdAt: z.iso.datetime(),
  /** One that is being built can't be switched to. */
  state: z.enum(['building', 'ready']),
  /** A shard of vectors by another encoder is refused. */
  encoder: z.object({ version: z.string().min(1), dimensions: z.int().positive() }),
  /** `index`: a file of the generation's folder, or the name of an Elasticsearch index. */
  sparse: z.object({ engine: z.enum(['fts5', 'elasticsearch']), index: z.string().min(1) }),
  shards: z.array(Shard).min(1),
  /** When it was last built or added to. */
  pages: z.int().nonnegative(),
  passages: z.int().nonnegative(),
});
export type Manifest = z.infer<typeof Manifest>;
