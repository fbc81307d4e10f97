/**
 * What every input of the corpus gives: pages, and what could not be read of it. In file order, so that a build that was
 * stopped goes on after the last position it took. Only schemas and types.
 */
import { z } from 'zod';

/** One page, as it was crawled. `text`: one block (paragraph, list item, table row) a line. */
export const PageRecord = z.object({
  /** http or https: only such a page can be cited. */
  url: z.url({ protocol: /^https?$/ }),
  /** '' if it has none. */
  title: z.string(),
  text: z.string().min(1),
  /** BCP 47, '' if unknown. */
  language: z.string(),
  /** ISO time in UTC; null if the input does not say. */
  crawledAt: z.iso.datetime().nullable(),
  /** The day that the page itself gives; null if it gives none. */
  publishedAt: z.iso.date().nullable(),
});
export type PageRecord = z.infer<typeof PageRecord>;

/** Why an entry of an input is no page. */
export const BrokenCode = z.enum([
  /** Text without an address. */
  'no_url',
  /** An address that is not http(s). */
  'bad_url',
  /** An address without text. */
  'no_text',
  /** A line that is no JSON object. */
  'not_json',
  /** A field of another type than the format says, or a record whose headers can't be read. */
  'bad_fields',
  /** HTML or PDF of which no text could be made: damaged, a scan, a shell for scripts, a paywall. */
  'unreadable',
  /** The input ends in the middle of it; nothing after it can be read. */
  'truncated',
  /** Compressed data that is damaged; nothing after it can be read. */
  'damaged',
  /** More than a page may have: passed over, not held. */
  'too_large',
  /** Neither HTML nor PDF nor plain text. */
  'unsupported_type',
]);
export type BrokenCode = z.infer<typeof BrokenCode>;

/**
 * One entry of an input. `position` grows from entry to entry (line, record, file), starts at 1 and may leave gaps: entries
 * after it are those that are still to do. `detail` names the place for a person: `line 17: …`, at most 300 characters.
 */
export const Entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('page'), position: z.int().positive(), page: PageRecord }),
  z.object({ kind: z.literal('broken'), position: z.int().positive(), code: BrokenCode, detail: z.string().max(300) }),
]);
export type Entry = z.infer<typeof Entry>;

/** An input that was opened; it can be read more than once. Memory does not grow with its size. */
export interface CorpusInput {
  kind: 'jsonl' | 'warc' | 'folder' | 'fetched';
  /** For people: the path, or `fetched`. */
  name: string;
  /** Entries after a position (0: all), those before it passed over without being made to pages. Throws when aborted. */
  entries(after: number, signal: AbortSignal): AsyncIterable<Entry>;
  /** Share of the input that the last `entries` has read, 0 to 1: for a progress bar. */
  progress(): number;
}
