import type { Redis } from 'ioredis';
import { PRIORITY } from '../../shared/pipeline.ts';
import { openQueues, type Queues } from '../../shared/queue.ts';
import { connectRedis, PREFIX } from '../../shared/redis.ts';
import { describeWith } from '../support/describe-with.ts';
import { bundleProgram, type Program, type RunningProgram } from '../support/programs.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

describeWith(['redis'], 'a worker that ends while it has jobs in hand', () => {
  let server: RunningRedis;
  let redis: Redis;
  let queues: Queues;
  let program: Program;
  const running = new Set<RunningProgram>();

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'producer');
    queues = openQueues(redis);
    program = await bundleProgram('test/upgrade/worker.ts');
  });
  beforeEach(() => redis.flushall());
  afterEach(async () => {
    await Promise.all([...running].map((one) => one.end('SIGKILL')));
    running.clear();
  });
  afterAll(async () => {
    await queues?.close();
    redis?.disconnect();
    await server?.stop();
    program?.remove();
  });

  async function start(name: string, settings: Record<string, string> = {}): Promise<RunningProgram> {
    const one = await program.start({ REDIS_URL: server.url, NAME: name, ...settings });
    running.add(one);
    return one;
  }

  async function told(pattern: RegExp): Promise<string[]> {
    return (await redis.lrange('told', 0, -1)).filter((line) => pattern.test(line));
  }

  function fieldOf(revision: number, field: string): Promise<string | null> {
    return redis.hget(`${PREFIX}:articles:wiki.example-${revision}-${revision}-all`, field);
  }

  test.each(['deaf', 'slow'])(
    'told to stop, hands a %s job back within its deadline: another takes it, no attempt is lost',
    async (handle) => {
      const first = await start('first', { HANDLE: handle, STOP_MS: '1500' });
      first.send({ from: 1, to: 11, priority: PRIORITY.patrol });
      await until(async () => (await told(/first articles/)).length === 4); // as many as it does at a time
      const second = await start('second');
      await until(async () => (await told(/ review /)).length === 6);
      expect(await first.end('SIGTERM')).toBe(0);
      await until(async () => (await told(/ review /)).length === 10);
      await until(async () => [...(await queues.count()).values()].every(({ open }) => open === 0));
      const back = (await told(/first articles/)).map((line) => Number(line.split(' ')[2]));
      const states = await Promise.all(back.map(async (id) => [await fieldOf(id, 'atm'), await fieldOf(id, 'stc')]));
      expect(states).toEqual(back.map(() => ['1', null])); // its one attempt, and nobody had to find it stalled
      expect(await second.end('SIGTERM')).toBe(0);
    },
  );

  test('told to stop, lets a job end that ends in time, and takes no other', async () => {
    const first = await start('first');
    first.send({ from: 1, to: 61, priority: PRIORITY.patrol });
    await until(async () => (await told(/first articles/)).length > 0);
    expect(await first.end('SIGTERM')).toBe(0);
    const begun = (await told(/first articles/)).length;
    expect(begun).toBeLessThan(60);
    await start('second');
    await until(async () => (await told(/ review /)).length === 60);
    const states = await Promise.all(Array.from({ length: 60 }, (_, at) => fieldOf(at + 1, 'atm')));
    expect(new Set(states)).toEqual(new Set(['1']));
    expect((await told(/ articles /)).length).toBe(60);
  });

  test('killed, it loses nothing: what it had in hand is found', async () => {
    const first = await start('first', { HANDLE: 'deaf', LOCK_MS: '1000' });
    first.send({ from: 1, to: 11, priority: PRIORITY.patrol });
    await until(async () => (await told(/first articles/)).length === 4);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    await start('second', { LOCK_MS: '1000' });
    await until(async () => (await told(/ review /)).length === 10);
    await until(async () => [...(await queues.count()).values()].every(({ open }) => open === 0));
    expect((await queues.count()).get('articles')).toEqual({ done: 10, failed: 0, open: 0 });
  });

  test('a job that kills each of its workers fails in the end, and those that were in hand with it are done', async () => {
    const settings = { HANDLE: 'kill', LOCK_MS: '500' };
    const first = await start('first', settings);
    first.send({ from: 1, to: 5, priority: PRIORITY.patrol });
    await until(async () => (await told(/first articles 1 /)).length === 1);
    await redis.hset(`${PREFIX}:articles:wiki.example-1-1-all`, { stc: 9, progress: 10 }); // as after many kills
    for (const name of ['second', 'third']) await start(name, settings);
    await until(async () => (await queues.count()).get('articles')?.failed === 1);
    await until(async () => (await queues.count()).get('articles')?.done === 3);
    expect(await fieldOf(1, 'failedReason')).toMatch(/stalled/);
  });
});

/** Polls a condition; jest's own time limit is the deadline. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
