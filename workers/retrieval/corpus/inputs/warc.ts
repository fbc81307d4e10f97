/**
 * WARC and WET files as Common Crawl publishes them, compressed or not (https://commoncrawl.org/get-started). In: a path. Out:
 * entries whose position is the record. Pages that were sent with status 200, and texts made of pages, are entries; requests,
 * redirects, errors, images and metadata are none.
 */
import type { CorpusInput, Entry } from '../page-record.ts';
import { BrokenStream, readBytes } from './bytes.ts';
import { readHttp } from './http-message.ts';
import { broken, fromBytes, MAX_PAGE_BYTES, type Made, toEntry, toTime } from './make-page.ts';
import { readRecords, type WarcRecord } from './records.ts';

export function openWarc(path: string): CorpusInput {
  let progress = () => 0;
  return {
    kind: 'warc',
    name: path,
    async *entries(after, signal) {
      const reader = await readBytes(path);
      progress = reader.progress;
      yield* readEntries(reader.pieces, after, signal);
    },
    progress: () => progress(),
  };
}

async function* readEntries(pieces: AsyncIterable<Buffer>, after: number, signal: AbortSignal): AsyncGenerator<Entry> {
  let position = 0;
  const wants = (headers: Headed) => position >= after && kindOf(headers) !== null;
  try {
    for await (const record of readRecords(pieces, { wants, maxBytes: MAX_PAGE_BYTES })) {
      signal.throwIfAborted();
      position += 1;
      const made = position <= after ? null : await toPage(record);
      if (made !== null) yield toEntry(made, position, nameOf(position, record.headers));
    }
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error;
    if (position + 1 > after) yield toEntry(broken(error.code, ''), position + 1, nameOf(position + 1, null));
  }
}

type Headed = Pick<Headers, 'get'>;

/** Null for a record that is no entry. */
async function toPage({ headers, block }: WarcRecord): Promise<Made | null> {
  if (headers === null) return broken('bad_fields', 'no WARC record');
  const kind = kindOf(headers);
  if (kind === null) return null;
  if (block === null) return broken('too_large', `${headers.get('content-length')} bytes`);
  return kind === 'text' ? fromConversion(headers, block) : fromResponse(headers, block);
}

/** Images and what else no text can be made of is part of every crawl, and no fault of the file. */
async function fromResponse(headers: Headed, block: Buffer): Promise<Made | null> {
  const message = await readHttp(block, MAX_PAGE_BYTES);
  if (message === null) return broken('bad_fields', 'no HTTP message');
  const { status, contentType, body } = message;
  if (status !== 200) return null;
  if (body === null) return broken('too_large', `more than ${MAX_PAGE_BYTES} bytes after decompression`);
  const made = await fromBytes({ ...crawlOf(headers), body, contentType });
  return made.kind === 'broken' && made.code === 'unsupported_type' ? null : made;
}

/** The first line is the page's title: so Common Crawl writes its texts, and CCNet, of which Sphere was made, reads them. */
async function fromConversion(headers: Headed, block: Buffer): Promise<Made> {
  const made = await fromBytes({ ...crawlOf(headers), body: block, contentType: 'text/plain; charset=utf-8' });
  if (made.kind === 'broken') return made;
  const [title = '', ...lines] = made.page.text.split('\n');
  return lines.length === 0 ? made : { ...made, page: { ...made.page, title, text: lines.join('\n') } };
}

function crawlOf(headers: Headed) {
  return {
    url: addressOf(headers),
    crawledAt: toTime(headers.get('warc-date')),
    language: headers.get('warc-identified-content-language') ?? '',
  };
}

/** `page`: an HTTP response. `text`: what somebody made of one, as in WET files. */
function kindOf(headers: Headed): 'page' | 'text' | null {
  const type = headers.get('content-type') ?? '';
  switch (headers.get('warc-type')) {
    case 'response':
      return type === '' || /^application\/http\b/i.test(type) ? 'page' : null;
    case 'conversion':
      return /^text\/plain\b/i.test(type) ? 'text' : null;
    default:
      return null;
  }
}

/** wget puts it in angle brackets. */
function addressOf(headers: Headed): string {
  return (headers.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
}

function nameOf(position: number, headers: Headed | null): string {
  const address = headers === null ? '' : addressOf(headers);
  return address === '' ? `record ${position}` : `record ${position} (${address.slice(0, 200)})`;
}
