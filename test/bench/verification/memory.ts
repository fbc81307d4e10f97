/** How much memory this process has gained after many pairs of all lengths. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CrossEncoder } from '../../../workers/verification/cross-encoder.ts';
import { claimOfPairs } from './inputs.ts';

/** A tenth of the pairs come first, unwatched: the allocator settles. */
export async function watchMemory(encoder: CrossEncoder, pairs: number) {
  await scoreClaims(encoder, pairs / 10);
  const before = residentMegabytes();
  await scoreClaims(encoder, pairs);
  return { memory_growth_mb: residentMegabytes() - before, memory_pairs: pairs };
}

async function scoreClaims(encoder: CrossEncoder, pairs: number): Promise<void> {
  let scored = 0;
  for (let claim = 0; scored < pairs; claim += 1) scored += (await encoder.score(claimOfPairs(claim))).length / 3;
}

function residentMegabytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage.rss() / 2 ** 20;
}
