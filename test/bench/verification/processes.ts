/** Throughput of several processes of one thread each, beside one: whether workers scale by processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { loadCrossEncoder } from '../../../workers/verification/cross-encoder.ts';
import { median } from '../numbers.ts';
import { claimOfPairs } from './inputs.ts';

const PairsPerSecond = z.number().positive();

export interface ProcessesOptions {
  /** How many processes, each at a time. */
  counts: readonly number[];
  rounds: number;
  /** How long each scores. */
  spellMs: number;
}

/** Pairs a second of all together, by count: medians over rounds. The program that calls this must run `scoreOnOneThread` for `score-on-one-thread`. */
export async function compareProcesses({ counts, rounds, spellMs }: ProcessesOptions): Promise<Map<number, number>> {
  const children = await Promise.all(Array.from({ length: Math.max(...counts) }, start));
  const rates = new Map(counts.map((count) => [count, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const count of counts) {
      const spells = await Promise.all(children.slice(0, count).map((child) => spell(child, spellMs)));
      rates.get(count)?.push(spells.reduce((sum, rate) => sum + rate, 0));
    }
  }
  for (const child of children) child.disconnect();
  return new Map([...rates].map(([count, all]) => [count, median(all)]));
}

async function start(): Promise<ChildProcess> {
  const child = fork(process.argv[1] ?? '', ['score-on-one-thread']);
  await once(child, 'message');
  return child;
}

async function spell(child: ChildProcess, ms: number): Promise<number> {
  child.send(ms);
  const [answer] = await once(child, 'message');
  return PairsPerSecond.parse(answer);
}

/** The child: says that it is ready, then for each message how many pairs a second it scored in as many milliseconds. */
export async function scoreOnOneThread(modelsDir: string): Promise<void> {
  const encoder = await loadCrossEncoder(modelsDir, { threads: 1 });
  await encoder.score(claimOfPairs(0));
  process.on('message', async (message) => {
    const spellMs = z.number().parse(message);
    const start = performance.now();
    let pairs = 0;
    for (let claim = 0; performance.now() - start < spellMs; claim += 1) {
      pairs += (await encoder.score(claimOfPairs(claim))).length / 3;
    }
    process.send?.((pairs * 1000) / (performance.now() - start));
  });
  process.send?.('ready');
}
