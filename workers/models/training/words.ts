/** Partly supported pairs of pairs.py → their claims' words with the features of each, one JSON object a line, for train_missing.py. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { readPage, select } from '../../verification/select.ts';
import { findTerms } from '../../verification/terms.ts';
import { measureWords, WORD_FEATURES } from '../../verification/word-support.ts';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: node .build/workers/models/training/words.js PAIRS.jsonl > words.jsonl\n');
  process.exit(2);
}

const Pair = z.object({
  group: z.string(),
  source: z.string(),
  label: z.string(),
  claim: z.object({ text: z.string() }),
  sources: z.array(z.object({ url: z.string(), title: z.string(), text: z.string() })),
  missing: z.array(z.tuple([z.number(), z.number()])).default([]),
});

for await (const line of createInterface({ input: createReadStream(file) })) {
  const { group, source, label, claim, sources, missing } = Pair.parse(JSON.parse(line));
  if (label !== 'partially_supported' || missing.length === 0) continue;
  const { passages } = select(findTerms(claim.text), sources.map(readPage));
  const words = measureWords(
    claim.text,
    passages.map(({ passage }) => passage),
  );
  const row = {
    group,
    source,
    names: WORD_FEATURES,
    missing: words.map((word) => missing.some(([start, end]) => start < word.end && end > word.start)),
    features: words.map(({ features }) => WORD_FEATURES.map((name) => Number(features[name].toFixed(3)))),
  };
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
