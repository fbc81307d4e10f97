/**
 * Bytes of a WARC file → its records, one after the other, with `warcio` for what stands in them. In: pieces of any size. Out:
 * headers and block. A block that is not wanted or too large is passed over and never held.
 */
import { AsyncIterReader, LimitReader, StatusAndHeadersParser } from 'warcio';
import { BrokenStream } from './bytes.ts';

export interface WarcRecord {
  /** Names in any case. Null for bytes that are no record: everything up to the next one. */
  headers: Pick<Headers, 'get'> | null;
  /** Null if it was not wanted or is longer than `maxBytes`. */
  block: Buffer | null;
}

export interface Wanted {
  wants(headers: Pick<Headers, 'get'>): boolean;
  maxBytes: number;
}

/**
 * Throws BrokenStream where the file breaks off. The library's own parser of whole files is not used: it waits for ever for
 * the rest of a record that is cut off, stops without a word at a stray blank line, and writes to the console.
 */
export async function* readRecords(pieces: AsyncIterable<Buffer>, wanted: Wanted): AsyncGenerator<WarcRecord> {
  const { guarded, goOn } = guardHeaders(pieces);
  const reader = new AsyncIterReader(guarded, null);
  let isLost = false;
  for (;;) {
    goOn();
    const line = await reader.readline(MAX_LINE);
    if (line === '') return;
    if (line.trim() === '') continue;
    const headers = line.startsWith('WARC/') ? await readHeaders(reader, line) : null;
    if (headers !== null) yield { headers, block: await readBlock(reader, headers, wanted, goOn) };
    else if (!isLost) yield { headers: null, block: null };
    isLost = headers === null;
  }
}

/** Null without a length: what comes next can't be told from it. */
async function readHeaders(reader: AsyncIterReader, firstLine: string): Promise<Headers | null> {
  const parsed = await new StatusAndHeadersParser().parse(reader, { firstLine, headersClass: Headers });
  const headers = parsed?.headers instanceof Headers ? parsed.headers : null;
  return /^\d{1,15}$/.test(headers?.get('content-length') ?? '') ? headers : null;
}

async function readBlock(
  reader: AsyncIterReader,
  headers: Headers,
  { wants, maxBytes }: Wanted,
  goOn: () => void,
): Promise<Buffer | null> {
  const length = Number(headers.get('content-length'));
  const isHeld = length <= maxBytes && wants(headers);
  const held: Uint8Array[] = [];
  const block = new LimitReader(reader, length);
  for await (const piece of block) {
    goOn();
    if (isHeld) held.push(piece);
  }
  if (block.limit > 0) throw new BrokenStream('truncated');
  return isHeld ? Buffer.concat(held) : null;
}

/** Between two calls of `goOn` no more than a header's bytes are read: a header without an end would be collected for ever. */
function guardHeaders(pieces: AsyncIterable<Buffer>): { guarded: AsyncIterable<Buffer>; goOn: () => void } {
  let left = MAX_HEADERS;
  async function* guard() {
    for await (const piece of pieces) {
      left -= piece.length;
      if (left < 0) throw new BrokenStream('damaged');
      yield piece;
    }
  }
  return {
    guarded: guard(),
    goOn: () => {
      left = MAX_HEADERS;
    },
  };
}

const MAX_LINE = 64 * 1024;
/** Bytes. */
const MAX_HEADERS = 1024 * 1024;
