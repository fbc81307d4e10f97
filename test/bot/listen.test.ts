import { setImmediate } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Cursor, type CursorStore, createCursorStore } from '../../bot/cursor.ts';
import { createFollow, type Follow, type Followed } from '../../bot/follow.ts';
import { type Asked, createListen } from '../../bot/listen.ts';
import { type Change, parseFeedEvent } from '../../bot/recent-changes/change.ts';
import { createEventStreams } from '../../bot/recent-changes/event-streams.ts';
import type { RecentChanges, Step } from '../../bot/recent-changes/feed.ts';
import { createDescribeRevisions } from '../../bot/revisions.ts';
import { DEFAULT_RULES } from '../../bot/rules.ts';
import { createAsk, createWiki } from '../../bot/wiki.ts';
import { TransientError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Next } from '../../shared/pipeline.ts';
import { describeWith } from '../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { type EventStreamServer, startEventStream } from './event-stream-server.ts';
import { EARLIER, feedDeletion, feedEdit, streamed } from './examples.ts';
import { configOf, type Editor, signIn } from './wiki-editor.ts';

const log = createLogger('silent', 'test');
const backoff = { firstMs: 1, maxMs: 4 };
const since = new Date((EARLIER - 60) * 1000).toISOString();

function take(change: Change): Followed {
  const page = { id: 7, title: change.title };
  const revision = change.kind === 'edit' ? change.revision : 1;
  const input = { wiki: 'wiki.example', page, revision, previous: null, scope: 'touched' as const };
  return { change, followed: 'taken', next: [{ stage: 'articles', input }] };
}

/** A follower that takes every change as it is. */
const takeAll: Follow = async (changes) => changes.map(take);

/** Keeps what is published; `fail` is asked first. */
function createSink(fail: () => void = () => undefined) {
  const published: Next[] = [];
  const publish = async (asked: readonly Asked[]) => {
    fail();
    published.push(...asked.flatMap(({ next }) => next));
  };
  return { published, publish };
}

const revisionsOf = (jobs: Next[]) => jobs.flatMap((job) => (job.stage === 'articles' ? [job.input.revision] : []));

/** A cursor store in memory, with all that was saved. */
function createMemory() {
  const saved: Cursor[] = [];
  const handedOn: string[] = [];
  const save = async (cursor: Cursor, ids: readonly string[]) => {
    saved.push(cursor);
    handedOn.push(...ids);
  };
  return { saved, handedOn, save, load: async () => ({ cursor: saved.at(-1) ?? null, handedOn }) };
}

/** Tells these events once, then ends. */
function feedOf(events: object[]): RecentChanges & { from: Cursor[] } {
  const from: Cursor[] = [];
  return {
    from,
    async *follow(start) {
      from.push(start);
      for (const [index, event] of events.entries()) {
        const cursor = { time: since, eventId: String(index) };
        yield { ...parseFeedEvent(event), cursor } satisfies Step;
      }
    },
  };
}

const signal = () => new AbortController().signal;

test('every change is published once, and the cursor moves behind it', async () => {
  const [sink, cursors, counts] = [createSink(), createMemory(), new Map<string, number>()];
  const feed = feedOf([
    feedEdit(1),
    feedEdit(2),
    feedEdit(1),
    feedEdit(3, { type: 'external' }),
    feedEdit(4, { bot: 7 }),
  ]);
  const listen = createListen({ feed, follow: takeAll, publish: sink.publish, cursors, since, log, counts, backoff });
  await listen.run(signal());
  expect(revisionsOf(sink.published)).toEqual([1, 2]);
  expect(cursors.saved.at(-1)?.eventId).toBe('4');
  expect(cursors.handedOn).toEqual(['revision-1', 'revision-2']);
  expect(Object.fromEntries(counts)).toEqual({ taken: 2, duplicate: 1, other: 1, 'malformed:bot': 1 });
});

