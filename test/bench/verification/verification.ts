/** The benchmark of verification: all measurements one after the other, printed as a table or as one JSON object. */
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { BATCH_TOKENS, loadCrossEncoder, THREADS } from '../../../workers/verification/cross-encoder.ts';
import { openSession } from '../../../workers/verification/onnx.ts';
import { loadVerifier } from '../../../workers/verification/verifier.ts';
import { compareWithPython } from './against-python.ts';
import { watchMemory } from './memory.ts';
import { compareProcesses } from './processes.ts';
import { timeWholeClaims } from './whole-claim.ts';

export interface BenchOptions {
  json: boolean;
  rounds: number;
  /** Over which memory is watched. */
  pairs: number;
  modelsDir: string;
  python: string;
}

/** Throws RefuseToStart where a model or the Python peer is missing. */
export async function benchVerification({ json, rounds, pairs, modelsDir, python }: BenchOptions): Promise<void> {
  const encoder = await loadCrossEncoder(modelsDir);
  const verifier = await loadVerifier(modelsDir);
  const session = await openSession(await readFile(join(modelsDir, 'cross-encoder', 'model.int8.onnx')), THREADS);
  const measured = {
    ...(await compareWithPython(encoder, modelsDir, python, rounds)),
    ...(await timeWholeClaims(verifier, session, rounds)),
    ...(await compareProcesses(process.argv[1] ?? '', rounds)),
    ...(await watchMemory(encoder, pairs)),
    threads: THREADS,
    batch_tokens: BATCH_TOKENS,
    rounds,
    model: encoder.version,
    processor: `${cpus().length} × ${cpus()[0]?.model}`,
  };
  const rounded = Object.entries(measured).map(([key, value]) => [
    key,
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  ]);
  const table = rounded.map(([key, value]) => `${String(key).padEnd(30)}${value}`).join('\n');
  process.stdout.write(`${json ? JSON.stringify(Object.fromEntries(rounded)) : table}\n`);
}
