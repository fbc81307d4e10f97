/** Files that the tests of this folder read, made here. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { WARCRecord, WARCSerializer } from 'warcio';
import type { CorpusInput, Entry, PageRecord } from '../../../../../workers/retrieval/corpus/page-record.ts';

export async function readAll(input: CorpusInput, after = 0): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of input.entries(after, new AbortController().signal)) entries.push(entry);
  return entries;
}

export function pagesOf(entries: Entry[]): PageRecord[] {
  return entries.flatMap((entry) => (entry.kind === 'page' ? [entry.page] : []));
}

/** `3 no_url`: position and code of what is broken, `3 page` of what is not. */
export function outline(entries: Entry[]): string[] {
  return entries.map((entry) => `${entry.position} ${entry.kind === 'page' ? 'page' : entry.code}`);
}

export type RecordOptions = NonNullable<Parameters<typeof WARCRecord.create>[0]>;

/** One record, as the library writes it. */
export async function record(options: RecordOptions, block: Uint8Array | string = ''): Promise<Buffer> {
  const created = WARCRecord.create({ date: '2024-03-05T06:07:08Z', ...options }, [Buffer.from(block)]);
  return Buffer.from(await WARCSerializer.serialize(created));
}

export function htmlRecord(
  url: string,
  html: string | Buffer,
  httpHeaders: Record<string, string> = {},
): Promise<Buffer> {
  return record(
    { url, type: 'response', httpHeaders: { 'Content-Type': 'text/html; charset=utf-8', ...httpHeaders } },
    html,
  );
}

export function textRecord(url: string, text: string, language = 'eng'): Promise<Buffer> {
  const warcHeaders = { 'WARC-Identified-Content-Language': language, 'Content-Type': 'text/plain' };
  return record({ url, type: 'conversion', warcHeaders }, text);
}

/** A member a record, as Common Crawl compresses its files. */
export function compressEach(records: Buffer[]): Buffer {
  return Buffer.concat(records.map((each) => gzipSync(each)));
}

/** Writes pieces until there are no more, so that a large file is never held. */
export async function writePieces(path: string, pieces: Iterable<Buffer>): Promise<void> {
  const file = createWriteStream(path);
  for (const piece of pieces) if (!file.write(piece)) await once(file, 'drain');
  file.end();
  await once(file, 'close');
}
