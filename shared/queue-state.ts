/**
 * How each queue stands now: what waits, for how long, and who drains it. In: Redis. Out: numbers. For metrics and for `sidelight
 * status`; nobody decides by it. A handful of commands a queue, however long it is.
 */
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { onRead, replace, set } from './metrics.ts';
import { PRIORITY } from './pipeline.ts';
import { queueNames, queueOptions } from './queue.ts';
import { PREFIX } from './redis.ts';

export const STATES = ['waiting', 'delayed', 'active', 'waiting_children', 'failed'] as const;
export type State = (typeof STATES)[number];

export interface QueueState {
  queue: string;
  jobs: Record<State, number>;
  /** Seconds since the oldest was added, or was begun if it is active; null: there is none. Of patrol work to a minute. */
  oldest: Record<'waiting' | 'active' | 'waiting_children', number | null>;
  /** Processes that listen to it. */
  workers: number;
}

export interface RedisState {
  usedBytes: number;
  /** What it may use: its own limit, or the memory of its machine. */
  limitBytes: number;
  policy: string;
  appendOnly: boolean;
}

/** In the order of the stages. */
export async function readQueueStates(redis: Redis): Promise<QueueState[]> {
  return Promise.all((await queueNames(redis)).map((name) => readOne(redis, name)));
}

async function readOne(redis: Redis, name: string): Promise<QueueState> {
  const queue = new Queue(name, queueOptions(redis));
  try {
    const [counts, oldest, workers] = await Promise.all([
      queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'waiting-children', 'failed'),
      oldestOf(redis, name),
      queue.getWorkersCount(),
    ]);
    const { waiting = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = counts;
    const jobs = { waiting: waiting + prioritized, delayed, active, failed };
    return { queue: name, jobs: { ...jobs, waiting_children: counts['waiting-children'] ?? 0 }, oldest, workers };
  } finally {
    await queue.close();
  }
}

async function oldestOf(redis: Redis, queue: string): Promise<QueueState['oldest']> {
  const key = (state: string) => `${PREFIX}:${queue}:${state}`;
  // what people asked for comes in its order, patrol work newest first (`patrolPriority`)
  const asked = [PRIORITY.gadget, PRIORITY.requeue, PRIORITY.worklist].map((priority) =>
    redis.zrangebyscore(key('prioritized'), priority * 2 ** 32, `(${(priority + 1) * 2 ** 32}`, 'LIMIT', 0, 1),
  );
  const [last, plain, active, parents] = await Promise.all([
    redis.zrange(key('prioritized'), '-1', '-1'),
    redis.lrange(key('wait'), -1, -1),
    redis.lrange(key('active'), 0, MOST_ACTIVE),
    redis.zrange(key('waiting-children'), '0', '0'),
  ]);
  const waiting = [...(await Promise.all(asked)).flat(), ...last, ...plain];
  return {
    waiting: await longest(redis, queue, waiting, 'timestamp'),
    active: await longest(redis, queue, active, 'processedOn'),
    waiting_children: await longest(redis, queue, parents, 'timestamp'),
  };
}

async function longest(redis: Redis, queue: string, ids: readonly string[], field: string): Promise<number | null> {
  const times = await Promise.all(ids.map((id) => redis.hget(`${PREFIX}:${queue}:${id}`, field)));
  const since = times.flatMap((time) => (time === null ? [] : [Number(time)]));
  return since.length === 0 ? null : Math.max(Date.now() - Math.min(...since), 0) / 1000;
}

export async function readRedisState(redis: Redis): Promise<RedisState> {
  const [memory, persistence] = await Promise.all([redis.info('memory'), redis.info('persistence')]);
  const field = (text: string, name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1] ?? '';
  const [limit, machine] = [Number(field(memory, 'maxmemory')), Number(field(memory, 'total_system_memory'))];
  return {
    usedBytes: Number(field(memory, 'used_memory')),
    limitBytes: limit > 0 ? limit : machine,
    policy: field(memory, 'maxmemory_policy'),
    appendOnly: field(persistence, 'aof_enabled') === '1',
  };
}

/**
 * Tells metrics of all queues whenever they are read. One process kind does, the review service: others know no more. Returns what
 * ends it.
 */
export function tellQueues(redis: Redis): () => void {
  return onRead(
    [
      'sidelight_queue_jobs',
      'sidelight_queue_oldest_seconds',
      'sidelight_queue_workers',
      'sidelight_redis_memory_bytes',
      'sidelight_redis_memory_limit_bytes',
    ],
    async () => {
      const [queues, { usedBytes, limitBytes }] = await Promise.all([readQueueStates(redis), readRedisState(redis)]);
      set('sidelight_redis_memory_bytes', {}, usedBytes);
      set('sidelight_redis_memory_limit_bytes', {}, limitBytes);
      tell(queues);
    },
  );
}

function tell(queues: readonly QueueState[]): void {
  const rows = queues.flatMap(({ queue, jobs }) => STATES.map((state) => [{ queue, state }, jobs[state]] as const));
  replace('sidelight_queue_jobs', rows);
  replace(
    'sidelight_queue_oldest_seconds',
    queues.flatMap(({ queue, oldest }) =>
      Object.entries(oldest).map(([state, seconds]) => [{ queue, state }, seconds ?? 0] as const),
    ),
  );
  replace(
    'sidelight_queue_workers',
    queues.map(({ queue, workers }) => [{ queue }, workers] as const),
  );
}

/** A stage's workers hold some tens at once. */
const MOST_ACTIVE = 200;
