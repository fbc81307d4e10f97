/** `sidelight evaluate verification`: the shipped engine on labelled pairs. Out: the figures of the literature. */
import { stat } from 'node:fs/promises';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { evaluateVerification, readPairs } from '../../workers/evaluation/verification.ts';
import { loadEncoder } from '../../workers/verification/encoder.ts';
import { loadVerifier } from '../../workers/verification/verifier.ts';
import { print } from './print.ts';

export async function evaluate(config: Config, options: { pairs: string; json: boolean }): Promise<void> {
  const file = await stat(options.pairs).catch(() => null);
  if (file === null || file.isDirectory()) {
    throw new RequestError('no_such_file', `--pairs: there is no file ${options.pairs}`);
  }
  const verifier = await loadVerifier(config.modelsDir, await loadEncoder(config.modelsDir));
  const figures = await evaluateVerification({ verifier, pairs: readPairs(options.pairs) });
  const lines = Object.entries(figures).map(([name, value]) => `${name.padEnd(24)} ${Number(value.toFixed(4))}`);
  print(options.json ? figures : lines.join('\n'));
}
