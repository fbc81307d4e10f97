/**
 * Labelled pairs, one JSON object a line → the same with what the cross-encoder would read of their pages instead of these, so
 * that training sees exactly what the program sees.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { digest } from '../../verification/digest.ts';
import { readPage, select } from '../../verification/select.ts';
import { findTerms } from '../../verification/terms.ts';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: node .build/workers/models/training/passages.js PAIRS.jsonl > passages.jsonl\n');
  process.exit(2);
}

/** Whatever else stands in a pair is handed on. */
const Pair = z.looseObject({
  claim: z.looseObject({ text: z.string() }),
  sources: z.array(z.object({ url: z.string(), title: z.string(), text: z.string() })).min(1),
});

for await (const line of createInterface({ input: createReadStream(file) })) {
  const { sources, ...rest } = Pair.parse(JSON.parse(line));
  const claim = findTerms(rest.claim.text);
  const { passages, sentences } = select(claim, sources.map(readPage));
  const texts = passages.map(({ passage: { title, text } }) => ({ title, text }));
  const row = { ...rest, sourceTitle: sources[0]?.title, passages: texts, digest: digest(claim, sentences) };
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
