import type { Redis } from 'ioredis';
import { connectRedis } from '../../../../shared/redis.ts';
import { createProcessBudget, createRedisBudget } from '../../../../workers/verification/second-opinion/budget.ts';
import { describeWith } from '../../../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../../../support/redis.ts';

const monday = new Date('2026-03-02T23:59:59Z');
const tuesday = new Date('2026-03-03T00:00:00Z');

describeWith(['redis'], 'a budget in Redis', () => {
  let server: RunningRedis;
  const connections: Redis[] = [];
  const connect = async () => {
    const redis = await connectRedis(server.url, 'worker');
    connections.push(redis);
    return redis;
  };

  beforeAll(async () => {
    server = await startRedis();
  });
  afterEach(async () => {
    await connections[0]?.flushall();
  });
  afterAll(async () => {
    await Promise.all(connections.map((redis) => redis.quit()));
    await server?.stop();
  });

  test('is counted across all workers, and no request is counted for two', async () => {
    const workers = [
      createRedisBudget(await connect(), { daily: 5 }),
      createRedisBudget(await connect(), { daily: 5 }),
    ];
    const taken = await Promise.all([...workers, ...workers, ...workers, ...workers].map((budget) => budget.take()));
    expect(taken.filter((granted) => granted)).toHaveLength(5);
  });

  test('begins anew at midnight by UTC', async () => {
    const redis = await connect();
    const on = (day: Date) => createRedisBudget(redis, { daily: 1, now: () => day });
    expect([await on(monday).take(), await on(monday).take(), await on(tuesday).take()]).toEqual([true, false, true]);
  });

  test('is forgotten after its day', async () => {
    const redis = await connect();
    await createRedisBudget(redis, { daily: 1, now: () => monday }).take();
    const [key = ''] = await redis.keys('*second-opinion*');
    expect(await redis.ttl(key)).toBeGreaterThan(24 * 3600);
    expect(await redis.ttl(key)).toBeLessThanOrEqual(48 * 3600);
  });
});

test('a budget of a process ends with its number and begins anew at midnight by UTC', async () => {
  let now = monday;
  const budget = createProcessBudget({ daily: 2, now: () => now });
  expect([await budget.take(), await budget.take(), await budget.take()]).toEqual([true, true, false]);
  now = tuesday;
  expect(await budget.take()).toBe(true);
});
