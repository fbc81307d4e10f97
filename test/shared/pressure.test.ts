import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { createDebounce } from '../../bot/debounce.ts';
import type { Asked } from '../../bot/listen.ts';
import { Busy } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Input, type Next, PRIORITY, patrolPriority } from '../../shared/pipeline.ts';
import { createPressure, droppedByRule, type Pressure } from '../../shared/pressure.ts';
import { createPublisher, openQueues, type Publisher, type Queues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { type Runner, run } from '../../shared/runner.ts';
import { describeWith } from '../support/describe-with.ts';
import { aCitation, aClaim } from '../support/examples.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

const log = createLogger('silent', 'test');
const BEGUN = Date.parse('2026-01-02T03:04:00Z');

describeWith(['redis'], 'more edits than can be done', () => {
  let server: RunningRedis;
  let redis: Redis;
  let publisher: Publisher;
  let queues: Queues;
  let pressure: Pressure | null = null;
  let runner: Runner | null = null;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'worker');
    publisher = createPublisher(redis);
    queues = openQueues(redis);
  });
  beforeEach(() => redis.flushall());
  afterEach(async () => {
    await Promise.all([runner?.stop(1000), pressure?.close()]);
    [runner, pressure] = [null, null];
  });
  afterAll(async () => {
    await Promise.all([publisher?.close(), queues?.close()]);
    redis?.disconnect();
    await server?.stop();
  });

  function limited(limit: number, pauseMs?: number): Pressure {
    pressure = createPressure(redis, limit, pauseMs);
    return pressure;
  }

  const open = async (queue = 'articles') => (await queues.count()).get(queue)?.open ?? 0;
  const dropped = async () => Object.values(await droppedByRule(redis)).reduce((sum, number) => sum + number, 0);

  test('as fast as they come: queue and memory stay within the limit, what people asked for is all done, and the counts add up', async () => {
    const [edits, limit, batch] = [10_000, 500, 200];
    const done = { patrol: 0, asked: 0 };
    const small = limited(limit);
    const debounce = createDebounce(redis, publisher, 60_000, small);
    runner = run({ handlers: { articles: slowly }, redis, publisher, log, admit: small.admit });
    async function slowly({ request }: Input<'articles'>) {
      await sleep(20);
      done[request === undefined ? 'patrol' : 'asked'] += 1;
      return { answer: null, next: [] };
    }
    const [before, longest] = [await usedMemory(redis), { jobs: 0, bytes: 0 }];
    for (let from = 0; from < edits; from += batch) {
      await debounce.publish(Array.from({ length: batch }, (_, at) => edit(from + at + 1)));
      if (from % 1000 === 0) await publisher.publish([asked(from + 1)], 1 + ((from / 1000) % 3)); // gadget, requeue, worklist
      longest.jobs = Math.max(longest.jobs, await open());
      longest.bytes = Math.max(longest.bytes, (await usedMemory(redis)) - before);
    }
    await until(async () => done.asked === edits / 1000);
    await runner.stop(5000);
    expect(longest.jobs).toBeLessThanOrEqual(limit + batch + edits / 1000 + 4); // and those that run
    expect(longest.bytes).toBeLessThan(8 * 2 ** 20);
    expect(done.patrol + (await dropped()) + (await open())).toBe(edits);
    expect(done.patrol).toBeGreaterThan(0);
    await debounce.close();
  });

  test('the oldest go first, whether they are due, wait for quiet, or were put off', async () => {
    const small = limited(10);
    const [old, due, young] = [numbers(1, 7), numbers(7, 13), numbers(13, 19)];
    const hold = createDebounce(redis, publisher, 3_600_000, { fullness: async () => 0, relieve: async () => 0 });
    await hold.publish(old.map((revision) => edit(revision, 0)));
    for (const revision of due) await publisher.publish(edit(revision).next, patrolPriority(new Date(BEGUN + 60_000)));
    await hold.publish(young.map((revision) => edit(revision, 2)));
    expect(await small.relieve()).toBe(8);
    expect(await droppedByRule(redis)).toEqual({ oldest_due: 2, oldest_held: 6 });
    expect(await small.relieve()).toBe(0);
    expect(await open()).toBe(10);
    await hold.close();
  });

  test('what people asked for is neither counted nor dropped, also where it was put off', async () => {
    const small = limited(10);
    for (const priority of [PRIORITY.gadget, PRIORITY.requeue, PRIORITY.worklist]) {
      await publisher.publish(numbers(priority * 100, priority * 100 + 30).map(asked), priority);
    }
    runner = run({
      handlers: {
        articles: async () => {
          throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        },
      },
      ...{ redis, publisher, log },
    });
    await until(async () => (await redis.zcard('{sidelight}:articles:delayed')) > 20);
    expect(await small.relieve()).toBe(0);
    expect(await open()).toBe(90);
  });

  test('articles of patrol wait while too much waits behind them, and others do not', async () => {
    const [handled, small] = [[] as number[], limited(10, 50)];
    runner = run({
      handlers: {
        articles: async ({ revision }) => {
          handled.push(revision);
          return { answer: null, next: [] };
        },
      },
      ...{ redis, publisher, log, admit: small.admit },
    });
    await publisher.publish(numbers(1, 11).map(verification), patrolPriority(new Date(BEGUN)));
    await publisher.publish(edit(100).next, patrolPriority(new Date(BEGUN)));
    await publisher.publish([asked(200)], PRIORITY.requeue);
    await until(async () => handled.length === 1 && (await redis.zcard('{sidelight}:articles:delayed')) === 1);
    expect(handled).toEqual([200]);
    await redis.del('{sidelight}:verification:prioritized'); // as if they were done
    await until(async () => handled.length === 2);
    expect(await droppedByRule(redis)).toEqual({ oldest_due: 0, oldest_held: 0 });
  });

  test('who refuses an article looks anew before the next: a whole queue is not put off one after the other', async () => {
    const small = limited(10, 50);
    await publisher.publish(numbers(1, 11).map(verification), patrolPriority(new Date(BEGUN)));
    const looks = async () => Number(/cmdstat_zcount:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
    const refusal = () => small.admit('articles', patrolPriority(new Date(BEGUN))).catch((error: unknown) => error);
    expect(await refusal()).toBeInstanceOf(Busy);
    const first = await looks();
    expect(await refusal()).toBeInstanceOf(Busy);
    expect(await looks()).toBeGreaterThan(first);
  });

  test('a page that was dropped is checked with its next edit', async () => {
    const small = limited(10);
    const debounce = createDebounce(redis, publisher, 0, small);
    await debounce.publish(numbers(1, 41).map((revision) => edit(revision)));
    expect(await dropped()).toBe(30);
    await debounce.publish([{ ...edit(1), next: [{ stage: 'articles', input: { ...article(1), revision: 901 } }] }]);
    expect(await redis.exists('{sidelight}:articles:wiki.example-1-901-touched')).toBe(1);
    await debounce.close();
  });
});

function article(revision: number): Input<'articles'> {
  const page = { id: revision, title: `Mill ${revision}` };
  return { wiki: 'wiki.example', page, revision, previous: null, scope: 'touched' };
}

function edit(revision: number, minute = Math.floor(revision / 1000)): Asked {
  return {
    next: [{ stage: 'articles', input: article(revision) }],
    priority: patrolPriority(new Date(BEGUN + minute * 60_000)),
  };
}

function asked(revision: number): Next {
  return { stage: 'articles', input: { ...article(revision), request: 'w1_1', scope: 'all' } };
}

function verification(revision: number): Next {
  const { wiki, page } = article(revision);
  const claim = { claim: aClaim, citations: [aCitation], article: [], suggest: 'below_threshold' as const };
  return { stage: 'verification', input: { wiki, page, revision, ...claim } };
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

async function usedMemory(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
}

/** Polls a condition; jest's own time limit is the deadline. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