test('it begins where it is told, goes on from the stored cursor, and knows what it has handed on', async () => {
  const [feed, cursors, sink] = [feedOf([feedEdit(1)]), createMemory(), createSink()];
  const listen = createListen({
    feed,
    follow: takeAll,
    publish: sink.publish,
    cursors,
    since,
    log,
    counts: new Map(),
  });
  await listen.run(signal());
  await listen.run(signal());
  expect(revisionsOf(sink.published)).toEqual([1]);
  expect(feed.from).toEqual([
    { time: since, eventId: null },
    { time: since, eventId: '0' },
  ]);
});

test('a queue, a wiki and a store that are away are waited for, and nothing is lost', async () => {
  let failures = 0;
  const sometimes = (error: Error) => {
    failures += 1;
    if (failures % 3 !== 0) throw error;
  };
  const [sink, memory] = [createSink(() => sometimes(new Error('Redis is away'))), createMemory()];
  const follow: Follow = async (changes, aborted) => {
    sometimes(new TransientError('the wiki is away'));
    return takeAll(changes, aborted);
  };
  const save: CursorStore['save'] = async (cursor, ids) => {
    sometimes(new Error('Redis is away'));
    await memory.save(cursor, ids);
  };
  const [feed, cursors, counts] = [feedOf([feedEdit(1), feedEdit(2)]), { ...memory, save }, new Map()];
  await createListen({ feed, follow, publish: sink.publish, cursors, since, log, counts, backoff }).run(signal());
  expect(revisionsOf(sink.published)).toEqual([1, 2]);
  expect(memory.saved.at(-1)?.eventId).toBe('1');
});

test('a change that nobody can follow is counted, and the rest goes on', async () => {
  const follow: Follow = async (changes) => {
    if (changes.some(({ kind }) => kind === 'log')) throw new TypeError('a bug');
    return changes.map(take);
  };
  const [sink, counts] = [createSink(), new Map<string, number>()];
  const feed = feedOf([feedDeletion(9), feedEdit(10)]);
  const cursors = createMemory();
  await createListen({ feed, follow, publish: sink.publish, cursors, since, log, counts, backoff }).run(signal());
  expect(revisionsOf(sink.published)).toEqual([10]);
  expect(Object.fromEntries(counts)).toEqual({ failed: 1, taken: 1 });
});

test('it stops when told to, also while the queue is away', async () => {
  const abort = new AbortController();
  const publish = async () => {
    abort.abort();
    throw new Error('Redis is away');
  };
  const cursors = createMemory();
  const feed = feedOf([feedEdit(1), feedEdit(2)]);
  const options = { feed, follow: takeAll, publish, cursors, since, log, counts: new Map() };
  await createListen(options).run(abort.signal);
  expect(cursors.saved).toEqual([]);
});

test('a revision that the wiki does not know yet is asked for again beside what comes, and the cursor waits for it', async () => {
  const [sink, cursors, counts] = [createSink(), createMemory(), new Map<string, number>()];
  let asked = 0;
  const isLate = (change: Change) => change.kind === 'edit' && change.revision === 1 && ++asked < 3;
  const follow: Follow = async (changes) =>
    changes.map((change) => (isLate(change) ? { change, followed: 'not_yet', next: [] } : take(change)));
  const feed: RecentChanges = {
    async *follow() {
      for (const [index, revision] of [1, 2, 3].entries()) {
        yield { ...parseFeedEvent(feedEdit(revision)), cursor: { time: since, eventId: String(index) } };
        // until it is handed on: the change after the late one before it, the last one behind it
        while (index > 0 && !revisionsOf(sink.published).includes([1, 2, 1][index] ?? 0)) await setImmediate();
      }
    },
  };
  await createListen({ feed, follow, publish: sink.publish, cursors, since, log, counts, backoff }).run(signal());
  expect(revisionsOf(sink.published).sort()).toEqual([1, 2, 3]);
  expect(cursors.saved[0]).toEqual({ time: since, eventId: null });
  expect(cursors.saved.at(-1)?.eventId).toBe('2');
  expect(counts.get('taken')).toBe(3);
});

