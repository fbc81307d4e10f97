/**
 * What undici gives → a response with its body, unpacked and never larger than allowed; or a coded reason. Reads nothing that is
 * not needed: bodies may have no end.
 */
import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { type Failure, toFailure, unavailable } from './failure.ts';
import type { FetchResponse } from './fetch.ts';
import { unpack } from './unpack.ts';

export type Response = Dispatcher.ResponseData;

/** `maxBytes`: of the body, as sent and unpacked. */
export async function receive(
  response: Response,
  finalUrl: string,
  maxBytes: number,
): Promise<FetchResponse | Failure> {
  const status = response.statusCode;
  const headers = Object.fromEntries(Object.keys(response.headers).map((name) => [name, field(response, name)]));
  const answer = { kind: 'response', finalUrl, status, contentType: field(response, 'content-type'), headers } as const;
  if (status < 200 || status > 299) {
    discard(response);
    return { ...answer, body: Buffer.alloc(0) };
  }
  const packed = await readBody(response.body, maxBytes);
  const body = Buffer.isBuffer(packed) ? await unpack(packed, field(response, 'content-encoding'), maxBytes) : packed;
  return Buffer.isBuffer(body) ? { ...answer, body } : body;
}

/** '' if it is missing; one that was sent several times, parted by commas. */
export function field({ headers }: Response, name: string): string {
  const value = headers[name] ?? '';
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Many servers send raw UTF-8 where only ASCII is allowed; undici reads headers as Latin-1. */
export function readLocation(response: Response): string {
  const said = field(response, 'location');
  const bytes = Buffer.from(said, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : said;
}

/** Nothing more is read: a body may have no end. */
export function discard({ body }: Response): void {
  body.on('error', () => undefined).destroy();
}

/** A body that breaks off is no page: half a page would count as "does not support". */
async function readBody(stream: Response['body'], maxBytes: number): Promise<Buffer | Failure> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      // undici gives buffers, unless an encoding is set
      const bytes = chunk as Buffer;
      size += bytes.byteLength;
      if (size > maxBytes) return unavailable('too_large', `more than ${maxBytes} bytes`);
      chunks.push(bytes);
    }
  } catch (error) {
    const failure = toFailure(error);
    return failure.reason === 'timeout' ? failure : unavailable('truncated', failure.detail);
  }
  return Buffer.concat(chunks);
}
