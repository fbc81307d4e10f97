import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { createDebounce, merge } from '../../bot/debounce.ts';
import type { Asked } from '../../bot/listen.ts';
import { createLogger } from '../../shared/logger.ts';
import { Payload } from '../../shared/payload.ts';
import type { Input } from '../../shared/pipeline.ts';
import { createPublisher, type Publisher } from '../../shared/queue.ts';
import { connectRedis, PREFIX } from '../../shared/redis.ts';
import { run } from '../../shared/runner.ts';
import { deferred } from '../support/deferred.ts';
import { describeWith } from '../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

type Check = Input<'articles'>;

const HOUR_MS = 3_600_000;

function check(revision: number, fields: Partial<Check> = {}): Check {
  const page = { id: 7, title: 'Orrin Bay' };
  return { wiki: 'wiki.example:8143', page, revision, previous: revision - 1, scope: 'touched', ...fields };
}

function asked(...inputs: Check[]): Asked[] {
  return inputs.map((input) => ({ next: [{ stage: 'articles', input }], priority: 9 }));
}

test('two edits are one check of the last, compared with what was before the first, in whichever order they come', () => {
  const both = check(12, { previous: 10 });
  expect(merge(check(11), check(12))).toEqual(both);
  expect(merge(check(12), check(11))).toEqual(both);
  expect(merge(check(11, { previous: null }), check(12))).toEqual(check(12, { previous: null }));
});

test('a revert or a move among them hides nothing that another edit touched', () => {
  const revert = (revision: number) => check(revision, { scope: 'none', reverts: true });
  const move = check(13, { scope: 'none', previous: null, page: { id: 7, title: 'Orrin Haven' } });
  expect(merge(check(11), revert(12))).toEqual(check(12, { previous: 10, reverts: true }));
  expect(merge(revert(11), check(12))).toEqual(check(12, { reverts: true }));
  expect(merge(check(12), move)).toEqual({ ...move, scope: 'touched', previous: 11 });
  expect(merge(revert(11), check(12, { scope: 'none' }))).toEqual(check(12, { scope: 'none', reverts: true }));
});

describeWith(['redis'], 'a burst of edits', () => {
  let server: RunningRedis;
  let redis: Redis;
  let publisher: Publisher;
  let queue: Queue;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    redis = await connectRedis(server.url, 'worker');
    await redis.flushall();
    publisher = createPublisher(redis);
    queue = new Queue('articles', { connection: redis, prefix: PREFIX });
  });
  afterEach(async () => {
    await Promise.all([publisher.close(), queue.close()]);
    redis.disconnect();
  });

  /** Hands these on as one process would, that ends then. */
  async function publish(quietMs: number, ...handedOn: Asked[][]) {
    const debounce = createDebounce(redis, publisher, quietMs);
    for (const each of handedOn) await debounce.publish(each);
    await debounce.close();
  }

  async function waiting() {
    const jobs = await queue.getJobs(['delayed', 'prioritized', 'waiting']);
    return jobs.map((job) => ({ input: Payload.parse(job.data).input, until: job.timestamp + job.delay }));
  }

  test('is one job, and other pages wait for themselves', async () => {
    const other = check(13, { page: { id: 8, title: 'Port Averil' } });
    await publish(HOUR_MS, asked(check(11)), asked(check(12), other, check(14, { previous: 12 })));
    expect((await waiting()).map(({ input }) => input)).toEqual(
      expect.arrayContaining([check(14, { previous: 10 }), other]),
    );
    expect(await waiting()).toHaveLength(2);
  });

  test('goes on after a restart, and repeating it changes nothing', async () => {
    await publish(HOUR_MS, asked(check(11)));
    await publish(HOUR_MS, asked(check(12)));
    await publish(HOUR_MS, asked(check(11), check(12)), asked(check(12)));
    expect(await waiting()).toMatchObject([{ input: check(12, { previous: 10 }) }]);
  });

  test('takes in an edit that comes late', async () => {
    await publish(HOUR_MS, asked(check(12)), asked(check(11)));
    expect(await waiting()).toMatchObject([{ input: check(12, { previous: 10 }) }]);
  });

  test('waits for quiet, but not for ever', async () => {
    await publish(HOUR_MS, asked(check(11)));
    const [first] = await queue.getJobs(['delayed']);
    const begun = Date.now() - 9.5 * HOUR_MS; // as if the first edit had been then
    await redis.hset(`${PREFIX}:articles:${first?.id}`, 'timestamp', begun);
    await publish(HOUR_MS, asked(check(12)));
    expect(await waiting()).toEqual([{ input: check(12, { previous: 10 }), until: begun + 10 * HOUR_MS }]);
  });

  test('that is due but not begun is put in place of', async () => {
    await publish(HOUR_MS, asked(check(11)));
    const [due] = await queue.getJobs(['delayed']);
    await due?.promote();
    await publish(HOUR_MS, asked(check(12)));
    expect(await waiting()).toMatchObject([{ input: check(12, { previous: 10 }) }]);
  });

  test('an edit while its page is being checked is checked after it, by itself', async () => {
    const [begun, mayEnd] = [deferred<void>(), deferred<void>()];
    const checked: Check[] = [];
    const articles = async (input: Check) => {
      checked.push(input);
      begun.resolve();
      await mayEnd.promise;
      return { answer: null, next: [] };
    };
    const runner = run({ handlers: { articles }, redis, publisher, log: createLogger('silent', 'test') });
    await publish(1, asked(check(11)));
    await begun.promise;
    await publish(HOUR_MS, asked(check(12)));
    expect(await waiting()).toMatchObject([{ input: check(12) }]);
    mayEnd.resolve();
    await runner.stop(5000);
    expect(checked).toEqual([check(11)]);
    expect(await waiting()).toHaveLength(1);
  });

  test('without a time to wait every edit is a job at once', async () => {
    await publish(0, asked(check(11)), asked(check(12)));
    expect(await queue.getJobCounts('prioritized', 'delayed')).toEqual({ prioritized: 2, delayed: 0 });
  });

  test('a deletion does not wait', async () => {
    const input = { kind: 'page_deleted', wiki: 'w', page: { id: 7, title: 'Orrin Bay' }, event: 'log-1' } as const;
    await publish(HOUR_MS, [{ next: [{ stage: 'review', input }], priority: 9 }]);
    const review = new Queue('review', { connection: redis, prefix: PREFIX });
    expect(await review.getJobCounts('prioritized')).toEqual({ prioritized: 1 });
    await review.close();
  });
});
