/**
 * efSearch and nprobe of a written FAISS file. FAISS stores both in the file, and faiss-node has no way to set them: they are
 * written into it. Layout: https://github.com/facebookresearch/faiss/blob/v1.7.3/faiss/impl/index_write.cpp
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Recipe } from './shard-types.ts';

/** Throws RangeError for a file that is no index of that kind. */
export function setSearchParameters(file: string, search: NonNullable<Recipe['search']>): void {
  const descriptor = openSync(file, 'r+');
  try {
    if ('nprobe' in search) writeNprobe(descriptor, search.nprobe);
    else writeEfSearch(descriptor, search.efSearch);
  } finally {
    closeSync(descriptor);
  }
}

/** fourcc, header, number of lists, nprobe. */
function writeNprobe(descriptor: number, nprobe: number): void {
  requireKind(descriptor, 'IwPQ');
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(BigInt(nprobe));
  writeSync(descriptor, value, 0, 8, HEADER_END + 8);
}

/** fourcc, header, five vectors, entry point, top level, efConstruction, efSearch. */
function writeEfSearch(descriptor: number, efSearch: number): void {
  requireKind(descriptor, 'IHNs');
  let at = HEADER_END;
  for (const bytes of HNSW_VECTORS) at += 8 + Number(readAt(descriptor, at, 8).readBigUInt64LE()) * bytes;
  const value = Buffer.alloc(4);
  value.writeInt32LE(efSearch);
  writeSync(descriptor, value, 0, 4, at + 3 * 4);
}

function requireKind(descriptor: number, kind: string): void {
  const found = readAt(descriptor, 0, 4).toString('latin1');
  if (found !== kind) throw new RangeError(`FAISS index is a ${JSON.stringify(found)}, not a ${kind}`);
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(descriptor, bytes, 0, length, position) === length) return bytes;
  throw new RangeError(`FAISS file ends before byte ${position + length}`);
}

/** fourcc 4; dimensions 4, count 8, two unused numbers of 8, trained 1, metric 4. */
const HEADER_END = 4 + 33;
/** Bytes of an element: level probabilities, neighbours a level, levels, offsets, neighbours. */
const HNSW_VECTORS = [8, 4, 4, 8, 4];
