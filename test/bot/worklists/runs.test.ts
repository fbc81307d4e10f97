import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { type Backlog, openBacklog } from '../../../bot/worklists/backlog.ts';
import { createOnRead } from '../../../bot/worklists/read.ts';
import { goOn, resumeAll } from '../../../bot/worklists/resume.ts';
import { openSchedules, type Schedules } from '../../../bot/worklists/schedule.ts';
import { startWorklists } from '../../../bot/worklists/start.ts';
import { openWorklists } from '../../../bot/worklists/store.ts';
import { type Run, requestOf } from '../../../bot/worklists/worklist.ts';
import { parseConfig } from '../../../shared/config.ts';
import { BrokenPayload } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import { type Input, jobId, type Next, PRIORITY, stages } from '../../../shared/pipeline.ts';
import { createPublisher, openQueues, type Publisher, type Queues } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { run as drain } from '../../../shared/runner.ts';
import { onEachEngine } from '../../support/databases.ts';
import { deferred } from '../../support/deferred.ts';
import { aCitation, aClaim } from '../../support/examples.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';
import { type PaperWiki, startPaperWiki } from './paper-wiki.ts';
import { context, openWalk, type Walk, type WalkOptions, WIKI } from './walk.ts';

onEachEngine('a run of a worklist', ['redis'], (fresh, engine) => {
  let wiki: PaperWiki;
  let server: RunningRedis;
  let redis: Redis;
  let publisher: Publisher;
  let queues: Queues;
  let backlog: Backlog;
  let schedules: Schedules;
  let walk: Walk;

  beforeAll(async () => {
    wiki = await startPaperWiki();
    server = await startRedis();
    redis = await connectRedis(server.url, 'worker');
    publisher = createPublisher(redis);
    queues = openQueues(redis);
    backlog = openBacklog(redis);
    schedules = openSchedules(redis);
  });
  afterAll(async () => {
    await Promise.all([publisher?.close(), queues?.close(), backlog?.close(), schedules?.close()]);
    redis?.disconnect();
    await server?.stop();
    await wiki?.close();
  });
  beforeEach(async () => {
    await redis.flushall();
    wiki.asked = [];
    wiki.about.clear();
    await open();
  });
  afterEach(() => walk.close());

  async function open(options: WalkOptions = {}): Promise<void> {
    if (walk !== undefined) await walk.close().catch(() => undefined);
    walk = await openWalk(wiki, { place: await fresh(), backlog, cancel: queues.cancel, limits: LIMITS, ...options });
  }
  const articles = (next: readonly Next[]) => next.flatMap((job) => (job.stage === 'articles' ? [job.input] : []));
  const names = (next: readonly Next[]) => articles(next).map(({ page }) => page.title);
  const publish = (next: readonly Next[]) => publisher.publish(next, PRIORITY.worklist);
  const readAll = async (next: readonly Next[], model = 'model-1') => {
    for (const { page, request } of articles(next)) {
      await createOnRead(walk.store, model)(request ?? '', { page, kind: 'read', claims: 3, checking: 2 });
    }
  };
  const counts = async (run: Run) =>
    Object.fromEntries(
      (await walk.store.members.count(run)).map(({ state, reason, articles: n }) => [reason ?? state, n]),
    );

  /** All steps until the run is over; every article is read at once. */
  async function finish(run: Run, model?: string): Promise<string[]> {
    const handed: string[] = [];
    while ((await walk.again(run)).state === 'running') {
      const next = await walk.step(run);
      handed.push(...names(next));
      await readAll(next, model);
    }
    return handed;
  }

  test('hands many articles on in bounded memory, each once', async () => {
    const many = engine === 'SQLite' ? 10_000 : 500; // each commit of MariaDB waits for the disk
    await open({ limits: { batch: 50, open: 100, claims: 1000, waitMs: 1 } });
    const run = await walk.begin({ kind: 'file', name: 'titles.txt', titles: many }, mills(many));
    const handed = new Set<string>();
    const held = { articles: 0, open: 0 };
    while ((await walk.again(run)).state === 'running') {
      const next = await walk.step(run);
      for (const job of next) if (job.stage === 'articles') handed.add(jobId(job));
      held.articles = Math.max(held.articles, names(next).length);
      held.open = Math.max(held.open, await walk.store.members.open(run));
      if (held.open >= 100 || names(next).length === 0) await readAll(await walk.jobs(run));
    }
    expect(handed.size).toBe(many);
    expect(held).toEqual({ articles: 50, open: 100 });
    expect(Math.max(...wiki.asked)).toBe(50);
    expect(await counts(run)).toEqual({ read: many });
  }, 170_000);

  test('that was open when the bot stopped is drained when it starts, each article once, few of them open', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sidelight-worklists-'));
    const parsed = parseConfig({ WIKI: wiki.origin, DATA_DIR: dataDir });
    const config = { ...parsed, databases: { ...parsed.databases, worklists: await fresh() } };
    const store = await openWorklists(config.databases.worklists);
    const source = { kind: 'file', name: 'titles.txt', titles: 200 } as const;
    const list = await store.lists.add({ wiki: config.wiki.id, name: 'mills', source }, mills(200));
    const run = await store.runs.begin(list.id, false);
    const log = createLogger('silent', 'test');
    const { worklists, onRead, close } = await startWorklists(config, { redis, publisher, log }, LIMITS);
    const read: number[] = [];
    const open: number[] = [];
    const isDone = deferred<void>();
    const runner = drain({
      redis,
      publisher,
      log,
      handlers: {
        async worklists(input, given) {
          const outcome = await worklists(input, given);
          open.push(await store.members.open(run));
          if ((await store.runs.get(list.id, 1))?.state === 'done') isDone.resolve();
          return outcome;
        },
        async articles({ page, request = '' }) {
          read.push(page.id);
          await onRead(request, { page, kind: 'read', claims: 3, checking: 3 });
          return { answer: null, next: [] };
        },
      },
    });
    await isDone.promise;
    await runner.stop(1000);
    expect(read.length).toBe(200);
    expect(new Set(read).size).toBe(200);
    expect(Math.max(...open)).toBeLessThanOrEqual(LIMITS.open);
    await close();
    await store.close();
    await rm(dataDir, { recursive: true });
  });

  test('that is killed between the database and the queue gives the same articles once more, and loses none', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 120 }, mills(120));
    const published = new Set<string>();
    for (let kill = 0; (await walk.again(run)).state === 'running'; kill++) {
      const input = walk.input(await walk.again(run));
      const lost = await walk.handle(input, context);
      const { next } = kill % 2 === 0 ? await walk.handle(input, context) : lost;
      expect(new Set(next.map(jobId))).toEqual(new Set(lost.next.map(jobId)));
      await publish(next);
      for (const job of next) if (job.stage === 'articles') published.add(jobId(job));
      await readAll(next);
    }
    expect(published.size).toBe(120);
    expect((await queues.count()).get('articles')?.open).toBe(120);
    expect(await counts(run)).toEqual({ read: 120 });
  });

  test('goes on after a restart, also where Redis lost everything', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 20 }, mills(20));
    await publish(await walk.step(run));
    await redis.flushall();
    await resumeAll(walk.store, { publisher, schedules, wikiId: WIKI });
    expect((await queues.count()).get('worklists')?.open).toBe(1);
    const others = await walk.step(run);
    await publish(others);
    await readAll(others);
    await walk.step(run); // nothing is left to hand on: it looks what became of the first ones
    const lost = await walk.step(run);
    expect(names(lost)).toHaveLength(10);
    await readAll(lost);
    expect(await finish(run)).toEqual([]);
    expect(await counts(run)).toEqual({ read: 20 });
  });

  test('reads a list to its end, piece by piece, also where each step is done twice', async () => {
    const run = await walk.begin({ kind: 'search', query: 'mill' });
    const pieces: number[] = [];
    while ((await walk.again(run)).phase === 'collecting') {
      const input = walk.input(await walk.again(run));
      await Promise.all([walk.handle(input, context), walk.handle(input, context)]);
      pieces.push((await walk.store.members.listed(run, 100)).length);
    }
    expect(pieces).toEqual([20, 40, 50]);
    expect(await walk.again(run)).toMatchObject({ phase: 'resolving', step: 3, position: null });
  });

  test('stops between two steps while it is paused, and goes on', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 20 }, mills(20));
    await walk.store.lists.pause(run.worklist, true);
    const stale = walk.input(await walk.again(run));
    await publish([{ stage: 'worklists', input: stale }]);
    expect(await walk.step(run)).toEqual([]);
    expect(await walk.store.runs.running(WIKI)).toEqual([]);
    await walk.store.lists.pause(run.worklist, false);
    await goOn(walk.store, publisher, await worklistOf(run), await walk.again(run));
    expect((await queues.count()).get('worklists')?.open).toBe(2);
    expect(names((await walk.handle(stale, context)).next)).toEqual([]); // the job from before has nothing to do
    expect(names(await walk.step(run))).toHaveLength(10);
  });

  test('that is cancelled takes out what waits, and what a step under way has for it is not published', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 20 }, mills(20));
    const underWay = await walk.step(run);
    await walk.store.runs.end(run, 'cancelled');
    await walk.store.members.cancel(run);
    expect(await queues.cancel(requestOf(run))).toBe(0);
    await publish(underWay);
    expect((await queues.count()).get('articles')?.open).toBe(0);
    for (const job of underWay) if (job.stage === 'worklists') await walk.handle(job.input, context);
    expect((await queues.count()).get('articles')?.open).toBe(0);
    expect(await counts(run)).toEqual({ cancelled: 20 });
  });

  test('takes the most important articles first, then the most viewed, then as they are listed', async () => {
    wiki.about.set(2, { pageviews: { '2026-11-01': 5, '2026-11-02': null } });
    wiki.about.set(3, { pageviews: { '2026-11-01': 50, '2026-11-02': 7 } });
    wiki.about.set(4, {
      pageassessments: { Mills: { class: 'B', importance: 'High' }, Rivers: { importance: 'Low' } },
    });
    wiki.about.set(5, { pageassessments: { Mills: { class: 'B', importance: 'Top' } } });
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 5 }, mills(6));
    expect(names(await walk.step(run))).toEqual(['Mill 5', 'Mill 4', 'Mill 3', 'Mill 2', 'Mill 1', 'Mill 6']);
  });

  test('asks for every claim, with the priority and under the name of the run', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 1 }, mills(1));
    const [article] = articles(await walk.step(run));
    expect(article).toEqual({
      wiki: WIKI,
      page: { id: 1, title: 'Mill 1' },
      revision: 1001,
      previous: null,
      scope: 'all',
      request: `w${run.worklist}_1`,
    });
    expect(stages.articles.input.safeParse(article).success).toBe(true);
  });

  test('leaves articles out that have not changed since the same model read them, unless it is asked for all', async () => {
    const first = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 3 }, mills(3));
    expect(await finish(first)).toHaveLength(3);
    wiki.about.set(2, { lastrevid: 5000 });
    const second = await walk.store.runs.begin(first.worklist, false);
    expect(await finish(second)).toEqual(['Mill 2']);
    expect(await counts(second)).toEqual({ read: 1, unchanged: 2 });
    expect(await finish(await walk.store.runs.begin(first.worklist, true))).toHaveLength(3);
    const { store, collect } = walk.options;
    const other = await openWalk(wiki, { store, collect, backlog, limits: LIMITS, model: 'model-2' });
    const third = await store.runs.begin(first.worklist, false);
    const step = async () => other.handle(walk.input(await walk.again(third)), context);
    while ((await walk.again(third)).phase !== 'publishing') await step();
    expect(names((await step()).next)).toHaveLength(3);
    await other.close();
  });

  test('leaves out what became no article since it was listed', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 4 }, mills(4));
    wiki.about.set(1, { lastrevid: undefined });
    wiki.about.set(2, { redirect: true });
    wiki.about.set(3, { ns: 118 });
    expect(await finish(run)).toEqual(['Mill 4']);
    expect(await counts(run)).toEqual({ missing: 1, not_article: 2, read: 1 });
  });

  test('is not held up by an article whose job failed for good, nor by one that nobody can read', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 2 }, mills(2));
    const next = await walk.step(run);
    await publish(next);
    await createOnRead(walk.store, 'model-1')(requestOf(run), {
      page: { id: 2, title: 'Mill 2' },
      kind: 'too_large',
    });
    const failed = deferred<void>();
    const runner = drain({
      redis,
      publisher,
      log: createLogger('silent', 'test'),
      handlers: {
        articles: ({ page }) =>
          Promise.reject(new BrokenPayload('test')).finally(() => page.id === 1 && failed.resolve()),
      },
    });
    await failed.promise;
    await runner.stop(1000);
    await finish(run);
    expect((await walk.again(run)).state).toBe('done');
    expect(await counts(run)).toEqual({ failed: 1, too_large: 1 });
  });

  test('waits while many claims that people asked for are still to be checked, and not for those of patrol', async () => {
    const run = await walk.toPublishing({ kind: 'file', name: 'titles.txt', titles: 2 }, mills(2));
    const several = (request?: string) => [1, 2, 3, 4].map((revision) => verification(revision, request));
    for (const withSources of [true, false]) {
      await publish(several('w99_1').map((job) => (withSources ? job : { ...job, children: [] })));
      expect(names(await walk.step(run))).toEqual([]);
      expect(await walk.again(run)).toMatchObject({ state: 'running', waiting: 'claims_open' });
      await redis.flushall();
    }
    await publisher.publish(several(), PRIORITY.patrol + 100);
    expect(names(await walk.step(run))).toHaveLength(2);
    expect((await walk.again(run)).waiting).toBeNull();
  });

  test('waits for a wiki that is away, says so, and goes on', async () => {
    const run = await walk.begin({ kind: 'file', name: 'titles.txt', titles: 2 }, mills(2));
    await walk.step(run);
    wiki.away = true;
    await expect(walk.step(run)).rejects.toMatchObject({ name: 'TransientError' });
    expect(await walk.again(run)).toMatchObject({ state: 'running', waiting: 'wiki_away' });
    wiki.away = false;
    expect(await finish(run)).toHaveLength(2);
  });

  test('begins by a schedule once, and goes on with the one that is open', async () => {
    const { id } = await walk.store.lists.add(
      { wiki: WIKI, name: 'rivers', source: { kind: 'file', name: 'f', titles: 2 } },
      mills(2),
    );
    const scheduled: Input<'worklists'> = { wiki: WIKI, worklist: id, run: 0, step: 0 };
    const [first] = (await walk.handle(scheduled, context)).next;
    expect(first?.input).toMatchObject({ worklist: id, run: 1, step: 0 });
    const [second] = (await walk.handle(scheduled, context)).next;
    expect(second?.input).toMatchObject({ worklist: id, run: 1 });
    expect(await walk.store.runs.all(id)).toHaveLength(1);
    await walk.store.lists.pause(id, true);
    expect((await walk.handle(scheduled, context)).next).toEqual([]);
  });

  test('is scheduled weekly, and scheduled again after a restart without Redis', async () => {
    const { id } = await walk.store.lists.add({
      wiki: WIKI,
      name: 'rivers',
      source: { kind: 'search', query: 'river' },
    });
    await walk.store.lists.schedule(id, { day: 1, hour: 3 });
    await resumeAll(walk.store, { publisher, schedules, wikiId: WIKI });
    const next = new Date((await schedules.next(id)) ?? 0);
    expect([next.getUTCDay(), next.getUTCHours(), next.getUTCMinutes()]).toEqual([1, 3, 0]);
    expect(next.getTime()).toBeGreaterThan(Date.now());
    await schedules.set({ id, wiki: WIKI }, null);
    expect(await schedules.next(id)).toBeNull();
  });

  test('of a list that was dropped does nothing', async () => {
    const run = await walk.begin({ kind: 'file', name: 'titles.txt', titles: 2 }, mills(2));
    const input = walk.input(run);
    await walk.store.lists.drop(run.worklist);
    expect((await walk.handle(input, context)).next).toEqual([]);
    expect(await walk.store.lists.all(WIKI)).toEqual([]);
  });

  async function worklistOf(run: Run) {
    const found = await walk.store.lists.get(run.worklist);
    if (found === null) throw new Error('it was added');
    return found;
  }
});

/** A claim of an article, with its source to be read first. */
function verification(revision: number, request?: string): Next {
  const at = { wiki: WIKI, page: { id: 7, title: 'Mill' }, revision, ...(request !== undefined && { request }) };
  const source: Next = { stage: 'sources', input: { ...at, claimHash: aClaim.hash, citation: aCitation } };
  const input = { ...at, claim: aClaim, citations: [aCitation], article: [], suggest: 'always' as const };
  return { stage: 'verification', input, children: [source] };
}

const LIMITS = { batch: 10, open: 20, claims: 4, waitMs: 1 };

function mills(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `Mill ${at + 1}`);
}