test('what was heard is logged now and then, and at the end', async () => {
  const told: object[] = [];
  const listener = { ...log, info: (fields: object) => told.push(fields) } as unknown as typeof log; // its other methods are pino's
  const options = { follow: takeAll, publish: createSink().publish, cursors: createMemory(), since, counts: new Map() };
  const feed: RecentChanges = {
    async *follow() {
      while (told.length < 2) await setImmediate();
      yield { ...parseFeedEvent(feedEdit(1)), cursor: { time: since, eventId: null } };
    },
  };
  await createListen({ ...options, feed, log: listener, tellMs: 1 }).run(signal());
  expect(told[0]).toEqual({ heard: {} });
  expect(told.at(-1)).toEqual({ heard: { taken: 1 } });
});

describeWith(['redis', 'wiki'], 'listening to a real wiki through a stream', () => {
  let redisServer: RunningRedis;
  let redis: Redis;
  let server: TestWiki;
  let stream: EventStreamServer;
  let editor: Editor;

  beforeAll(async () => {
    redisServer = await startRedis();
    redis = new Redis(redisServer.url);
    server = await startWiki();
    editor = await signIn(server);
  });
  afterAll(async () => {
    await redis?.quit();
    await Promise.all([redisServer?.stop(), server?.stop(), stream?.stop()]);
  });

  /** Listens until a change of `last` is published. */
  async function listenUntil(last: number): Promise<{ published: Next[]; counts: Map<string, number> }> {
    const [sink, counts, abort] = [createSink(), new Map<string, number>(), new AbortController()];
    const named = { serverName: 'wiki.example', userAgent: 'test' };
    const cursors = createCursorStore(redis, 'wiki.example', 'eventstreams');
    const save: CursorStore['save'] = async (cursor, ids) => {
      await cursors.save(cursor, ids);
      if (revisionsOf(sink.published).includes(last)) abort.abort();
    };
    const wiki = createWiki(configOf(server));
    const feed = createEventStreams({ url: stream.url, ...named, wiki, log, backoff });
    const describe = createDescribeRevisions(createAsk(configOf(server)));
    const follow = createFollow({ wikiId: 'wiki.example', wiki, describe, rules: DEFAULT_RULES, lagMs: 0 });
    const options = { feed, follow, publish: sink.publish, cursors: { ...cursors, save }, since, log, counts, backoff };
    await createListen(options).run(abort.signal);
    return { published: sink.published, counts };
  }

  const say = (event: ReturnType<typeof feedEdit>) => stream.send(streamed(event));

  test('what the stream leaves out is asked of the wiki; a restart repeats and loses nothing', async () => {
    stream = await startEventStream([{ events: 2, ends: 'cut' }]);
    const first = await editor.save('Plover', 'one');
    const second = await editor.save('Plover', 'two');
    const undone = await editor.undo('Plover', second);
    const redirect = await editor.save('Plovers', '#REDIRECT [[Plover]]');
    const last = await editor.save('Lapwing', 'one');
    for (const revision of [first, undone, redirect, 999_999, last]) say(feedEdit(revision));
    const { published, counts } = await listenUntil(last);
    const page = { id: expect.any(Number), title: 'Plover' };
    expect(published.map((job) => job.input)).toMatchObject([
      { wiki: 'wiki.example', page, revision: first, previous: null, scope: 'touched' },
      { page, revision: undone, scope: 'none', reverts: true },
      { page: { title: 'Plovers' }, revision: redirect, scope: 'none' },
      { page: { title: 'Lapwing' }, revision: last, scope: 'touched' },
    ]);
    expect(Object.fromEntries(counts)).toEqual({ taken: 2, revert: 1, redirect: 1, revision_gone: 1 });

    const next = await editor.save('Lapwing', 'two');
    say(feedEdit(next));
    expect(revisionsOf((await listenUntil(next)).published)).toEqual([next]);
    expect(stream.requests.at(-1)?.lastEventId).toContain('"offset":4');
  });
});
