/** Waits until a fleet's queues are empty. In: a fleet. Out: what is left, which is stuck. What waits for its next attempt is hastened. */
import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { openQueues, type QueueCounts, queueOptions } from '../../shared/queue.ts';
import type { Fleet } from './fleet.ts';
import { OFF_S } from './schedule.ts';

export interface DrainOptions {
  /** For as long as this at most. */
  drainMs: number;
  tell(line: string): void;
}

/** Open and failed jobs by queue; {} where nothing is left. */
export async function drain(fleet: Fleet, { drainMs, tell }: DrainOptions): Promise<Record<string, number>> {
  const deadline = Date.now() + drainMs;
  for (let look = 0, calm = 0; ; look += 1) {
    const { open, failed } = await lookAt(fleet);
    calm = open.length === 0 ? calm + 1 : 0;
    if (calm > CALM_LOOKS || Date.now() > deadline) return Object.fromEntries([...open, ...failed]);
    if (look % TOLD_LOOKS === 0) tell(`left: ${open.map((pair) => pair.join(' ')).join(', ')}`);
    await wait(LOOK_MS);
  }
}

async function lookAt(fleet: Fleet): Promise<{ open: [string, number][]; failed: [string, number][] }> {
  return withRedis(fleet, async (redis) => {
    const queues = openQueues(redis);
    try {
      const counts = await queues.count();
      const open = openOf(counts);
      for (const [name] of open) await hasten(redis, name);
      return { open, failed: failedOf(counts) };
    } finally {
      await queues.close();
    }
  });
}

export async function withRedis<T>(fleet: Fleet, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(`redis://${fleet.host('redis').address}:6379/0`, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined); // it connects again by itself
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

function openOf(counts: ReadonlyMap<string, QueueCounts>): [string, number][] {
  return [...counts].flatMap(([name, { open }]): [string, number][] => (open > 0 ? [[name, open]] : []));
}

function failedOf(counts: ReadonlyMap<string, QueueCounts>): [string, number][] {
  return [...counts].flatMap(([name, { failed }]): [string, number][] =>
    failed > 0 ? [[`${name} failed`, failed]] : [],
  );
}

/** What waits for its next attempt is due now; what waits longer than any attempt does, by any clock, is left as it is, for all to see. */
async function hasten(redis: Redis, name: string): Promise<void> {
  const queue = new Queue(name, queueOptions(redis));
  try {
    const scored = await redis.zrange(queue.toKey('delayed'), 0, `${HASTENED - 1}`, 'WITHSCORES');
    for (let at = 0; at < scored.length; at += 2) {
      const dueAt = Number(scored[at + 1]) / 0x1000; // BullMQ keeps milliseconds and a counter in one number
      if (dueAt - Date.now() > LONGEST_DELAY_MS + Math.max(...OFF_S) * 1000) continue;
      const job = await queue.getJob(scored[at] ?? '');
      await job?.promote().catch(() => null); // it was due by itself
    }
  } finally {
    await queue.close();
  }
}

const LOOK_MS = 1000;
/** Between a job that ends and the one that it leads to no queue may hold any. */
const CALM_LOOKS = 3;
const TOLD_LOOKS = 15;
const HASTENED = 1000;
/** Of shared/runner.ts, and a little. */
const LONGEST_DELAY_MS = 310_000;
