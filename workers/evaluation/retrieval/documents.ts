/** Sphere-style JSONL (`id,url,title,text`; .gz or not) → documents, read as a stream. A line that can't be used is told and passed over. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '../../../shared/json.ts';
import { canonicalUrl } from '../../../shared/url.ts';
import { requireFile } from '../jsonl.ts';

export const Document = z.object({
  url: z.string().refine((url) => canonicalUrl(url) !== null, 'is no http(s) URL'),
  title: z.string().nullish(),
  text: z.string().min(1),
});
export type Document = z.infer<typeof Document>;

/** Throws RequestError for a file that is not there. `onBroken`: file, line and what is wrong with it. */
export async function* readDocuments(path: string, onBroken: (detail: string) => void): AsyncGenerator<Document> {
  await requireFile(path);
  const file = createReadStream(path);
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const parsed = Document.safeParse(parseJson(line));
    if (parsed.success) yield parsed.data;
    else onBroken(`${path}, line ${number}: ${describe(parsed.error)}`);
  }
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0];
  return `${issue?.path.join('.') || 'the record'}: ${issue?.message}`;
}
