/** Labelled claim–citation pairs, one JSON object a line, read as a stream. Judges nothing. */
import { z } from 'zod';
import { readRecords } from './jsonl.ts';

/** Section: the headings, or one heading as text. */
const Section = z.union([z.array(z.string()), z.string().transform((heading) => (heading === '' ? [] : [heading]))]);

export const LabelledPair = z.object({
  id: z.string(),
  claim: z.object({
    text: z.string().min(1),
    title: z.string().default(''),
    section: Section.default([]),
    context: z.string().default(''),
  }),
  sources: z.array(z.object({ url: z.string(), title: z.string().default(''), text: z.string() })).min(1),
  label: z.enum(['supported', 'partially_supported', 'not_supported']),
  /** Rows of one article are no independent measurements (bootstrap.ts). Where absent, the claim's title counts. */
  article: z.string().optional(),
  /** What is wrong or right with the claim, in the words of the data: figures are given for each. */
  kind: z.string().optional(),
});
export type LabelledPair = z.infer<typeof LabelledPair>;
export type Label = LabelledPair['label'];

/** The pairs of the files one after the other. Errors: those of jsonl.ts. */
export async function* readPairs(...paths: string[]): AsyncGenerator<LabelledPair> {
  for (const path of paths) yield* readRecords({ path, schema: LabelledPair });
}
