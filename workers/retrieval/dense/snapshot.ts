/**
 * A shard as files: the FAISS index `dense-<shard>.faiss` and, as FAISS knows vectors by position only, the label of each
 * position in `dense-<shard>.labels` (Uint32, little-endian). In and out: an index in memory. Whether a file is to be trusted
 * its snapshot says: sizes and checksums.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import faiss from 'faiss-node';
import type { Shard, ShardFile } from '../corpus/manifest.ts';
import { setSearchParameters } from './search-parameters.ts';
import { recipeOf } from './shard-types.ts';

export type Snapshot = NonNullable<Shard['sealed']>;

/** An index in memory: `labels[position]`. */
export interface Loaded {
  type: Snapshot['type'];
  index: faiss.Index;
  labels: number[];
}

/** Why a shard's files can't be used. */
export interface Damage {
  file: string;
  code: 'missing' | 'wrong_size' | 'wrong_checksum';
}

/** Null where the files are what the snapshot says. Reads them whole. */
export function findDamage(directory: string, snapshot: Snapshot): Damage | null {
  for (const file of snapshot.files) {
    const code = damageOf(join(directory, file.name), file);
    if (code !== null) return { file: file.name, code };
  }
  return null;
}

export function readSnapshot(directory: string, shard: number, { type }: Snapshot): Loaded {
  const bytes = readFileSync(join(directory, labelsFile(shard)));
  const labels = Array.from({ length: bytes.length / 4 }, (_, position) => bytes.readUInt32LE(position * 4));
  return { type, index: faiss.Index.read(join(directory, indexFile(shard))), labels };
}

/**
 * Whole or not at all for each file; a crash between the two leaves files that do not fit what was said of them. `describe` is
 * given the snapshot before the files take their names.
 */
export function writeSnapshot(
  directory: string,
  shard: number,
  { type, index, labels }: Loaded,
  describe: (snapshot: Snapshot) => void,
): Snapshot {
  const names = [indexFile(shard), labelsFile(shard)] as const;
  const [indexPath, labelsPath] = [join(directory, `${names[0]}.new`), join(directory, `${names[1]}.new`)];
  index.write(indexPath);
  const { search } = recipeOf(type, labels.length);
  if (search !== null) setSearchParameters(indexPath, search);
  writeFileSync(labelsPath, Buffer.from(Uint32Array.from(labels).buffer));
  const files = [describeFile(indexPath, names[0]), describeFile(labelsPath, names[1])];
  const snapshot: Snapshot = { type, passages: labels.length, files };
  describe(snapshot);
  for (const name of names) renameSync(join(directory, `${name}.new`), join(directory, name));
  return snapshot;
}

export function removeSnapshot(directory: string, shard: number): void {
  for (const name of [indexFile(shard), labelsFile(shard)]) rmSync(join(directory, name), { force: true });
}

function indexFile(shard: number): string {
  return `dense-${shard}.faiss`;
}

function labelsFile(shard: number): string {
  return `dense-${shard}.labels`;
}

function describeFile(path: string, name: string): ShardFile {
  const descriptor = openSync(path, 'r');
  try {
    return { name, bytes: fstatSync(descriptor).size, sha256: hash(descriptor) };
  } finally {
    closeSync(descriptor);
  }
}

function damageOf(path: string, { bytes, sha256 }: ShardFile): Damage['code'] | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return 'missing';
  }
  try {
    if (fstatSync(descriptor).size !== bytes) return 'wrong_size';
    return hash(descriptor) === sha256 ? null : 'wrong_checksum';
  } finally {
    closeSync(descriptor);
  }
}

/** In pieces: a shard may be larger than a Buffer. */
function hash(descriptor: number): string {
  const digest = createHash('sha256');
  const piece = Buffer.allocUnsafe(1 << 20);
  for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece)) {
    digest.update(piece.subarray(0, read));
  }
  return digest.digest('hex');
}
