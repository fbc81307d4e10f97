/**
 * Responses that were kept ↔ a WARC 1.1 file (https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/), so
 * that a check can be repeated elsewhere on what was seen. A `response` record each hop and each page, one after the other as they
 * came. What people gave is not among them: it is no response.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { WARCRecord, WARCSerializer } from 'warcio';
import { canonicalUrl, parseUrl } from '../../shared/url.ts';
import { BrokenStream, readBytes } from '../retrieval/corpus/inputs/bytes.ts';
import { readHttp } from '../retrieval/corpus/inputs/http-message.ts';
import { MAX_PAGE_BYTES, toTime } from '../retrieval/corpus/inputs/make-page.ts';
import { readRecords, type WarcRecord } from '../retrieval/corpus/inputs/records.ts';
import type { Redirect } from './fetch.ts';
import type { KeptResponse, Responses } from './responses.ts';

export interface Chosen {
  /** Only what was asked for this page: its own address, copies of it, and where they are. */
  url: string | null;
  /** ISO time. */
  since: string | null;
}

/** Writes the file anew, gzipped member by member. Gives how many responses are in it. Throws what writing a file throws. */
export async function exportWarc(responses: Responses, path: string, { url, since }: Chosen, signal: AbortSignal) {
  const file = createWriteStream(path);
  await once(file, 'open');
  const write = async (record: WARCRecord) => {
    if (!file.write(await WARCSerializer.serialize(record, { gzip: true }))) await once(file, 'drain');
  };
  let written = 0;
  try {
    await write(WARCRecord.createWARCInfo({ filename: path, warcVersion: VERSION }, INFO));
    const addresses = await responses.addresses(since);
    for (const address of addresses.filter((each) => url === null || isOf(url, each))) {
      signal.throwIfAborted();
      const response = await responses.get(address);
      if (response === null) continue; // it had to make room meanwhile
      for (const record of recordsOf(response)) await write(record);
      written += 1;
    }
  } finally {
    file.end();
    await finished(file);
  }
  return written;
}

export interface Imported {
  /** Now kept. */
  responses: number;
  /** Records of other kinds, and responses that can't be read. */
  passedOver: number;
  /** Why the file could not be read to its end. */
  broken: BrokenStream['code'] | null;
}

/** Newer responses that are known already stay. Throws what reading a file throws. */
export async function importWarc(responses: Responses, path: string, signal: AbortSignal): Promise<Imported> {
  const imported: Imported = { responses: 0, passedOver: 0, broken: null };
  const { pieces } = await readBytes(path);
  let hops: Redirect[] = [];
  try {
    for await (const record of readRecords(pieces, { wants: isResponse, maxBytes: MAX_RECORD_BYTES })) {
      signal.throwIfAborted();
      const response = await toResponse(record);
      if (response === null) {
        imported.passedOver += 1;
        continue;
      }
      hops = hops.length > 0 && leadsTo(hops.at(-1), response.finalUrl) ? hops : [];
      const { location } = response.headers;
      if (isRedirect(response.status) && location !== undefined) {
        hops.push({ url: response.finalUrl, status: response.status, location });
        continue;
      }
      const whole = hops.length === 0 ? response : { ...response, redirects: hops };
      await responses.put(hops[0]?.url ?? response.finalUrl, whole);
      imported.responses += 1;
      hops = [];
    }
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error;
    imported.broken = error.code;
  }
  return imported;
}

/** Archives' own questions about a page name it in their address. */
function isOf(url: string, address: string): boolean {
  if (canonicalUrl(address) === canonicalUrl(url)) return true;
  return address.includes(`/${url}`) || address.includes(encodeURIComponent(url));
}

function recordsOf(response: KeptResponse): WARCRecord[] {
  const { finalUrl, status, headers, body, redirects = [], receivedAt: date } = response;
  const record = (url: string, code: number, httpHeaders: Record<string, string>, block: Uint8Array) =>
    WARCRecord.create(
      { url, date, type: 'response', warcVersion: VERSION, statusline: `HTTP/1.1 ${code} `, httpHeaders },
      [block],
    );
  return [
    ...redirects.map((hop) => record(hop.url, hop.status, { location: hop.location }, new Uint8Array())),
    record(finalUrl, status, { ...headers, 'content-length': String(body.length) }, body),
  ];
}

/** `finalUrl`: the record's own address. Null for what is no response to keep. */
async function toResponse({ headers, block }: WarcRecord): Promise<KeptResponse | null> {
  const finalUrl = (headers?.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
  const date = toTime(headers?.get('warc-date'));
  if (block === null || date === null || !/^https?:/i.test(finalUrl) || parseUrl(finalUrl) === null) return null;
  const message = await readHttp(block, MAX_PAGE_BYTES);
  if (message === null || message.body === null) return null;
  const { status, contentType, headers: sent, body } = message;
  // from the future, it would stay for ever
  const receivedAt = new Date(Math.min(Date.parse(date), Date.now())).toISOString();
  // a version that somebody wrote into a file makes no request conditional: a server's “not changed” would make the body true
  const { etag: _, 'last-modified': __, ...headersSent } = sent;
  return { kind: 'response', finalUrl, status, contentType, headers: headersSent, body, receivedAt };
}

function isResponse(headers: Pick<Headers, 'get'>): boolean {
  return headers.get('warc-type') === 'response';
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function leadsTo(hop: Redirect | undefined, url: string): boolean {
  return hop !== undefined && parseUrl(hop.location, hop.url)?.href === new URL(url).href;
}

const VERSION = 'WARC/1.1';
const INFO = { software: 'Sidelight', format: 'WARC File Format 1.1' };
/** A body as large as the fetcher takes, and its headers. */
const MAX_RECORD_BYTES = MAX_PAGE_BYTES + 256 * 1024;
