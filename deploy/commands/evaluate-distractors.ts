/** `sidelight evaluate distractors`: files of documents → a file of hard distractors, to be measured with beside them. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { makeDistractors } from '../../workers/evaluation/retrieval/distractors.ts';
import { readPages } from '../../workers/evaluation/retrieval/pages.ts';
import type { Page } from '../../workers/verification/passages.ts';
import { print } from './print.ts';

export interface EvaluateDistractorsOptions {
  corpus: string[];
  /** About how many. */
  passages: number;
  seed: number;
  /** `.gz` is compressed. */
  out: string;
  json: boolean;
}

/** Throws RequestError for a file that is not there. */
export async function evaluateDistractors(options: EvaluateDistractorsOptions): Promise<void> {
  const pages: Page[] = [];
  const onBroken = (detail: string) => process.stderr.write(`left out: ${detail}\n`);
  for await (const page of readPages(options.corpus, onBroken)) pages.push(page);
  const made = { pages: 0, passages: 0 };
  function* written(): Generator<string> {
    for (const { id, url, title, text, passages } of makeDistractors(pages, options.passages, options.seed)) {
      made.pages += 1;
      made.passages += passages;
      yield `${JSON.stringify({ id, url, title, text })}\n`;
    }
  }
  const out = createWriteStream(options.out);
  const lines = Readable.from(written());
  await (options.out.endsWith('.gz') ? pipeline(lines, createGzip(), out) : pipeline(lines, out));
  print(options.json ? made : `${made.passages} passages of ${made.pages} pages in ${options.out}`);
}
