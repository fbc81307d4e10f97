import type { Redis } from 'ioredis';
import { hashCitation } from '../../shared/hash.ts';
import { type Next, PRIORITY } from '../../shared/pipeline.ts';
import { createPublisher, openQueues, type Publisher, type Queues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { describeWith } from '../support/describe-with.ts';
import { aCitation, aClaim } from '../support/examples.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

const place = { wiki: 'wiki.example', page: { id: 7, title: 'Mill' }, revision: 12 };
const another = {
  ...aCitation,
  url: 'https://other.example/',
  hash: hashCitation({ url: 'https://other.example/', text: '' }),
};

describeWith(['redis'], 'publishing', () => {
  let server: RunningRedis;
  let redis: Redis;
  let publisher: Publisher;
  let queues: Queues;

  beforeAll(async () => {
    server = await startRedis();
    redis = await connectRedis(server.url, 'producer');
    publisher = createPublisher(redis);
    queues = openQueues(redis);
  });
  afterAll(async () => {
    await Promise.all([publisher?.close(), queues?.close()]);
    await redis?.quit();
    await server?.stop();
  });

  test('a sentence that stands twice on a page, once behind one source and once behind two, is two claims', async () => {
    await publisher.publish([verification([aCitation]), verification([aCitation, another])], PRIORITY.patrol);
    const counts = await queues.count();
    expect(counts.get('verification')?.open).toBe(2);
    expect(counts.get('sources')?.open).toBe(3);
  });

  test('what a request led to is taken out, however much of it waits, and nothing else', async () => {
    await redis.flushall();
    const article = (id: number, request?: string): Next => {
      const page = { id, title: `Mill ${id}` };
      const asked = request === undefined ? {} : { request };
      return { stage: 'articles', input: { ...place, page, previous: null, scope: 'all', ...asked } };
    };
    const ids = Array.from({ length: 1200 }, (_, index) => index + 1);
    await publisher.publish(
      ids.map((id) => article(id, 'w1')),
      PRIORITY.worklist,
    );
    await publisher.publish([article(1), article(1, 'w12'), verification([aCitation], 'w1')], PRIORITY.patrol);
    expect(await queues.cancel('w1')).toBe(1201);
    const counts = await queues.count();
    expect(counts.get('articles')?.open).toBe(2);
    expect(counts.get('verification')?.open).toBe(0);
    expect(counts.get('sources')?.open).toBe(0);
  });

  test('what Redis has no room for is not taken for published, neither alone nor with children', async () => {
    await redis.flushall();
    await redis.config('SET', 'maxmemory', '1mb');
    const refused = [publisher.publish([verification([])], 4), publisher.publish([verification([aCitation])], 4)];
    expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await redis.config('SET', 'maxmemory', '0');
    await publisher.publish([verification([aCitation])], PRIORITY.patrol);
    expect((await queues.count()).get('sources')?.open).toBe(1);
  });

  test('what runs when its request is cancelled leads to nothing any more, and all else goes on', async () => {
    await redis.flushall();
    await queues.cancel('r1');
    await publisher.publish([verification([aCitation], 'r1'), verification([aCitation], 'r2')], PRIORITY.requeue);
    await publisher.publish([verification([aCitation])], PRIORITY.patrol);
    expect(await queues.holds('r1')).toBe(false);
    expect(await queues.holds('r2')).toBe(true);
    expect((await queues.count()).get('sources')?.open).toBe(2);
  });
});

function verification(citations: (typeof aCitation)[], request?: string): Next {
  const at = request === undefined ? place : { ...place, request };
  const children = citations.map((citation): Next => {
    return { stage: 'sources', input: { ...at, claimHash: aClaim.hash, citation } };
  });
  return {
    stage: 'verification',
    input: { ...at, claim: aClaim, citations, article: [], suggest: 'below_threshold' },
    children,
  };
}
