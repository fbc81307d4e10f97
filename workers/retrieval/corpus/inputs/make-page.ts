/** One page of an input, before it has its place there. In: an address with bytes or text. Out: a page, or a code why it is none. */
import type { UnavailableReason } from '../../../../shared/citation.ts';
import { parseHttpUrl } from '../../../../shared/url.ts';
import { decodePage } from '../../../source/extract/charset.ts';
import { extract } from '../../../source/extract/extract.ts';
import type { Failure } from '../../../source/fetch.ts';
import { reasonOfPage } from '../../../source/unavailable.ts';
import { detectLanguage } from '../../../verification/language.ts';
import type { BrokenCode, Entry, PageRecord } from '../page-record.ts';
import { readHead } from './head.ts';

export type Made = { kind: 'page'; page: PageRecord } | { kind: 'broken'; code: BrokenCode; detail: string };

/** No page is larger: as much as the fetcher takes. Bytes, after decompression. */
export const MAX_PAGE_BYTES = 15 * 1024 * 1024;

export interface Crawled {
  /** '' if the input has none. */
  url: string;
  body: Buffer;
  /** As sent, '' if nothing says. */
  contentType: string;
  crawledAt: string | null;
  /** What the input says of the language; '' if nothing. */
  language: string;
}

/** Reads bytes as the product reads a source: a page that could not be judged there is not offered here. */
export async function fromBytes({ body, contentType, ...crawled }: Crawled): Promise<Made> {
  const url = readUrl(crawled.url);
  if (typeof url !== 'string') return url;
  const extracted = await extract(body, contentType);
  if ('kind' in extracted) return broken(codeOf(extracted, body), `${extracted.reason}: ${extracted.detail}`);
  const { type, title, language, text, marks } = extracted;
  const reason = reasonOfPage({ requestedUrl: url, finalUrl: url, title, text, marks });
  if (reason !== null) return broken('unreadable', reason);
  const publishedAt = type === 'html' ? readHead(decodePage(body, contentType)).publishedAt : null;
  return fromText({ ...crawled, url, title, text, language: crawled.language || language, publishedAt });
}

/** Takes a text as it is. */
export function fromText(page: PageRecord): Made {
  const url = readUrl(page.url);
  if (typeof url !== 'string') return url;
  if (page.text.trim() === '') return broken('no_text', '');
  return { kind: 'page', page: { ...page, url, language: toTag(page.language) || detect(page.text) } };
}

export function broken(code: BrokenCode, detail: string): Extract<Made, { kind: 'broken' }> {
  return { kind: 'broken', code, detail };
}

/** `place` names where in the input it stands, for a person. */
export function toEntry(made: Made, position: number, place: string): Entry {
  if (made.kind === 'page') return { ...made, position };
  const detail = made.detail === '' ? place : `${place}: ${made.detail}`;
  return { ...made, position, detail: detail.slice(0, MAX_DETAIL) };
}

/** ISO time in UTC, of what an input writes as a time; null for what is none. */
export function toTime(said: string | null | undefined): string | null {
  const time = new Date(said ?? '');
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function readUrl(raw: string): string | Extract<Made, { kind: 'broken' }> {
  if (raw.trim() === '') return broken('no_url', '');
  const url = raw.trim().replace(/^\/\//, 'https://');
  return parseHttpUrl(url) === null ? broken('bad_url', url) : url;
}

function codeOf({ reason }: Failure, body: Buffer): BrokenCode {
  if (reason === 'unsupported_type' && body.subarray(0, 1024).includes('%PDF-')) return 'unreadable';
  return CODES.get(reason) ?? 'unreadable';
}

const CODES: ReadonlyMap<UnavailableReason, BrokenCode> = new Map([
  ['unsupported_type', 'unsupported_type'],
  ['too_large', 'too_large'],
]);

/** Common Crawl names several languages, in ISO 639-3, the most frequent one first: `eng,fra`. '' for what is no tag. */
function toTag(said: string): string {
  try {
    return Intl.getCanonicalLocales(said.split(',', 1))[0] ?? '';
  } catch {
    return '';
  }
}

/** From the middle of the page, away from its menus: a part tells as much as the whole, which takes ten times as long. */
function detect(text: string): string {
  const start = Math.max(0, Math.floor((text.length - SAMPLE) / 2));
  const { language, confident } = detectLanguage(text.slice(start, start + SAMPLE));
  return confident ? language : '';
}

/** Characters. */
const SAMPLE = 1400;
const MAX_DETAIL = 300;
