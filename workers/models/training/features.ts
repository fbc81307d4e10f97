/** Labelled pairs → the features that the verifier sees, one JSON object a line, for train_verifier.py. */
import { readPairs } from '../../evaluation/pairs.ts';
import { explain, loadModels } from '../../verification/verifier.ts';

const [pairs, models = 'workers/models'] = process.argv.slice(2);
if (pairs === undefined) {
  process.stderr.write(
    'usage: node .build/workers/models/training/features.js PAIRS.jsonl [MODELS_DIR] > features.jsonl\n',
  );
  process.exit(2);
}

const loaded = await loadModels(models);
const versions = { crossEncoder: loaded.crossEncoder.version, encoder: loaded.encoder.version };
for await (const { id, claim, sources, label, kind, article = claim.title } of readPairs(pairs)) {
  const features = await explain(loaded, claim, sources);
  process.stdout.write(`${JSON.stringify({ id, article, label, kind, ...versions, features })}\n`);
}
