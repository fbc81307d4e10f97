import fc from 'fast-check';
import { Redis } from 'ioredis';
import { checkName } from '../../shared/check-name.ts';
import { createLogger } from '../../shared/logger.ts';
import { type Handlers, type Next, PRIORITY, type Stage } from '../../shared/pipeline.ts';
import { createProgress, type FollowedJob, followProgress } from '../../shared/progress.ts';
import { createPublisher, openQueues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { run } from '../../shared/runner.ts';
import { deferred } from '../support/deferred.ts';
import { describeWith } from '../support/describe-with.ts';
import { aCitation, aClaim } from '../support/examples.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

const log = createLogger('silent', 'test');
const place = { wiki: 'wiki.example', page: { id: 7, title: 'Mill' }, revision: 12 };

describeWith(['redis'], 'progress', () => {
  let server: RunningRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'worker');
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  test('whatever is told, in whatever order and how often: each job counts once, and what was done once is done', async () => {
    const stage = fc.constantFrom<Stage>('articles', 'sources', 'verification');
    const told = fc.record({
      stage,
      id: fc.constantFrom('a', 'b', 'c'),
      what: fc.constantFrom('published', 'done', 'failed'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(told, { maxLength: 20 }), async (all) => {
        const progress = createProgress(redis);
        const request = checkName(new Date());
        for (const { stage: of, id, what } of all) {
          const job = { request, stage: of, id };
          if (what === 'published') await progress.published([job, job]);
          else await progress.finished(job, what as 'done' | 'failed'); // the two others of the three
        }
        const { stages, first, last } = await progress.read(request);
        expect(stages).toEqual(count(all));
        expect(first !== null).toBe(all.some(({ what }) => what !== 'published'));
        expect(last !== null).toBe(all.length > 0);
      }),
      { numRuns: 40 },
    );
  });

  test('it is forgotten after a day', async () => {
    const request = checkName(new Date());
    const progress = createProgress(redis);
    await progress.published([{ request, stage: 'articles', id: 'a' }]);
    await progress.finished({ request, stage: 'articles', id: 'a' }, 'done');
    const keys = await redis.keys(`*${request}*`);
    expect(keys).toHaveLength(3);
    for (const key of keys) expect(await redis.ttl(key)).toBeGreaterThan(23 * 3600);
  });

  test('of jobs that no check asked for Redis is told nothing', async () => {
    const away = new Redis({ lazyConnect: true, enableOfflineQueue: false }); // any command would be refused
    const progress = createProgress(away);
    const jobs: FollowedJob[] = [undefined, 'w1_2', 'r1234567a_1', 'given_1_abc'].map((request) => {
      return { request, stage: 'sources', id: 'a' };
    });
    await progress.published(jobs);
    for (const job of jobs) await progress.finished(job, 'done');
    const followed: FollowedJob = { request: checkName(new Date()), stage: 'sources', id: 'a' };
    await expect(progress.finished(followed, 'done')).rejects.toThrow();
    away.disconnect();
  });

  test('what a check leads to is told as it is published, done, failed and given up', async () => {
    const request = checkName(new Date());
    const publisher = createPublisher(redis);
    const queues = openQueues(redis);
    const handlers: Handlers = {
      articles: async () => ({ answer: null, next: [verification(request), search(request)] }),
      sources: async ({ citation }) => ({
        answer: { citationHash: citation.hash, sourceKey: null, reason: 'dead' },
        next: [],
      }),
      verification: async () => {
        throw new Error('a bug'); // tried again, and so not failed
      },
      find: async () => ({ answer: null, next: [] }),
    };
    const runner = run({ handlers, redis, publisher, log });
    await publisher.publish([article(request), article(undefined)], PRIORITY.gadget);
    const progress = createProgress(redis);
    const done = async (stage: Stage) => (await progress.read(request)).stages.find((one) => one.stage === stage)?.done;
    await until(async () => (await done('sources')) === 1);
    await queues.giveUpUnattended(0);
    await queues.giveUpUnattended(0);
    await until(async () => (await done('find')) === 1);
    expect((await progress.read(request)).stages).toEqual([
      { stage: 'articles', done: 1, failed: 0, total: 1 },
      { stage: 'sources', done: 1, failed: 0, total: 1 },
      { stage: 'verification', done: 0, failed: 0, total: 1 },
      { stage: 'retrieval-sparse', done: 1, failed: 1, total: 1 },
      { stage: 'find', done: 1, failed: 0, total: 1 },
    ]);
    expect(await queues.holds(request)).toBe(true);
    await queues.cancel(request);
    await until(async () => !(await queues.holds(request)));
    await runner.stop(100);
    await Promise.all([publisher.close(), queues.close()]);
  });

  test('a job that fails for good is told to have failed', async () => {
    const request = checkName(new Date());
    const publisher = createPublisher(redis);
    const job = article(request);
    const broken = { ...job, input: { ...job.input, previous: 'x' } } as unknown as Next; // what a bug elsewhere could publish
    const runner = run({ handlers: { articles: async () => ({ answer: null, next: [] }) }, redis, publisher, log });
    await publisher.publish([broken], PRIORITY.gadget);
    await until(async () => (await createProgress(redis).read(request)).stages[0]?.failed === 1);
    await runner.stop(100);
    await publisher.close();
  });

  test('who follows is told which check moved, and after a cut to look at all', async () => {
    const request = checkName(new Date());
    const heard: (string | null)[] = [];
    let waiting = deferred<void>();
    const following = await followProgress(redis, (moved) => {
      heard.push(moved);
      waiting.resolve();
    });
    await createProgress(redis).published([{ request, stage: 'articles', id: 'a' }]);
    await waiting.promise;
    expect(heard).toEqual([request]);
    waiting = deferred<void>();
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await waiting.promise;
    expect(heard).toEqual([request, null]);
    following.stop();
  });
});

function count(all: readonly { stage: Stage; id: string; what: string }[]) {
  return (['articles', 'sources', 'verification'] as const).flatMap((stage) => {
    const own = all.filter((one) => one.stage === stage);
    const ids = (...whats: string[]) => new Set(own.filter(({ what }) => whats.includes(what)).map(({ id }) => id));
    const finished = ids('done', 'failed').size;
    if (own.length === 0) return [];
    return [
      { stage, done: finished, failed: finished - ids('done').size, total: ids('published', 'done', 'failed').size },
    ];
  });
}

function article(request: string | undefined): Next {
  const asked = request === undefined ? {} : { request };
  return { stage: 'articles', input: { ...place, previous: null, scope: 'all', ...asked } };
}

function verification(request: string): Next {
  const at = { ...place, request };
  const input = { ...at, claim: aClaim, citations: [aCitation], article: [], suggest: 'below_threshold' as const };
  return {
    stage: 'verification',
    input,
    children: [{ stage: 'sources', input: { ...at, claimHash: aClaim.hash, citation: aCitation } }],
  };
}

function search(request: string): Next {
  const asked = { wiki: place.wiki, claim: aClaim, request, generation: 'first' };
  return { stage: 'find', input: asked, children: [{ stage: 'retrieval-sparse', input: asked }] };
}

/** Polls a condition; jest's own time limit is the deadline. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
