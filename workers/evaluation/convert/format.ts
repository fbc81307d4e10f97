/** What a converter is: how its format's records look, which pages they need, and which pair each makes. Converts nothing. */
import type { z } from 'zod';
import type { LabelledPair } from '../pairs.ts';

export interface SourcePage {
  url: string;
  title: string;
  text: string;
}

/** Pages by key, as `pagesOf` names them. */
export type Pages = ReadonlyMap<string, SourcePage>;

export interface Format<T> {
  schema: z.ZodType<T>;
  /** `lines`: one JSON object a line; `document`: one JSON document, an array or `{rows}`. */
  layout: 'lines' | 'document';
  /** Lines that are no record, such as a header. */
  isHeader?: (value: unknown) => boolean;
  /** Set where the records name pages whose text stands in a file of its own. */
  pages?: {
    /** No record has text without them. */
    required: boolean;
    schema: z.ZodType<SourcePage>;
    /** Keys of the pages that a record needs. */
    keysOf(record: T): string[];
    keyOf(page: SourcePage): string;
  };
  /** Null: the record can't be a pair (no text of its source, no label), which is counted and no error. */
  convert(record: T, pages: Pages): LabelledPair | null;
}

/** Of an article of English Wikipedia, whose titles the formats give. */
export function wikipediaUrl(title: string): string {
  return `https://en.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`;
}
