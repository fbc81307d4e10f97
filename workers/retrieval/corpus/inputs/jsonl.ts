/**
 * Sphere-style JSONL, `.gz` too: one object a line with `url`, `title` and `text`; `id` and what else it has is left. Ours
 * besides: `language`, `crawledAt`, `publishedAt`. In: a path. Out: entries whose position is the line.
 */
import { z } from 'zod';
import { parseJson } from '../../../../shared/json.ts';
import type { CorpusInput, Entry } from '../page-record.ts';
import { BrokenStream, readBytes } from './bytes.ts';
import { type Line, splitLines } from './lines.ts';
import { broken, fromText, MAX_PAGE_BYTES, type Made, toEntry, toTime } from './make-page.ts';

export function openJsonl(path: string): CorpusInput {
  let progress = () => 0;
  return {
    kind: 'jsonl',
    name: path,
    async *entries(after, signal) {
      const reader = await readBytes(path);
      progress = reader.progress;
      yield* joinPassages(readEntries(reader.pieces, after, signal));
    },
    progress: () => progress(),
  };
}

async function* readEntries(pieces: AsyncIterable<Buffer>, after: number, signal: AbortSignal): AsyncGenerator<Entry> {
  let last = 0;
  try {
    for await (const line of splitLines(pieces, MAX_PAGE_BYTES)) {
      signal.throwIfAborted();
      last = line.number;
      const made = line.number <= after ? null : readLine(line);
      if (made !== null) yield toEntry(made, line.number, `line ${line.number}`);
    }
  } catch (error) {
    if (!(error instanceof BrokenStream)) throw error;
    if (last + 1 > after) yield toEntry(broken(error.code, ''), last + 1, `line ${last + 1}`);
  }
}

/** Null for a blank line. */
function readLine({ number, bytes, isWhole }: Line): Made | null {
  if (bytes === null) return broken('too_large', `more than ${MAX_PAGE_BYTES} bytes`);
  const text = bytes.toString().slice(number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 1 : 0);
  if (text.trim() === '') return null;
  const value = parseJson(text);
  if (value === undefined) return broken(isWhole ? 'not_json' : 'truncated', '');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return broken('not_json', 'not an object');
  const parsed = JsonLine.safeParse(value);
  if (!parsed.success) return broken('bad_fields', parsed.error.issues.map(({ path }) => path.join('.')).join(', '));
  const { url, title, text: own, raw, language, crawledAt, publishedAt } = parsed.data;
  return fromText({
    url: url ?? '',
    title: title ?? '',
    text: own ?? raw ?? '',
    language: language ?? '',
    crawledAt: toTime(crawledAt),
    publishedAt: z.iso.date().safeParse(publishedAt?.slice(0, 10)).data ?? null,
  });
}

/**
 * Sphere is published as passages of 100 words, one a line (https://github.com/facebookresearch/Sphere): lines of that length
 * which follow each other under one address are one page. The page's position is that of its last line.
 */
async function* joinPassages(entries: AsyncIterable<Entry>): AsyncGenerator<Entry> {
  let held: Entry | null = null;
  let last = '';
  for await (const entry of entries) {
    const joined: Entry | null = held === null ? null : join(held, last, entry);
    if (joined === null && held !== null) yield held;
    held = joined ?? entry;
    last = entry.kind === 'page' ? entry.page.text : '';
  }
  if (held !== null) yield held;
}

/** `last`: the text of the line before. Null where `next` is a page of its own: a page that is given twice is one, too. */
function join(held: Entry, last: string, next: Entry): Entry | null {
  if (held.kind !== 'page' || next.kind !== 'page' || held.page.url !== next.page.url) return null;
  if (!isPassage(last) || !isPassage(next.page.text) || held.page.text.includes(next.page.text)) return null;
  const text = `${held.page.text}\n${next.page.text}`;
  return text.length > MAX_JOINED ? null : { ...next, page: { ...held.page, text } };
}

function isPassage(text: string): boolean {
  return text.length <= MAX_PASSAGE * 20 && (text.match(/\S+/g)?.length ?? 0) <= MAX_PASSAGE;
}

const Text = z.string().nullish();
const JsonLine = z.object({
  url: Text,
  title: Text,
  text: Text,
  /** As Sphere's own files name it. */
  raw: Text,
  language: Text,
  crawledAt: Text,
  publishedAt: Text,
});
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Words. */
const MAX_PASSAGE = 150;
/** Characters; more than `splitPassages` reads of a page. */
const MAX_JOINED = 2_000_000;
