/** Labelled claim–citation pairs, one JSON object a line, read as a stream. Judges nothing. */
import { type FileHandle, open } from 'node:fs/promises';
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
  /** Rows of one article are no independent measurements (bootstrap.ts). Where absent, the claim's title counts. */
  article: z.string().optional(),
  /** What is wrong or right with the claim, in the words of the data: figures are given for each. */
  kind: z.string().optional(),
});
export type LabelledPair = z.infer<typeof LabelledPair>;
export type Label = LabelledPair['label'];

/**
 * The pairs of the files one after the other. Throws RequestError `no_such_file` for a file that can't be read, and
 * `malformed_pair` naming line and field of the first line that is no pair. Empty lines are passed over.
 */
export async function* readPairs(...paths: string[]): AsyncGenerator<LabelledPair> {
  for (const path of paths) yield* readFile(path);
}

async function* readFile(path: string): AsyncGenerator<LabelledPair> {
  const file = await openFile(path);
  let number = 0;
  for await (const line of file.readLines()) {
    number += 1;
    if (line.trim() !== '') yield parsePair(line, `${path}, line ${number}`);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new RequestError('no_such_file', `${path}: can't be read (${error.code})`);
  });
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw new RequestError('no_such_file', `${path}: is a folder`);
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
