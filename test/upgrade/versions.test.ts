import type { Redis } from 'ioredis';
import { PRIORITY } from '../../shared/pipeline.ts';
import { openQueues, type Queues } from '../../shared/queue.ts';
import { connectRedis, PREFIX } from '../../shared/redis.ts';
import { describeWith } from '../support/describe-with.ts';
import { bundleProgram, type Changes, type Program } from '../support/programs.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

/** The next version: the input of `articles` calls a field by another name, and what waits is upgraded. */
const NEXT: Changes = {
  'shared/payload.ts': [
    ['VERSION = 2', 'VERSION = 3'],
    [
      'unknown> = {',
      `unknown> = {
        2: (payload: any, stage) => {
          const { previous, ...input } = payload.input;
          return { ...payload, version: 3, input: stage === 'articles' ? { ...input, before: previous } : payload.input };
        },`,
    ],
  ],
  'shared/pipeline.ts': [['previous: z.int()', 'before: z.int()']],
};

describeWith(['redis'], 'workers of two versions on the same queues', () => {
  let server: RunningRedis;
  let redis: Redis;
  let queues: Queues;
  let programs: Program[];

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'producer');
    queues = openQueues(redis);
    programs = [await bundleProgram('test/upgrade/worker.ts'), await bundleProgram('test/upgrade/worker.ts', NEXT)];
  });
  afterAll(async () => {
    await queues?.close();
    redis?.disconnect();
    await server?.stop();
    for (const program of programs ?? []) program.remove();
  });

  async function start(version: 0 | 1, name: string) {
    const program = programs[version];
    if (program === undefined) throw new Error('not bundled');
    return program.start({ REDIS_URL: server.url, NAME: name });
  }

  async function told(pattern: RegExp): Promise<string[]> {
    return (await redis.lrange('told', 0, -1)).filter((line) => pattern.test(line));
  }

  test('both drain what both publish: nothing is lost, nothing done twice, no attempt is lost on what the other reads', async () => {
    const [old, next] = [await start(0, 'old'), await start(1, 'next')];
    old.send({ from: 1, to: 21, priority: PRIORITY.patrol });
    next.send({ from: 21, to: 41, priority: PRIORITY.patrol });
    await until(async () => (await told(/ review /)).length >= 40);
    await until(async () => [...(await queues.count()).values()].every(({ open }) => open === 0));
    expect(await Promise.all([old.end('SIGTERM'), next.end('SIGTERM')])).toEqual([0, 0]);

    const all = Array.from({ length: 40 }, (_, index) => index + 1);
    const articles = await told(/ articles /);
    expect(articles.map((line) => Number(line.split(' ')[2])).sort(byNumber)).toEqual(all);
    expect(articles.every((line) => Number(line.split(' ')[3]) === Number(line.split(' ')[2]) + 1000)).toBe(true);
    const reviewed = (await told(/ review /)).map((line) => Number(line.split('-')[1])).sort(byNumber);
    expect(reviewed).toEqual(all);
    expect((await told(/ verification /)).every((line) => line.endsWith(' 1'))).toBe(true);
    expect((await told(/^old /)).filter((line) => Number(line.split(' ')[2]) > 20)).toEqual([]); // it can't read them
    expect([...(await queues.count()).values()].map(({ failed }) => failed)).toEqual(new Array(9).fill(0));
    const attempts = await Promise.all(
      all.map((id) => redis.hget(`${PREFIX}:articles:wiki.example-${id}-${id}-all`, 'atm')),
    );
    expect(new Set(attempts)).toEqual(new Set(['1']));
  }, 120_000); // by chance the old one takes the same job again and again, each time after a longer pause
});

function byNumber(a: number, b: number): number {
  return a - b;
}

/** Polls a condition; jest's own time limit is the deadline. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
