import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createAsk } from '../../../bot/wiki.ts';
import { RequestError } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import { type Input, type Next, PRIORITY } from '../../../shared/pipeline.ts';
import { createPublisher, openQueues, type Publisher, type Queues } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { isRequeue, readAgainSince, requeueName } from '../../../shared/requeue.ts';
import { run } from '../../../shared/runner.ts';
import { cancelRequeue, type RequeueOptions, requeue, type Wanted } from '../../../workers/requeue/requeue.ts';
import { configOf, type Editor, signIn } from '../../bot/wiki-editor.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { findingOf, openStore, type Store } from '../review/store.ts';

const PAGE = z.object({ query: z.object({ pages: z.array(z.object({ pageid: z.int() })) }) });

test('the name of a requeue says whether and from when on sources are read again', () => {
  const began = new Date('2026-03-01T12:00:00.123Z');
  const [again, usual] = [true, false].map((readAgain) => requeueName(began, { readAgain }));
  expect(readAgainSince(again)).toBe(began.getTime());
  expect(readAgainSince(usual)).toBe(0);
  expect([again ?? '', usual ?? ''].every(isRequeue)).toBe(true);
  for (const other of [undefined, 'w12_3', 'r', 'r1_read', `${again}x`]) expect(readAgainSince(other)).toBe(0);
});

describeWith(['redis', 'wiki'], 'a requeue', () => {
  let server: TestWiki;
  let editor: Editor;
  let running: RunningRedis;
  let redis: Redis;
  let publisher: Publisher;
  let queues: Queues;
  let store: Store;

  beforeAll(async () => {
    [server, running] = await Promise.all([startWiki(), startRedis()]);
    editor = await signIn(server);
    redis = await connectRedis(running.url, 'worker');
    publisher = createPublisher(redis);
    queues = openQueues(redis);
  });
  afterAll(async () => {
    await Promise.all([publisher?.close(), queues?.close()]);
    redis?.disconnect();
    await Promise.all([server?.stop(), running?.stop()]);
  });
  beforeEach(async () => {
    await redis.flushall();
    store = await openStore();
  });
  afterEach(() => store.close());

  const wiki = aFinding.wiki;
  const ask = () => createAsk(configOf(server));
  const begin = (wanted: Partial<Wanted> = {}, options: Partial<RequeueOptions> = {}) =>
    requeue(
      { db: store.db, ask: ask(), publisher },
      { wiki, readAgain: false, ...wanted },
      { dryRun: false, signal: new AbortController().signal, ...options },
    );

  /** A page of the wiki with a finding that was judged at its first revision. */
  async function article(title: string, text = title): Promise<{ id: number; title: string; revision: number }> {
    const revision = await editor.save(title, text);
    const { query } = await ask()(PAGE, { revids: revision });
    const id = query.pages[0]?.pageid ?? 0;
    await store.findings.record({ ...findingOf(`${title} stands.`), page: { id, title }, revision });
    return { id, title, revision };
  }

  /** What waits for the bot, as it gets it. */
  async function waiting(count: number): Promise<Input<'articles'>[]> {
    const inputs: Input<'articles'>[] = [];
    const done = new Promise<void>((resolve) => {
      const articles = async (input: Input<'articles'>) => {
        inputs.push(input);
        if (inputs.length === count) resolve();
        return { answer: null, next: [] };
      };
      const runner = run({ handlers: { articles }, redis, publisher, log: createLogger('silent', 'test') });
      stops.push(() => runner.stop(1000));
    });
    await done;
    return inputs.sort((one, other) => one.page.id - other.page.id);
  }
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  test('checks the chosen claims at the newest revision of their articles, wherever these stand now', async () => {
    const [edited, moved, deleted] = [await article('Heron'), await article('Egret'), await article('Bittern')];
    const newest = await editor.save('Heron', 'Heron, edited');
    await editor.move('Egret', 'Little egret');
    await editor.delete('Bittern');
    const so = await begin();
    expect(so).toMatchObject({ articles: 3, findings: 3, left: 0 });
    const jobs = await waiting(3);
    expect(jobs).toMatchObject([
      { page: { id: edited.id, title: 'Heron' }, revision: newest },
      { page: { id: moved.id, title: 'Little egret' } },
      { page: { id: deleted.id, title: 'Bittern' }, revision: deleted.revision },
    ]);
    for (const { request, scope, chosen } of jobs) {
      expect([request, scope, chosen?.length]).toEqual([so.request, 'chosen', 1]);
    }
  });

  test('leaves out what is no article any more', async () => {
    await article('Dotterel');
    await article('Whimbrel');
    await editor.save('Dotterel', '#REDIRECT [[Whimbrel]]');
    await editor.move('Whimbrel', 'Talk:Whimbrel');
    expect(await begin()).toEqual({ request: null, articles: 0, findings: 0, left: 2 });
  });

  test('only counts in a dry run', async () => {
    await article('Avocet');
    expect(await begin({}, { dryRun: true })).toEqual({ request: null, articles: 1, findings: 1, left: 0 });
    expect((await queues.count()).get('articles')?.open).toBe(0);
  });

  test('is cancelled by its name, which is said before anything is published, and nothing else is', async () => {
    await article('Dunlin');
    const edit: Next = {
      stage: 'articles',
      input: { wiki, page: { id: 7, title: 'Knot' }, revision: 3, previous: 2, scope: 'touched' },
    };
    await publisher.publish([edit], PRIORITY.patrol);
    const told: [string | null, number][] = [];
    const so = await begin({}, { onProgress: ({ request, articles }) => told.push([request, articles]) });
    expect(told[0]).toEqual([so.request, 0]);
    expect((await queues.count()).get('articles')?.open).toBe(2);
    expect(await cancelRequeue(queues, so.request ?? '')).toBe(1);
    expect((await queues.count()).get('articles')?.open).toBe(1);
    await expect(cancelRequeue(queues, 'w12_1')).rejects.toThrow(RequestError);
  });

  test('of a category takes its articles and those of its subcategories, each once, also where they go round', async () => {
    await article('Curlew', '[[Category:Waders]][[Category:Long bills]]');
    await article('Godwit', '[[Category:Long bills]]');
    await article('Robin', '[[Category:Songbirds]]');
    await editor.save('Category:Long bills', '[[Category:Waders]]');
    await editor.save('Category:Waders', '[[Category:Long bills]]');
    const of = (title: string, depth: number) => begin({ category: { title, depth } }, { dryRun: true });
    expect(await of('Category:Waders', 0)).toMatchObject({ articles: 1 });
    expect(await of('Category:Waders', 5)).toMatchObject({ articles: 2, findings: 2 });
    await expect(of('Category:Nowhere', 0)).rejects.toThrow(RequestError);
  });

  test('of an article with more claims than a job takes has several jobs', async () => {
    const { id, title, revision } = await article('Ruff');
    for (let at = 1; at < 1003; at += 1) {
      await store.findings.record({ ...findingOf(`Claim ${at}.`), page: { id, title }, revision });
    }
    expect(await begin()).toMatchObject({ articles: 1, findings: 1003 });
    const sizes = (await waiting(2)).map(({ chosen }) => chosen?.length);
    expect(sizes.sort()).toEqual([1000, 3]);
  });

  test('that is stopped publishes nothing more', async () => {
    await article('Sanderling');
    await expect(begin({}, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect((await queues.count()).get('articles')?.open).toBe(0);
  });
});
