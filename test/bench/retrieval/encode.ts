/** Passages a second of the bi-encoder, in one process and in one a core, beside sentence-transformers on the same cores and texts. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { loadBiEncoder } from '../../../workers/retrieval/dense/bi-encoder.ts';
import { median, time } from '../numbers.ts';
import { startPython } from '../python.ts';
import { claimOfPairs } from '../verification/inputs.ts';

const PASSAGES = 130;
const CORES = availableParallelism();
const Answer = z.object({ ms: z.number().positive() });

export interface EncodeBenchOptions {
  rounds: number;
  modelsDir: string;
  /** With the packages of workers/models/training/requirements.txt. */
  python: string;
}

/**
 * `passages_per_second`: of one process with a thread a core; `_processes`: of one process a core, as workers run.
 * Engines take turns in each round; medians over `rounds`, the first round of all warms up. The program that calls this must run
 * `encodeInTurn` for the argument `encode-in-turn`. Throws RefuseToStart where the model or a Python package is missing.
 */
export async function benchEncode({ rounds, modelsDir, python }: EncodeBenchOptions) {
  const texts = makeTexts();
  const encoder = await loadBiEncoder(modelsDir, { threads: CORES });
  const peer = await startPeer(python, texts);
  const children = await Promise.all(Array.from({ length: CORES }, () => startChild(process.argv[1] ?? '')));
  const engines = {
    shipped: () => time(() => encoder.encode(texts)),
    processes: () => time(() => Promise.all(children.map((child, at) => encodeBy(child, partOf(texts, at))))),
    peer: () => peer.run(),
  };
  const measured: Record<keyof typeof engines, number[]> = { shipped: [], processes: [], peer: [] };
  for (let round = -1; round < rounds; round += 1) {
    for (const engine of inTurn(round)) {
      const ms = await engines[engine]();
      if (round >= 0) measured[engine].push(ms);
    }
  }
  peer.stop();
  for (const child of children) child.disconnect();
  return summarise(measured);
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

function summarise({ shipped, processes, peer }: Record<'shipped' | 'processes' | 'peer', number[]>) {
  const perSecond = (ms: number[]) => (PASSAGES * 1000) / median(ms);
  const ratio = (ms: number[]) => median(ms.map((ours, at) => (peer[at] ?? Number.NaN) / ours));
  return {
    passages_per_second: perSecond(shipped),
    passages_per_second_processes: perSecond(processes),
    passages_per_second_sentence_transformers: perSecond(peer),
    ratio_to_sentence_transformers: ratio(shipped),
    ratio_to_sentence_transformers_processes: ratio(processes),
  };
}

/** Another one begins each round. */
function inTurn(round: number) {
  const engines = ['shipped', 'processes', 'peer'] as const;
  return engines.map((_, at) => engines[(at + round + engines.length) % engines.length] ?? 'shipped');
}

/** Of 4 to 11 sentences, as passages of about 100 words are. */
function makeTexts(): string[] {
  return Array.from({ length: PASSAGES / 13 }, (_, at) => claimOfPairs(at)).flatMap((pairs) =>
    pairs.map(({ text }) => text),
  );
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
  await peer.ask({ threads: CORES, texts });
  return {
    run: async () => Answer.parse(await peer.ask({})).ms,
    stop: peer.stop,
  };
}
