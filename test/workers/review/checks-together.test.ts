/** Two review services over one database and one Redis that are asked for the same at the same moment. */
import { createLogger } from '../../../shared/logger.ts';
import { createPublisher, openQueues } from '../../../shared/queue.ts';
import { readQueueStates } from '../../../shared/queue-state.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { openChecks } from '../../../workers/review/checks/checks.ts';
import { openReviewDatabase } from '../../../workers/review/database.ts';
import { onEachEngine } from '../../support/databases.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';

onEachEngine('two services', ['redis'], (freshPlace) => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    const client = await connectRedis(redis.url, 'producer');
    await client.flushall();
    client.disconnect();
  });
  afterAll(() => redis.stop());

  test('begin one check of what both are asked for at once, and whoever asked has a key of their own', async () => {
    const place = await freshPlace();
    const services = [await startService(redis.url, place), await startService(redis.url, place)];
    const asked = services.flatMap(({ checks }) => [
      checks.start({ kind: 'sentence', text: 'The ferry Alcyone was launched in 1931.' }),
      checks.start({ kind: 'page', wiki: WIKI, title: 'Alcyone' }),
    ]);
    const begun = await Promise.all(asked);
    expect(new Set(begun.map(({ check }) => check.id)).size).toBe(2);
    expect(new Set(begun.map(({ key }) => key)).size).toBe(begun.length);
    expect(await services[0]?.waiting()).toEqual({ articles: 1, find: 1 });
    await Promise.all(services.map(({ close }) => close()));
  }, 60_000);
});

const WIKI = 'orrin.example';

async function startService(url: string, place: string) {
  const db = await openReviewDatabase(place);
  const redis = await connectRedis(url, 'producer');
  const [publisher, queues] = [createPublisher(redis), openQueues(redis)];
  const wiki = { id: WIKI, latestRevision: async () => ({ page: { id: 7, title: 'Alcyone' }, revision: 70 }) };
  const checks = await openChecks({ db, redis, publisher, queues, wiki, log: createLogger('silent', 'test') });
  return {
    checks,
    async waiting() {
      const states = await readQueueStates(redis);
      return Object.fromEntries(
        states.map(({ queue, jobs }) => [queue, jobs.waiting]).filter(([, jobs]) => jobs !== 0),
      );
    },
    async close() {
      await checks.close();
      await Promise.all([publisher.close(), queues.close(), db.destroy()]);
      redis.disconnect();
    },
  };
}
