/**
 * A file of any size → its bytes in pieces, decompressed where it is gzip, of one member or of many. What comes before
 * the place where it breaks off or is damaged is the same each time: a build that goes on relies on it.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import type { BrokenCode } from '../page-record.ts';
import { errorCode } from './error-code.ts';

/** Thrown after the last good piece. Errors of reading the file itself are thrown as they are. */
export class BrokenStream extends Error {
  override readonly name: string = 'BrokenStream';
  readonly code: Extract<BrokenCode, 'truncated' | 'damaged'>;
  constructor(code: BrokenStream['code'], options?: ErrorOptions) {
    super(`the file is ${code}`, options);
    this.code = code;
  }
}

export interface ByteReader {
  pieces: AsyncIterable<Buffer>;
  /** Share of the file that was read, 0 to 1. */
  progress(): number;
}

export async function readBytes(path: string): Promise<ByteReader> {
  const { size, first } = await look(path);
  const file = createReadStream(path, { highWaterMark: PIECE });
  const pieces: AsyncIterable<Buffer> = isGzip(first) ? gunzip(file) : file;
  return { pieces, progress: () => (size === 0 ? 1 : Math.min(1, file.bytesRead / size)) };
}

/** The beginning of a file's content, decompressed, up to 64 KiB: enough to tell what it is. Throws as reading a file does. */
export async function peek(path: string): Promise<Buffer> {
  const { pieces } = await readBytes(path);
  try {
    for await (const piece of pieces) if (piece.length > 0) return piece.subarray(0, PIECE);
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error;
  }
  return Buffer.alloc(0);
}

async function look(path: string): Promise<{ size: number; first: Buffer }> {
  const handle: FileHandle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return { size: (await handle.stat()).size, first: buffer.subarray(0, bytesRead) };
  } finally {
    await handle.close();
  }
}

/**
 * Not a piped stream: one that fails drops what it has decompressed and nobody has taken yet. Here each piece's output is taken
 * before the next piece goes in; only of the piece that is damaged, up to 64 KiB are lost.
 */
async function* gunzip(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const stream = createGunzip({ chunkSize: PIECE });
  const output: Buffer[] = [];
  const failed: unknown[] = [];
  stream.on('data', (piece: Buffer) => output.push(piece));
  stream.on('error', (error) => failed.push(error));
  try {
    for await (const piece of file) {
      await write(stream, piece);
      yield* output.splice(0);
      if (failed[0] !== undefined) throw toBroken(failed[0]);
    }
    await end(stream);
    yield* output.splice(0);
    if (failed[0] !== undefined) throw toBroken(failed[0]);
  } finally {
    stream.destroy();
  }
}

/** A stream that fails closes, and forgets the callback of the write that it was at. */
function write(stream: Gunzip, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.write(piece, () => {
      stream.off('close', resolve);
      resolve();
    });
  });
}

function end(stream: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.end();
  });
}

function toBroken(error: unknown): BrokenStream {
  return new BrokenStream(errorCode(error) === 'Z_BUF_ERROR' ? 'truncated' : 'damaged', { cause: error });
}

function isGzip(start: Buffer): boolean {
  return start.equals(MAGIC);
}

/** https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
const MAGIC = Buffer.from([0x1f, 0x8b]);
const PIECE = 64 * 1024;
