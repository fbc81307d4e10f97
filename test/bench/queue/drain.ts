/** The process that drains: ours or bare, told by its task. Says that it is ready, and then when as many claims as it is sent are done. */
import { z } from 'zod';
import { createLogger } from '../../../shared/logger.ts';
import type { Handlers } from '../../../shared/pipeline.ts';
import { createPublisher } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { run } from '../../../shared/runner.ts';
import { drainBare } from './bare.ts';
import { findingOf } from './claims.ts';

export const Engine = z.enum(['ours', 'bare']);
export type Engine = z.infer<typeof Engine>;
const Task = z.object({ engine: Engine, redisUrl: z.string() });
export const Drained = z.object({ cpuMs: z.number() });

export async function drainInTurn(task: string): Promise<void> {
  const { engine, redisUrl } = Task.parse(JSON.parse(task));
  const redis = await connectRedis(redisUrl, 'worker');
  let [due, start] = [0, process.cpuUsage()];
  const reviewed = () => {
    due -= 1;
    if (due > 0) return;
    const { user, system } = process.cpuUsage(start);
    process.send?.({ cpuMs: (user + system) / 1e3 });
  };
  if (engine === 'bare') drainBare(redis, reviewed);
  else drainOurs(redis, reviewed);
  process.on('message', (claims) => {
    due = z.int().parse(claims);
    start = process.cpuUsage();
    process.send?.('asked');
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.('ready');
}

function drainOurs(redis: Awaited<ReturnType<typeof connectRedis>>, reviewed: () => void): void {
  const handlers: Handlers = {
    sources: async ({ citation }) => {
      return { answer: { citationHash: citation.hash, sourceKey: null, reason: null }, next: [] };
    },
    verification: async (input) => {
      return { answer: null, next: [{ stage: 'review', input: { kind: 'finding', finding: findingOf(input) } }] };
    },
    review: async () => {
      reviewed();
      return { answer: null, next: [] };
    },
  };
  run({ handlers, redis, publisher: createPublisher(redis), log: createLogger('error', 'bench') });
}
