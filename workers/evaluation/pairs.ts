/** Labelled claim–citation pairs, one JSON object a line, read as a stream. Judges nothing. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { RequestError } from '../../shared/errors.ts';

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
});
export type LabelledPair = z.infer<typeof LabelledPair>;
export type Label = LabelledPair['label'];

/** Throws RequestError naming line and field of the first line that is no pair. Empty lines are passed over. */
export async function* readPairs(path: string): AsyncGenerator<LabelledPair> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() !== '') yield parsePair(line, `${path}, line ${number}`);
  }
}

function parsePair(line: string, place: string): LabelledPair {
  const parsed = LabelledPair.safeParse(parseJson(line, place));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RequestError('malformed_pair', `${place}: ${issue?.path.join('.') || 'the line'}: ${issue?.message}`);
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new RequestError('malformed_pair', `${place}: is not JSON`);
  }
}
