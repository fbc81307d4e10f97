/** Settings of a command that speaks with the queues: those of the environment, or the Redis of `start` where that runs. */
import { FIRST_PORT, portsFrom } from '../local/settings.ts';
import { isFree } from '../servers/port.ts';
import { config } from './context.ts';

/** `start` has a Redis of its own on a port of its own, where REDIS_URL names no other. */
export async function queueConfig(overrides: Record<string, string> = {}): Promise<ReturnType<typeof config>> {
  const { redis } = portsFrom(FIRST_PORT);
  if (process.env.REDIS_URL !== undefined || (await isFree(redis))) return config(overrides);
  return config({ ...overrides, REDIS_URL: `redis://127.0.0.1:${redis}/0` });
}
