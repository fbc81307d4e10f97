/**
 * A body as it was sent → as it was meant. In: bytes and the Content-Encoding header. Out: bytes, never more than allowed; or a
 * coded reason. Unlike `fetch`, what breaks off within the packed bytes is a failure: half a page is no page.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { type Failure, unavailable } from './failure.ts';

export async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Buffer | Failure> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const steps = codings.filter((coding) => !PLAIN.has(coding)).reverse();
  if (steps.length > MAX_STEPS) return unavailable('unsupported_type', `${steps.length} content encodings`);
  let body = packed;
  for (const step of steps) {
    const open = OPENERS.get(step);
    if (open === undefined) return unavailable('unsupported_type', `content encoding ${step}`);
    if (body.length === 0) return body;
    try {
      body = await open(body, { maxOutputLength: maxBytes });
    } catch (error) {
      return toFailure(error, maxBytes);
    }
  }
  return body;
}

type Open = (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

function toFailure(error: unknown, maxBytes: number): Failure {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'error';
  if (code === 'ERR_BUFFER_TOO_LARGE') return unavailable('too_large', `more than ${maxBytes} bytes`);
  return unavailable('truncated', code);
}

const openGzip: Open = promisify(gunzip);
const openZlib: Open = promisify(inflate);
const openDeflate: Open = promisify(inflateRaw);
const OPENERS: ReadonlyMap<string, Open> = new Map<string, Open>([
  ['gzip', openGzip],
  ['x-gzip', openGzip],
  ['br', promisify(brotliDecompress)],
  // RFC 9110 means zlib's format; some servers send what is in it, without its head (https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.2)
  ['deflate', (packed, options) => (((packed[0] ?? 0) & 0x0f) === 0x08 ? openZlib : openDeflate)(packed, options)],
]);
/** What servers write that packs nothing. */
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary', '8bit', '7bit']);
/** As undici: https://github.com/nodejs/undici/pull/4729 */
const MAX_STEPS = 5;
