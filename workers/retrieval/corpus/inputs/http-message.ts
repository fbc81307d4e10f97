/** The block of a WARC response record → the page that was sent. In: status line, headers and body as bytes. Out: status, type, decoded body. */
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { AsyncIterReader, StatusAndHeadersParser } from 'warcio';
import { errorCode } from './error-code.ts';

export interface HttpMessage {
  status: number;
  /** As sent, '' if the header is missing. */
  contentType: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Without chunks and compression; null if it is larger than `maxBytes` then. */
  body: Buffer | null;
}

/** Null for what does not begin with an HTTP status line. */
export async function readHttp(block: Buffer, maxBytes: number): Promise<HttpMessage | null> {
  const reader = new AsyncIterReader([block], null);
  const message = await new StatusAndHeadersParser().parse(reader, { headersClass: Headers });
  const status = /^HTTP\/\S+ (\d{3})\b/.exec(message?.statusline ?? '')?.[1];
  if (message === null || status === undefined) return null;
  const header = (name: string) => message.headers.get(name) ?? '';
  const sent = block.subarray(reader.getReadOffset());
  const whole = /\bchunked\b/i.test(header('transfer-encoding')) ? await joinChunks(sent) : sent;
  const body = decompress(whole, header('content-encoding').trim().toLowerCase(), maxBytes);
  const headers = Object.fromEntries(message.headers);
  return { status: Number(status), contentType: header('content-type'), headers, body };
}

/** The library gives back what is not in chunks as it is: crawlers join them and leave the header. */
async function joinChunks(sent: Buffer): Promise<Buffer> {
  return Buffer.from(await new AsyncIterReader([sent], null, true).readFully());
}

/** Crawlers decompress, too, and leave the header: what can't be decompressed is taken as it is. */
function decompress(body: Buffer, encoding: string, maxBytes: number): Buffer | null {
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) return body;
  try {
    return decoder(body, { maxOutputLength: maxBytes });
  } catch (error) {
    return errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? null : body;
  }
}

const DECODERS: ReadonlyMap<string, (body: Buffer, options: ZlibOptions) => Buffer> = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);
