/**
 * The model alone in this process, in Python's and in PyTorch, and text to logits here and in transformers.js: pairs of 128 and of 256
 * tokens, in turns.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { BATCH_TOKENS, loadCrossEncoder, THREADS } from '../../../workers/verification/cross-encoder.ts';
import { openSession } from '../../../workers/verification/onnx.ts';
import { type Pair, type PairTokens, readTokenizer } from '../../../workers/verification/pair-tokens.ts';
import { type Batch, makeBatches } from '../../../workers/verification/token-batches.ts';
import { beside, type Measured, notMeasured, type Result } from '../benchmark.ts';
import { median, time } from '../numbers.ts';
import { inTurns, timesAsFast } from '../turns.ts';
import { pairsOf } from './inputs.ts';
import { type Peer, startPeers } from './peer.ts';

const LENGTHS = [128, 256] as const;

interface Set {
  name: string;
  pairs: Pair[];
  sequences: PairTokens[];
  batches: Batch[];
  /** Pairs of a batch. */
  rows: number;
}

/** `pairs`: of each length. */
export async function compareWithPeers(
  modelsDir: string,
  python: string,
  rounds: number,
  pairs: number,
): Promise<Measured> {
  const folder = join(modelsDir, 'cross-encoder');
  const sets = await makeSets(join(folder, 'tokenizer.json'), pairs);
  const [encoder, session] = [await loadCrossEncoder(modelsDir), await openOwn(folder)];
  const peers = await startPeers({ python, folder, threads: THREADS, sets: sets.map(peerSet) });
  const perLength = new Map<string, number[]>(sets.map(({ name }) => [name, []]));
  const times = await inTurns(
    {
      shipped: () => overAll(sets, (set) => timeShipped(set, () => encoder.score(set.pairs), perLength)),
      runs: () => overAll(sets, (set) => time(() => runAll(session, set.batches))),
      ...{ pytorch: asWork(peers.pytorch, sets), onnxruntime: asWork(peers.onnxruntime, sets) },
      transformersJs: asWork(peers.transformersJs, sets),
    },
    rounds,
  );
  peers.stop();
  const figures = {
    ratio_to_pytorch_fp32: timesAsFast(times.runs, times.pytorch),
    ratio_to_python_onnxruntime: timesAsFast(times.runs, times.onnxruntime),
    ratio_to_transformers_js: timesAsFast(times.shipped, times.transformersJs),
    // the first round warms up
    ...Object.fromEntries(
      sets.map(({ name }) => [`pairs_per_second_${name}`, median(perLength.get(name)?.slice(1) ?? [])]),
    ),
    ...{ threads: THREADS, batch_tokens: BATCH_TOKENS, rounds, model: encoder.version },
  };
  const rate = (ms: readonly number[]) => (sets.length * pairs * 1000) / median(ms);
  const results = [
    compared(
      'model, beside PyTorch',
      'PyTorch, fp32',
      peers.pytorch,
      rate(times.runs),
      rate(times.pytorch),
      figures.ratio_to_pytorch_fp32,
    ),
    compared(
      'model, beside onnxruntime',
      'onnxruntime in Python, the same 8-bit model',
      peers.onnxruntime,
      rate(times.runs),
      rate(times.onnxruntime),
      figures.ratio_to_python_onnxruntime,
    ),
    compared(
      'text to score, beside transformers.js',
      'transformers.js, the same 8-bit model',
      peers.transformersJs,
      rate(times.shipped),
      rate(times.transformersJs),
      figures.ratio_to_transformers_js,
    ),
  ];
  return { results, figures };
}

function compared(name: string, peerName: string, peer: Peer, ours: number, theirs: number, ratio: number): Result {
  if ('missing' in peer) return { ...notMeasured(name, peer.missing), ours, unit: 'pairs/s', peerName };
  return { ...beside({ name, unit: 'pairs/s', ours, peer: theirs, peerName, better: 'more' }), ratio };
}

async function overAll(sets: readonly Set[], work: (set: Set) => Promise<number>): Promise<number> {
  let sum = 0;
  for (const set of sets) sum += await work(set);
  return sum;
}

function asWork(peer: Peer, sets: readonly Set[]) {
  return 'missing' in peer ? null : () => overAll(sets, (set) => peer.run(set.name));
}

async function timeShipped({ name, pairs }: Set, score: () => Promise<unknown>, perLength: Map<string, number[]>) {
  const ms = await time(score);
  perLength.get(name)?.push((pairs.length * 1000) / ms);
  return ms;
}

async function openOwn(folder: string): Promise<InferenceSession> {
  return openSession(await readFile(join(folder, 'model.int8.onnx')), THREADS);
}

async function makeSets(tokenizer: string, count: number): Promise<Set[]> {
  const tokenize = readTokenizer(JSON.parse(await readFile(tokenizer, 'utf8')), Math.max(...LENGTHS));
  return LENGTHS.map((tokens) => {
    const pairs = pairsOf(tokens, count, tokenize);
    const sequences = pairs.map(tokenize);
    const batches = [...makeBatches(sequences, BATCH_TOKENS)];
    return { name: String(tokens), pairs, sequences, batches, rows: Math.max(1, Math.floor(BATCH_TOKENS / tokens)) };
  });
}

function peerSet({ name, pairs, rows, sequences, batches }: Set) {
  const tokens = batches.map(({ places }) => places.flatMap((place) => sequences[place] ?? []));
  return { name, pairs, rows, batches: tokens };
}

async function runAll(session: InferenceSession, batches: readonly Batch[]): Promise<void> {
  for (const { inputs } of batches) await session.run(inputs, ['logits']);
}
