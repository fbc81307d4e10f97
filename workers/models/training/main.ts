/** Labelled pairs → the features that the verifier sees, one JSON object a line, for train_verifier.py. */

import { readPairs } from '../../evaluation/pairs.ts';
import { loadEncoder } from '../../verification/encoder.ts';
import { explain } from '../../verification/verifier.ts';

const [pairs, models = 'workers/models'] = process.argv.slice(2);
if (pairs === undefined) {
  process.stderr.write(
    'usage: node .build/workers/models/training/main.js PAIRS.jsonl [MODELS_DIR] > features.jsonl\n',
  );
  process.exit(2);
}

const encoder = await loadEncoder(models);
for await (const { id, claim, sources, label } of readPairs(pairs)) {
  const features = await explain(encoder, claim, sources);
  process.stdout.write(`${JSON.stringify({ id, article: claim.title, label, encoder: encoder.version, features })}\n`);
}
