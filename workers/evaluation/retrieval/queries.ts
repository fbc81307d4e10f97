/**
 * WAFER and KILT query files (Petroni et al. 2021 and 2023) as they are → what is searched for, and which pages are right.
 * Searches nothing.
 */
import { z } from 'zod';
import { canonicalUrl } from '../../../shared/url.ts';
import { splitSentences } from '../../verification/passages.ts';
import { readClaim } from '../convert/wafer.ts';
import { readRecords } from '../jsonl.ts';
import type { LabelledPair } from '../pairs.ts';

export interface Query {
  id: string;
  claim: LabelledPair['claim'];
  /** Canonical URLs; finding one of them is enough. */
  answers: ReadonlySet<string>;
}

export interface Queries {
  queries: Query[];
  /** Records that name no page, or no claim: nothing can be measured with them. */
  leftOut: number;
}

/** Errors: those of jsonl.ts. */
export async function readQueries(path: string): Promise<Queries> {
  const queries: Query[] = [];
  let leftOut = 0;
  for await (const record of readRecords({ path, schema: QueryRecord })) {
    const query = { id: String(record.id), claim: claimOf(record), answers: answersOf(record) };
    if (query.answers.size > 0 && query.claim.text !== '') queries.push(query);
    else leftOut += 1;
  }
  return { queries, leftOut };
}

const QueryRecord = z.object({
  id: z.union([z.string(), z.number()]),
  /** `title [SEP] section [SEP] paragraph up to the claim [CIT]`. */
  input: z.string(),
  output: z
    .array(
      z.object({
        answer: z.string().nullish(),
        provenance: z.array(z.object({ url: z.string().nullish() })).nullish(),
      }),
    )
    .nullish(),
  meta: z
    .object({
      wikipedia_title: z.string().nullish(),
      wikipedia_section: z.string().nullish(),
      sentences: z.array(z.string()).nullish(),
    })
    .nullish(),
});
type QueryRecord = z.infer<typeof QueryRecord>;

/** From `meta`, and from `input` where that says less. */
function claimOf({ input, meta }: QueryRecord): Query['claim'] {
  const parts = input.split('[SEP]').map((part) => part.trim());
  const paragraph = (parts.at(-1) ?? '').replace(/\s*\[CIT\]/g, '');
  const sentences = splitSentences(paragraph).map(({ start, end }) => paragraph.slice(start, end));
  return readClaim({
    meta: {
      wikipedia_title: meta?.wikipedia_title ?? (parts.length > 1 ? (parts[0] ?? '') : ''),
      wikipedia_section: meta?.wikipedia_section ?? (parts.length > 2 ? (parts[1] ?? '') : ''),
      sentences: meta?.sentences?.length ? meta.sentences : sentences,
    },
  });
}

/** WAFER has the URL as answer and in the provenance; elsewhere the answer is a text. */
function answersOf({ output }: QueryRecord): Set<string> {
  const urls = (output ?? []).flatMap(({ answer, provenance }) => [
    answer,
    ...(provenance ?? []).map(({ url }) => url),
  ]);
  const canonical = urls.map((url) => (url ? canonicalUrl(url) : null));
  return new Set(canonical.filter((url) => url !== null));
}
