import { Queue, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { TransientError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Context, Handlers, Input, Next } from '../../shared/pipeline.ts';
import { jobId, PRIORITY } from '../../shared/pipeline.ts';
import { createPublisher, openQueues, type Publisher, type Queues, toJob } from '../../shared/queue.ts';
import { connectRedis, PREFIX } from '../../shared/redis.ts';
import { type Runner, run } from '../../shared/runner.ts';
import { deferred } from '../support/deferred.ts';
import { aCitation, aClaim, aFinding } from '../support/examples.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

const place = { wiki: 'wiki.example:8143', page: { id: 7, title: 'Mill' }, revision: 12 };
const nothing = { answer: null, next: [] };
const log = createLogger('silent', 'test');

let server: RunningRedis;
let redis: Redis;
let publisher: Publisher;
let queues: Queues;
let runner: Runner | null = null;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

beforeEach(async () => {
  redis = await connectRedis(server.url, 'worker');
  await redis.flushall();
  publisher = createPublisher(redis);
  queues = openQueues(redis);
});

afterEach(async () => {
  await runner?.stop(1000);
  runner = null;
  await Promise.all([publisher.close(), queues.close()]);
  await redis.quit();
});

test('a parent hears the answers of its children', async () => {
  const verification = deferred<Context['gathered']>();
  start({
    sources: async (input) => ({
      answer: { citationHash: input.citation.hash, sourceKey: null, reason: 'dead' },
      next: [],
    }),
    verification: async (_input, { gathered }) => {
      verification.resolve(gathered);
      return nothing;
    },
  });
  await publisher.publish([verificationJob([sourceJob()])], PRIORITY.patrol);
  const gathered = await verification.promise;
  expect(gathered.sources).toEqual([{ citationHash: aCitation.hash, sourceKey: null, reason: 'dead' }]);
});

test('what comes next is published with the priority of what came before', async () => {
  const review = (revision: number): Next => ({
    stage: 'review',
    input: { kind: 'page_deleted', wiki: 'w', page: { id: revision, title: 'T' }, event: `log-${revision}` },
  });
  start({ articles: async (input) => ({ answer: null, next: [review(input.revision)] }) });
  await publisher.publish([article(1)], PRIORITY.patrol);
  await publisher.publish([article(2)], PRIORITY.gadget);
  await until(async () => (await queues.count()).get('review')?.open === 2);
  const priorities = await Promise.all(
    [1, 2].map((revision) => redis.hget(`${PREFIX}:review:${jobId(review(revision))}`, 'priority')),
  );
  expect(priorities).toEqual([String(PRIORITY.patrol), String(PRIORITY.gadget)]);
});

test('what passes by itself is waited for and costs no attempt', async () => {
  const done = deferred<void>();
  let calls = 0;
  start({
    articles: async () => {
      calls += 1;
      if (calls === 1) throw new TransientError('the wiki is away');
      done.resolve();
      return nothing;
    },
  });
  await publisher.publish([article(1)], PRIORITY.patrol);
  await done.promise;
  await until(async () => (await queues.count()).get('articles')?.done === 1);
  expect(await redis.hget(`${PREFIX}:articles:${jobId(article(1))}`, 'atm')).toBe('1');
});

test('a parent published again after one of its children failed is not stuck', async () => {
  const handled: number[] = [];
  start({
    sources: async () => {
      throw new UnrecoverableError('a bug');
    },
    verification: async (_input, { gathered }) => {
      handled.push(gathered.sources.length);
      return nothing;
    },
  });
  const job = verificationJob([sourceJob()]);
  await publisher.publish([job], PRIORITY.patrol);
  await until(async () => handled.length === 1 && (await queues.count()).get('verification')?.done === 1);
  await redis.del(`${PREFIX}:verification:${jobId(job)}`); // as retention does in time
  await publisher.publish([job], PRIORITY.patrol);
  await until(async () => handled.length === 2);
});

test('what a killed job had published is published again while it is worked on: it is done, and nothing is stuck', async () => {
  const [begun, go] = [deferred<void>(), deferred<void>()];
  const handled: number[] = [];
  start({
    sources: async () => {
      throw new UnrecoverableError('a bug');
    },
    verification: async (_input, { gathered }) => {
      handled.push(gathered.sources.length);
      begun.resolve();
      await go.promise;
      return nothing;
    },
  });
  await publisher.publish([verificationJob([sourceJob()])], PRIORITY.patrol);
  await begun.promise;
  await publisher.publish([verificationJob([sourceJob()])], PRIORITY.patrol);
  go.resolve();
  await until(async () => [...(await queues.count()).values()].every(({ open }) => open === 0));
  expect((await queues.count()).get('verification')).toEqual({ done: 1, failed: 0, open: 0 });
  expect(new Set(handled)).toEqual(new Set([0])); // again, where its child that failed was published with it
});

test('a job that hangs is let go and tried again, and what its first attempt comes to later is not published', async () => {
  const late = deferred<void>();
  const attempts: AbortSignal[] = [];
  const log = createLogger('silent', 'test');
  runner = run({ handlers: { articles }, redis, publisher, log, longestMs: 200 });
  async function articles(input: Input<'articles'>, { signal }: Context) {
    attempts.push(signal);
    if (attempts.length > 1) return nothing;
    await late.promise;
    return { answer: null, next: [{ ...article(input.revision + 1) }] };
  }
  await publisher.publish([article(1)], PRIORITY.patrol);
  await until(async () => (await queues.count()).get('articles')?.done === 1);
  late.resolve();
  expect(attempts.map(({ aborted }) => aborted)).toEqual([true, false]);
  await new Promise(setImmediate);
  expect((await queues.count()).get('articles')).toEqual({ done: 1, failed: 0, open: 0 });
});

test('a job whose worker was killed twice waits once, away from those that were in hand with it, and is done', async () => {
  const handled: number[] = [];
  await publisher.publish([article(1)], PRIORITY.patrol);
  const key = `${PREFIX}:articles:${jobId(article(1))}`;
  await redis.hset(key, 'stc', 2);
  start({
    articles: async ({ revision }) => {
      handled.push(revision);
      return nothing;
    },
  });
  await until(async () => (await queues.count()).get('articles')?.done === 1);
  expect(handled).toEqual([1]);
  expect(await redis.hmget(key, 'ats', 'atm')).toEqual(['2', '1']);
});

test.each(['ECONNREFUSED', 'SQLITE_BUSY', 'ENOSPC'])(
  'a store that is away (%s) costs no attempt, however deep the reason lies',
  async (code) => {
    let calls = 0;
    start({
      articles: async () => {
        calls += 1;
        if (calls === 1) throw new Error('not stored', { cause: Object.assign(new Error('no'), { code }) });
        return nothing;
      },
    });
    await publisher.publish([article(1)], PRIORITY.patrol);
    await until(async () => (await queues.count()).get('articles')?.done === 1);
    expect(await redis.hget(`${PREFIX}:articles:${jobId(article(1))}`, 'atm')).toBe('1');
  },
);

test('a payload of the version before is read as one of today, one of a version to come waits, and one of none fails', async () => {
  const read: number[] = [];
  start({
    articles: async ({ revision }) => {
      read.push(revision);
      return nothing;
    },
  });
  const { queueName, name, data, opts } = toJob(article(1), PRIORITY.patrol);
  const queue = new Queue(queueName, { connection: redis, prefix: PREFIX });
  await queue.add(name, { ...data, version: 1, asked: 0 }, opts);
  await queue.add(name, { ...data, version: 99, asked: { by: 'nobody' } }, { ...opts, jobId: 'newer' });
  await queue.add(name, { ...data, version: 'old' }, { ...opts, jobId: 'broken' });
  await until(async () => read.length === 1 && (await queue.getDelayedCount()) === 1);
  const states = await Promise.all(['newer', 'broken'].map((id) => queue.getJobState(id)));
  expect(states).toEqual(['delayed', 'failed']);
  expect((await queue.getJob('newer'))?.attemptsMade).toBe(0);
  await queue.close();
});

test('a child that fails is left out, and the parent says so instead of waiting for ever', async () => {
  const suggestion = deferred<Context['gathered']>();
  start(
    {
      'retrieval-sparse': async () => ({ answer: partly, next: [] }),
      suggestion: async (_input, { gathered }) => {
        suggestion.resolve(gathered);
        return nothing;
      },
    },
    [],
  );
  await publisher.publish([suggestionJob()], PRIORITY.patrol);
  await until(async () => (await queues.count()).get('retrieval-sparse')?.done === 1);
  expect(await queues.giveUpUnattended(0)).toBe(0); // seen for the first time: its worker may be on its way
  expect(await queues.giveUpUnattended(60_000)).toBe(0);
  expect(await queues.giveUpUnattended(0)).toBe(1);
  const gathered = await suggestion.promise;
  expect(gathered.coverage).toEqual({ shardsAsked: 4, shardsAnswered: 2, missing: ['retrieval-dense-0'] });
  expect(gathered.retrieval).toEqual([{ ...partly, arm: 'sparse' }]);
});

test('a search that no worker goes on with is given up, also while its worker listens', async () => {
  const suggestion = deferred<Context['gathered']>();
  start({
    'retrieval-sparse': async () => ({ answer: partly, next: [] }),
    'retrieval-dense': (_input, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    suggestion: async (_input, { gathered }) => {
      suggestion.resolve(gathered);
      return nothing;
    },
  });
  await publisher.publish([suggestionJob(1), suggestionJob(2)], PRIORITY.patrol);
  await until(async () => (await queues.count()).get('retrieval-sparse')?.done === 2);
  await queues.giveUpUnattended(0);
  expect(await queues.giveUpUnattended(0)).toBe(1); // the other one is held by the worker till its lock runs out
  expect((await suggestion.promise).coverage.missing).toEqual(['retrieval-dense-0']);
});

test('a shard that is added gets its queue drained without a stop', async () => {
  const asked: number[] = [];
  start({
    'retrieval-dense': async ({ shard }) => {
      asked.push(shard);
      return { answer: partly, next: [] };
    },
  });
  await publisher.publish([denseJob(7)], PRIORITY.patrol);
  runner?.attend(7);
  await until(async () => (await queues.count()).get('retrieval-dense-7')?.done === 1);
  expect(asked).toEqual([7]);
});

test('a broken payload fails at once, names its field, and the next job goes on', async () => {
  const handled: Input<'articles'>[] = [];
  start({
    articles: async (input) => {
      handled.push(input);
      return nothing;
    },
  });
  const broken = { ...article(1), input: { ...place, revision: 'x' } } as unknown as Next; // what a bug elsewhere could publish
  await publisher.publish([broken, article(2)], PRIORITY.patrol);
  await until(async () => handled.length === 1 && (await queues.count()).get('articles')?.failed === 1);
  const reason = await redis.hget(`${PREFIX}:articles:${jobId(broken)}`, 'failedReason');
  expect(reason).toContain('revision:');
});

test('the same work is queued once', async () => {
  await publisher.publish([article(5)], PRIORITY.patrol);
  await publisher.publish([article(5)], PRIORITY.patrol);
  expect((await queues.count()).get('articles')?.open).toBe(1);
});

test('no id holds a colon or is a number, whatever the stage', () => {
  for (const job of [article(1), sourceJob(), verificationJob([]), suggestionJob()]) {
    expect(jobId(job)).toMatch(/^[^:]*[^:\d][^:]*$/);
  }
});

test('a Redis that evicts is refused', async () => {
  await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await expect(connectRedis(server.url, 'producer')).rejects.toThrow(/noeviction/);
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
});

test('a Redis that does not answer is refused in one line', async () => {
  await expect(connectRedis('redis://127.0.0.1:1/0', 'producer')).rejects.toThrow(/does not answer at 127.0.0.1:1/);
});

function start(handlers: Handlers, shards: number[] = [0]): void {
  const before = runner;
  const added = run({ handlers, redis, publisher, log });
  for (const shard of shards) added.attend(shard);
  const stop = async (ms: number) => void (await Promise.all([before?.stop(ms), added.stop(ms)]));
  runner = { attend: added.attend, stop };
}

function article(revision: number): Next {
  return { stage: 'articles', input: { ...place, revision, previous: null, scope: 'touched' } };
}

function sourceJob(): Next {
  return { stage: 'sources', input: { ...place, claimHash: aClaim.hash, citation: aCitation } };
}

function verificationJob(children: Next[]): Next {
  const input: Input<'verification'> = {
    ...place,
    claim: aClaim,
    citations: [aCitation],
    article: [],
    suggest: 'below_threshold',
  };
  return { stage: 'verification', input, children };
}

function suggestionJob(revision = place.revision): Next {
  const query = { ...place, revision, claim: aClaim, generation: 'first' };
  return {
    stage: 'suggestion',
    input: { finding: { ...aFinding, revision }, article: [], generation: 'first' },
    children: [
      { stage: 'retrieval-sparse', input: query },
      { stage: 'retrieval-dense', input: { ...query, shard: 0 } },
    ],
  };
}

function denseJob(shard: number): Next {
  return { stage: 'retrieval-dense', input: { ...place, claim: aClaim, generation: 'first', shard } };
}

/** As an index of three parts answers of which one is away. */
const partly = { hits: [{ passageId: 3, score: 1 }], shards: { asked: 3, answered: 2 } };

/** Polls a condition; jest's own time limit is the deadline. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
