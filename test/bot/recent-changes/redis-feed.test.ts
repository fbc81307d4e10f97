import { Redis } from 'ioredis';
import { changeId } from '../../../bot/recent-changes/change.ts';
import { createRedisFeed } from '../../../bot/recent-changes/redis-feed.ts';
import { createWiki } from '../../../bot/wiki.ts';
import { createLogger } from '../../../shared/logger.ts';
import { describeWith } from '../../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { changes, collect, isEdit, isEditOf, revisions } from '../collect.ts';
import { apiEdit, EARLIER, feedEdit } from '../examples.ts';
import { configOf, type Editor, signIn } from '../wiki-editor.ts';

const log = createLogger('silent', 'test');
const backoff = { firstMs: 1, maxMs: 4 };
const start = { time: new Date((EARLIER - 60) * 1000).toISOString(), eventId: null };

describeWith(['redis'], 'a feed in Redis', () => {
  let server: RunningRedis;
  let publisher: Redis;

  beforeAll(async () => {
    server = await startRedis();
    publisher = new Redis(server.url);
  });
  afterAll(async () => {
    await publisher?.quit();
    await server?.stop();
  });

  /** A feed whose wiki tells these revisions when it is asked what was missed. */
  function feed(missed: number[][], limits = {}) {
    const recentChanges = async () => ({ rows: (missed.shift() ?? []).map((id) => apiEdit(id)), next: null });
    const url = `${server.url.replace('/0', '')}/rc/wiki`;
    return createRedisFeed({ url, wiki: { recentChanges }, log, backoff, ...limits });
  }

  const say = (...events: object[]) =>
    Promise.all(events.map((event) => publisher.publish('rc.wiki', JSON.stringify(event))));

  test('tells what was missed before, and then what is published', async () => {
    const steps = await collect(feed([[1]]), start, isEdit(3), () => say(feedEdit(2), feedEdit(3)));
    expect(revisions(steps)).toEqual([1, 2, 3]);
    expect(steps.at(-1)?.cursor.eventId).toBeNull();
  });

  test('a malformed message is told with its field, and the rest goes on', async () => {
    const steps = await collect(feed([[1]]), start, isEdit(3), async () => {
      await publisher.publish('rc.wiki', '{"half');
      await say(feedEdit(2, { bot: 'yes' }), feedEdit(3));
    });
    const told = steps.map((step) => (step.kind === 'malformed' ? step.field : step.kind));
    expect(told).toEqual(['change', 'other', 'event', 'bot', 'change']);
  });

  test('after a lost connection the wiki is asked for what was missed', async () => {
    const cut = () => publisher.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    expect(revisions(await collect(feed([[1], [2, 3]]), start, isEdit(3), cut))).toEqual([1, 2, 3]);
  });

  test('after a silence the wiki is asked for what was missed', async () => {
    expect(revisions(await collect(feed([[1], [], [2]], { silenceMs: 5 }), start, isEdit(2)))).toEqual([1, 2]);
  });

  test('what comes faster than it is read is asked of the wiki, and memory stays bounded', async () => {
    const published = Array.from({ length: 500 }, (_, index) => feedEdit(10 + index));
    const steps = await collect(feed([[1], [2]], { mostUnread: 5 }), start, isEdit(2), () => say(...published));
    expect(steps.length).toBeLessThan(published.length);
  });

  test('stops when told to', async () => {
    const abort = new AbortController();
    const steps = feed([[1]])
      .follow(start, abort.signal)
      [Symbol.asyncIterator]();
    while ((await steps.next()).value?.kind !== 'other');
    const next = steps.next();
    abort.abort(new Error('enough'));
    await expect(next).rejects.toThrow();
  });
});

describeWith(['redis', 'wiki'], "a wiki's own feed in Redis", () => {
  let redis: RunningRedis;
  let wiki: TestWiki;
  let editor: Editor;

  beforeAll(async () => {
    redis = await startRedis();
    wiki = await startWiki({ feedUrl: `${redis.url.replace('/0', '')}/rc.test` });
    editor = await signIn(wiki);
  });
  afterAll(async () => {
    await wiki?.stop();
    await redis?.stop();
  });

  test('tells every edit and deletion, also those made while nobody listened', async () => {
    const from = { time: new Date().toISOString(), eventId: null };
    const url = `${redis.url.replace('/0', '')}/rc.test`;
    const feed = createRedisFeed({ url, wiki: createWiki(configOf(wiki)), log, backoff });
    const first = await editor.save('Avocet', 'one');
    const steps = await collect(feed, from, isEditOf('Stilt'), async () => {
      await editor.delete('Avocet');
      await editor.save('Stilt', 'two');
    });
    const told = new Map(changes(steps).map((change) => [changeId(change), change]));
    const ours = [...told.values()].filter(({ title }) => ['Avocet', 'Stilt'].includes(title));
    expect(ours).toMatchObject([
      { kind: 'edit', revision: first, previous: null },
      { kind: 'log', logType: 'delete', logAction: 'delete' },
      { kind: 'edit', title: 'Stilt' },
    ]);
  });
});
