import { Redis } from 'ioredis';
import { type Cursor, createCursorStore } from '../../bot/cursor.ts';
import { createFollow, type Follow } from '../../bot/follow.ts';
import { createListen, type Heard } from '../../bot/listen.ts';
import { parseFeedEvent } from '../../bot/recent-changes/change.ts';
import { createEventStreams } from '../../bot/recent-changes/event-streams.ts';
import type { RecentChanges, Step } from '../../bot/recent-changes/feed.ts';
import { createWiki } from '../../bot/wiki.ts';
import { TransientError } from '../../shared/errors.ts';
import { createLogger } from '../../shared/logger.ts';
import type { Next } from '../../shared/pipeline.ts';
import { describeWith } from '../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { type EventStreamServer, startEventStream } from './event-stream-server.ts';
import { feedDeletion, feedEdit, streamed } from './examples.ts';
import { configOf, type Editor, signIn } from './wiki-editor.ts';

const log = createLogger('silent', 'test');
const backoff = { firstMs: 1, maxMs: 4 };
const since = '2026-09-21T14:00:00Z';

/** A follower that takes every change as it is. */
const takeAll: Follow = async (change) => {
  const page = { id: 7, title: change.title };
  const revision = change.kind === 'edit' ? change.revision : 1;
  const input = { wiki: 'wiki.example', page, revision, previous: null, scope: 'touched' as const };
  return { followed: 'taken', next: [{ stage: 'articles', input }] };
};

/** Keeps what is published; `fail` is asked first. */
function createSink(fail: () => void = () => undefined) {
  const published: Next[] = [];
  const publish = async (next: readonly Next[]) => {
    fail();
    published.push(...next);
  };
  return { published, publish };
}

const revisionsOf = (jobs: Next[]) => jobs.flatMap((job) => (job.stage === 'articles' ? [job.input.revision] : []));

/** A cursor store in memory, with all that was saved. */
function createMemory(stored: Cursor | null = null) {
  const saved: Cursor[] = [];
  const load = async () => saved.at(-1) ?? stored;
  return { saved, load, save: async (cursor: Cursor) => void saved.push(cursor) };
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
  const [sink, cursors, counts] = [createSink(), createMemory(), new Map<Heard, number>()];
  const feed = feedOf([
    feedEdit(1),
    feedEdit(2),
    feedEdit(1),
    feedEdit(3, { type: 'external' }),
    feedEdit(4, { bot: 7 }),
  ]);
  const listen = createListen({ feed, follow: takeAll, publisher: sink, cursors, since, log, counts, backoff });
  await listen.run(signal());
  expect(revisionsOf(sink.published)).toEqual([1, 2]);
  expect(cursors.saved.map((cursor) => cursor.eventId)).toEqual(['0', '1', '4']);
  expect(Object.fromEntries(counts)).toEqual({ taken: 2, duplicate: 1, other: 1, malformed: 1 });
});

test('it begins where it is told, and goes on from the stored cursor', async () => {
  const [feed, cursors] = [feedOf([feedEdit(1)]), createMemory()];
  const listen = createListen({
    feed,
    follow: takeAll,
    publisher: createSink(),
    cursors,
    since,
    log,
    counts: new Map(),
  });
  await listen.run(signal());
  await listen.run(signal());
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
  const follow: Follow = async (change, aborted) => {
    sometimes(new TransientError('the wiki is away'));
    return takeAll(change, aborted);
  };
  const save = async (cursor: Cursor) => {
    sometimes(new Error('Redis is away'));
    await memory.save(cursor);
  };
  const [feed, cursors, counts] = [feedOf([feedEdit(1), feedEdit(2)]), { ...memory, save }, new Map()];
  await createListen({ feed, follow, publisher: sink, cursors, since, log, counts, backoff }).run(signal());
  expect(revisionsOf(sink.published)).toEqual([1, 2]);
  expect(memory.saved).toHaveLength(2);
});

test('a change that nobody can follow is counted, and the rest goes on', async () => {
  const follow: Follow = async (change, aborted) => {
    if (change.kind === 'log') throw new TypeError('a bug');
    return takeAll(change, aborted);
  };
  const [sink, counts] = [createSink(), new Map<Heard, number>()];
  const feed = feedOf([feedDeletion(9), feedEdit(10)]);
  const cursors = createMemory();
  await createListen({ feed, follow, publisher: sink, cursors, since, log, counts, backoff }).run(signal());
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
  const options = { feed, follow: takeAll, publisher: { publish }, cursors, since, log, counts: new Map() };
  await createListen(options).run(abort.signal);
  expect(cursors.saved).toEqual([]);
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
  async function listenUntil(last: number): Promise<{ published: Next[]; counts: Map<Heard, number> }> {
    const [sink, counts, abort] = [createSink(), new Map<Heard, number>(), new AbortController()];
    const named = { serverName: 'wiki.example', userAgent: 'test' };
    const cursors = createCursorStore(redis, 'wiki.example', 'eventstreams');
    const save = async (cursor: Cursor) => {
      await cursors.save(cursor);
      if (revisionsOf(sink.published).includes(last)) abort.abort();
    };
    const feed = createEventStreams({ url: stream.url, ...named, log, backoff });
    const wiki = createWiki(configOf(server));
    const follow = createFollow({ wikiId: 'wiki.example', wiki, rules: { includeBots: false }, lagMs: 0 });
    const options = { feed, follow, publisher: sink, cursors: { ...cursors, save }, since, log, counts, backoff };
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
      { page, revision: undone, scope: 'none' },
      { page: { title: 'Plovers' }, revision: redirect, scope: 'none' },
      { page: { title: 'Lapwing' }, revision: last, scope: 'touched' },
    ]);
    expect(Object.fromEntries(counts)).toEqual({ taken: 2, reconciled: 2, revision_gone: 1 });

    const next = await editor.save('Lapwing', 'two');
    say(feedEdit(next));
    expect(revisionsOf((await listenUntil(next)).published)).toEqual([next]);
    expect(stream.requests.at(-1)?.lastEventId).toContain('"offset":4');
  });
});
