/** Passages a second of the bi-encoder, in one process and in one a core, beside sentence-transformers on the same cores and texts. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { RefuseToStart } from '../../../shared/errors.ts';
import { loadBiEncoder } from '../../../workers/retrieval/dense/bi-encoder.ts';
import { beside, line, type Measured, type Result } from '../benchmark.ts';
import { median, time } from '../numbers.ts';
import { startPython } from '../peer-process.ts';
import { inTurns, timesAsFast } from '../turns.ts';
import { claimOfPairs } from '../verification/inputs.ts';

const CORES = availableParallelism();
const Answer = z.object({ ms: z.number().positive() });

export interface EncodeBenchOptions {
  rounds: number;
  /** How many are encoded in a round. */
  passages: number;
  modelsDir: string;
  /** With the packages of workers/models/training/requirements.txt. */
  python: string;
}

/**
 * `passages_per_second`: of one process with a thread a core; `_processes`: of one process a core, as workers run.
 * The program that calls this must run `encodeInTurn` for the argument `encode-in-turn`. Throws RefuseToStart where the model is missing.
 */
export async function benchEncode({ rounds, passages, modelsDir, python }: EncodeBenchOptions): Promise<Measured> {
  const texts = makeTexts(passages);
  const encoder = await loadBiEncoder(modelsDir, { threads: CORES });
  const peer = await startPeer(python, texts);
  const children = await Promise.all(Array.from({ length: CORES }, () => startChild(process.argv[1] ?? '')));
  const times = await inTurns(
    {
      shipped: () => time(() => encoder.encode(texts)),
      processes: () => time(() => Promise.all(children.map((child, at) => encodeBy(child, partOf(texts, at))))),
      peer: 'missing' in peer ? null : peer.run,
    },
    rounds,
  );
  if (!('missing' in peer)) peer.stop();
  for (const child of children) child.disconnect();
  const rate = (ms: readonly number[]) => (passages * 1000) / median(ms);
  const figures = {
    passages_per_second: rate(times.shipped),
    passages_per_second_processes: rate(times.processes),
    passages_per_second_sentence_transformers: rate(times.peer),
    ratio_to_sentence_transformers: timesAsFast(times.shipped, times.peer),
    ratio_to_sentence_transformers_processes: timesAsFast(times.processes, times.peer),
  };
  const of = (name: string, ms: readonly number[]): Result => {
    const compared = { name, ours: rate(ms), unit: 'passages/s', peerName: 'sentence-transformers, fp32' };
    if ('missing' in peer) return line({ ...compared, note: peer.missing });
    return { ...beside({ ...compared, peer: rate(times.peer), better: 'more' }), ratio: timesAsFast(ms, times.peer) };
  };
  return {
    figures,
    results: [of('encode, one process', times.shipped), of('encode, a process a core', times.processes)],
  };
}

/** The child: says that it is ready, then encodes what it is sent. */
export async function encodeInTurn(modelsDir: string): Promise<void> {
  const encoder = await loadBiEncoder(modelsDir, { threads: 1 });
  process.on('message', async (message) => {
    await encoder.encode(z.array(z.string()).parse(message));
    process.send?.('done');
  });
  process.send?.('ready');
}

/** Of 4 to 11 sentences, as passages of about 100 words are. */
function makeTexts(count: number): string[] {
  const claims = Array.from({ length: Math.ceil(count / 13) }, (_, at) => claimOfPairs(at));
  return claims.flatMap((pairs) => pairs.map(({ text }) => text)).slice(0, count);
}

/** Each of as many texts of each length. */
function partOf(texts: readonly string[], part: number): string[] {
  return [...texts].sort((a, b) => a.length - b.length).filter((_, at) => at % CORES === part);
}

async function startChild(program: string): Promise<ChildProcess> {
  const child = fork(program, ['encode-in-turn']);
  await once(child, 'message');
  return child;
}

async function encodeBy(child: ChildProcess, texts: string[]): Promise<void> {
  child.send(texts);
  await once(child, 'message');
}

async function startPeer(python: string, texts: string[]) {
  const peer = startPython(python, 'test/bench/retrieval/encode.py');
  try {
    await peer.ask({ threads: CORES, texts });
  } catch (error) {
    if (error instanceof RefuseToStart) return { missing: error.message };
    throw error;
  }
  return { run: async () => Answer.parse(await peer.ask({})).ms, stop: peer.stop };
}
