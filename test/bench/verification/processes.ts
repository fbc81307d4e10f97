/** Throughput of two processes of one thread each, beside one: whether workers scale by processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { loadCrossEncoder } from '../../../workers/verification/cross-encoder.ts';
import { median } from '../numbers.ts';
import { claimOfPairs } from './inputs.ts';

const SPELL_MS = 3000;
const PairsPerSecond = z.number().positive();

/** Median over rounds of two ÷ one. `program`: the file that runs `scoreOnOneThread` for `score-on-one-thread`. */
export async function compareProcesses(program: string, rounds: number) {
  const children = [await start(program), await start(program)] as const;
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const alone = await spell(children[0]);
    const [first, second] = await Promise.all(children.map(spell));
    ratios.push(((first ?? 0) + (second ?? 0)) / alone);
  }
  for (const child of children) child.disconnect();
  return { two_processes: median(ratios) };
}

async function start(program: string): Promise<ChildProcess> {
  const child = fork(program, ['score-on-one-thread']);
  await once(child, 'message');
  return child;
}

async function spell(child: ChildProcess): Promise<number> {
  child.send('score');
  const [answer] = await once(child, 'message');
  return PairsPerSecond.parse(answer);
}

/** The child: says that it is ready, then for each message how many pairs a second it scored in three seconds. */
export async function scoreOnOneThread(modelsDir: string): Promise<void> {
  const encoder = await loadCrossEncoder(modelsDir, { threads: 1 });
  await encoder.score(claimOfPairs(0));
  process.on('message', async () => {
    const start = performance.now();
    let pairs = 0;
    for (let claim = 0; performance.now() - start < SPELL_MS; claim += 1) {
      pairs += (await encoder.score(claimOfPairs(claim))).length / 3;
    }
    process.send?.((pairs * 1000) / (performance.now() - start));
  });
  process.send?.('ready');
}
