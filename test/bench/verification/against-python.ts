/** The model alone, in this process and in Python's: batches of 128 and of 256 tokens, in turns. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { BATCH_TOKENS, type CrossEncoder, THREADS } from '../../../workers/verification/cross-encoder.ts';
import { openSession } from '../../../workers/verification/onnx.ts';
import { type Pair, type PairTokens, readTokenizer } from '../../../workers/verification/pair-tokens.ts';
import { type Batch, makeBatches } from '../../../workers/verification/token-batches.ts';
import { median, time } from '../numbers.ts';
import { pairsOf } from './inputs.ts';
import { startPeer } from './peer.ts';

const LENGTHS = [128, 256] as const;
const PAIRS = 32;

interface Set {
  name: string;
  pairs: Pair[];
  sequences: PairTokens[];
  batches: Batch[];
}

/** `pairs_per_second_*`: of the shipped cross-encoder, tokenising included. Ratios: of the runs alone, both lengths together. */
export async function compareWithPython(encoder: CrossEncoder, modelsDir: string, python: string, rounds: number) {
  const model = join(modelsDir, 'cross-encoder', 'model.int8.onnx');
  const sets = await makeSets(join(modelsDir, 'cross-encoder', 'tokenizer.json'));
  const session = await openSession(await readFile(model), THREADS);
  const peer = await startPeer({ python, model, threads: THREADS, sets: Object.fromEntries(sets.map(rowsOf)) });
  const engines = {
    shipped: (set: Set) => time(() => encoder.score(set.pairs)),
    runs: (set: Set) => time(() => runAll(session, set.batches)),
    pytorch: (set: Set) => peer.run('pytorch', set.name),
    python: (set: Set) => peer.run('onnxruntime', set.name),
  };
  const measured: Record<keyof typeof engines, number>[] = [];
  const perLength = new Map<string, number[]>(sets.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    const sums = { shipped: 0, runs: 0, pytorch: 0, python: 0 };
    for (const set of sets) {
      for (const engine of inTurn(round)) {
        const ms = await engines[engine](set);
        sums[engine] += ms;
        if (engine === 'shipped' && round >= 0) perLength.get(set.name)?.push((PAIRS * 1000) / ms);
      }
    }
    // the first round warms up
    if (round >= 0) measured.push(sums);
  }
  peer.stop();
  return {
    ratio_to_pytorch_fp32: median(measured.map(({ pytorch, runs }) => pytorch / runs)),
    ratio_to_python_onnxruntime: median(measured.map(({ python, runs }) => python / runs)),
    ...Object.fromEntries(sets.map(({ name }) => [`pairs_per_second_${name}`, median(perLength.get(name) ?? [])])),
  };
}

/** Another one begins each round. */
function inTurn(round: number) {
  const engines = ['shipped', 'runs', 'pytorch', 'python'] as const;
  return engines.map((_, at) => engines[(at + round + engines.length) % engines.length] ?? 'runs');
}

async function makeSets(tokenizer: string): Promise<Set[]> {
  const tokenize = readTokenizer(JSON.parse(await readFile(tokenizer, 'utf8')), Math.max(...LENGTHS));
  return LENGTHS.map((tokens) => {
    const pairs = pairsOf(tokens, PAIRS, tokenize);
    const sequences = pairs.map(tokenize);
    return { name: String(tokens), pairs, sequences, batches: [...makeBatches(sequences, BATCH_TOKENS)] };
  });
}

function rowsOf({ name, sequences, batches }: Set): [string, PairTokens[][]] {
  return [name, batches.map(({ places }) => places.flatMap((place) => sequences[place] ?? []))];
}

async function runAll(session: InferenceSession, batches: readonly Batch[]): Promise<void> {
  for (const { inputs } of batches) await session.run(inputs, ['logits']);
}
