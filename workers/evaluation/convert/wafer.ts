/**
 * WAFER, `wafer-{train,dev,fail-dev}.jsonl` (Petroni et al. 2023) → pairs: a citation that stands is supported, one of fail-dev
 * ({{failed verification}}) is not. The texts are not in the records: a pages file has them, as Sphere has, by URL.
 */
import { z } from 'zod';
import type { LabelledPair } from '../pairs.ts';
import type { Format, Pages, SourcePage } from './format.ts';
import { readHeadings } from './sections.ts';

const Provenance = z.object({ url: z.string(), title: z.string().nullish(), text: z.string().nullish() });

const Record = z.object({
  id: z.union([z.string(), z.number()]),
  /** Claim in its context, `[CIT]` where the marker stands. */
  input: z.string(),
  output: z.array(z.object({ answer: z.string(), provenance: z.array(Provenance) })).min(1),
  meta: z.object({
    wikipedia_title: z.string(),
    wikipedia_section: z.string(),
    /** Of the paragraph, up to the claim: the last has the marker. */
    sentences: z.array(z.string()).min(1),
  }),
});
type Record = z.infer<typeof Record>;

export const wafer: Format<Record> = {
  schema: Record,
  layout: 'lines',
  pages: {
    required: false,
    schema: z.object({ url: z.string(), title: z.string().nullish(), text: z.string() }).transform(withTitle),
    keysOf: ({ output }) => output.flatMap(({ provenance }) => provenance.map(({ url }) => url)),
    keyOf: ({ url }) => url,
  },
  convert(record, pages) {
    const sources = listSources(record, pages);
    const claim = readClaim(record);
    if (sources.length === 0 || claim.text === '') return null;
    return { id: String(record.id), claim, sources, label: labelOf(record), article: record.meta.wikipedia_title };
  },
};

function withTitle({ url, title, text }: { url: string; title?: string | null | undefined; text: string }): SourcePage {
  return { url, title: title ?? '', text };
}

/** Several answers are the citations of one claim. Sphere's passages of one page are joined. */
function listSources({ output }: Record, pages: Pages): SourcePage[] {
  const sources = new Map<string, SourcePage>();
  for (const { url, title, text } of output.flatMap(({ provenance }) => provenance)) {
    const known = sources.get(url);
    const page = pages.get(url);
    if (page !== undefined) sources.set(url, { ...page, title: page.title || (title ?? '') });
    else if (text) sources.set(url, { url, title: title ?? '', text: known ? `${known.text}\n${text}` : text });
  }
  return [...sources.values()];
}

export function readClaim({ meta }: Pick<Record, 'meta'>): LabelledPair['claim'] {
  const sentences = meta.sentences.map((sentence) => sentence.replace(/\s*\[CIT\]/g, '').trim());
  return {
    text: sentences.at(-1) ?? '',
    title: meta.wikipedia_title,
    section: readHeadings(meta.wikipedia_section),
    context: sentences.slice(0, -1).join(' '),
  };
}

function labelOf({ output }: Record): LabelledPair['label'] {
  return output.some(({ answer }) => FAILED.test(answer)) ? 'not_supported' : 'supported';
}

/** `{Failed verification}` or, as on the wiki, `{{failed verification|date=…}}`. */
const FAILED = /^\{+\s*failed verification/i;
