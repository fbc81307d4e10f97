/** A real Redis for a test file: its own process, port and folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningRedis, serveRedis } from '../../deploy/servers/redis.ts';
import { onFreePort } from './port.ts';
import { findProgram } from './program.ts';

export type { RunningRedis };

/** Why there is no Redis here; null if there is. */
export function redisUnavailable(): string | null {
  return findProgram('redis-server') === null ? 'no redis-server: apt-get install redis-server' : null;
}

/** Stop it when done: that also removes its folder. */
export async function startRedis(): Promise<RunningRedis> {
  const dir = await mkdtemp(join(tmpdir(), 'sidelight-redis-'));
  const redis = await onFreePort((port) => serveRedis({ port, dir }));
  return {
    ...redis,
    async stop(deadlineMs) {
      await redis.stop(deadlineMs);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
