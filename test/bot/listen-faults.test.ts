/** The whole way from a stream that fails in every way it can, through restarts of the bot, to what is handed on. */
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type CursorStore, createCursorStore } from '../../bot/cursor.ts';
import { createDebounce } from '../../bot/debounce.ts';
import type { Follow } from '../../bot/follow.ts';
import { type Asked, createListen } from '../../bot/listen.ts';
import { type Change, parseFeedEvent } from '../../bot/recent-changes/change.ts';
import { createEventStreams } from '../../bot/recent-changes/event-streams.ts';
import type { RecentChanges } from '../../bot/recent-changes/feed.ts';
import { createLogger } from '../../shared/logger.ts';
import { jobId, type Next } from '../../shared/pipeline.ts';
import { createPublisher } from '../../shared/queue.ts';
import { connectRedis, PREFIX } from '../../shared/redis.ts';
import { describeWith } from '../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { type EventStreamServer, startEventStream, type Turn } from './event-stream-server.ts';
import { EARLIER, feedDeletion, feedEdit } from './examples.ts';

const EVENTS = 100_000;
const log = createLogger('silent', 'test');

/** Lehmer's: the same numbers at every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Every event with the time in `meta` that all of them are ordered by, some in one second. */
function createEvents(random: (below: number) => number) {
  const ours = new Set<string>();
  const events: object[] = [];
  for (let id = 1; events.length < EVENTS; id++) {
    const timestamp = EARLIER + Math.floor(id / 20);
    const meta = { domain: 'wiki.example', dt: new Date(timestamp * 1000).toISOString() };
    const kind = random(100);
    if (kind < 20) events.push({ ...feedEdit(id, { timestamp, server_name: 'other.example' }), meta });
    else if (kind < 25) events.push({ ...feedEdit(id, { timestamp }), meta: { ...meta, domain: 'canary' } });
    else if (kind < 30) {
      ours.add(`w-7-deleted-log-${id}`);
      events.push({ ...feedDeletion(id, { timestamp }), meta });
    } else {
      ours.add(`w-7-${id}-touched`);
      const event = { ...feedEdit(id, { timestamp }), meta };
      events.push(event, ...(kind < 33 ? [event] : []));
    }
  }
  return { ours, events };
}

/** Faults without end: one every few hundred events. */
function createTurns(random: (below: number) => number) {
  const told = new Map<string, number>();
  const turn = (): Turn => {
    const fault = FAULTS[random(FAULTS.length)] ?? 'cut';
    told.set(fault, (told.get(fault) ?? 0) + 1);
    const events = random(2000);
    switch (fault) {
      case 'refused':
        return { status: 400 };
      case 'too many':
        return { status: 429, retryAfter: 0 };
      case 'again':
        return { events, ends: 'well', again: random(500) };
      default:
        return { events, ends: fault };
    }
  };
  return { told, shift: turn };
}

const FAULTS = ['cut', 'well', 'silently', 'chattering', 'again', 'refused', 'too many', 'cut', 'again'] as const;

/** One job a change, without asking a wiki. */
const take: Follow = async (changes) => changes.map((change) => ({ change, followed: 'taken', next: [job(change)] }));

function job(change: Change): Next {
  const page = { id: 7, title: change.title };
  if (change.kind === 'log') {
    return { stage: 'review', input: { kind: 'page_deleted', wiki: 'w', page, event: `log-${change.logId}` } };
  }
  const { revision, previous } = change;
  return { stage: 'articles', input: { wiki: 'w', page, revision, previous, scope: 'touched' } };
}

describeWith(['redis'], `a stream that fails at random, ${EVENTS.toLocaleString('en')} events`, () => {
  let server: RunningRedis;
  let redis: Redis;
  let stream: EventStreamServer;

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    await redis?.quit();
    await Promise.all([server?.stop(), stream?.stop()]);
  });

  test('no change is lost and none is handed on twice, also when the bot is stopped and started', async () => {
    const random = createRandom(20_261_121);
    const { ours, events } = createEvents(random);
    const turns = createTurns(random);
    stream = await startEventStream(turns);
    stream.send(...events);
    const handedOn = new Map<string, number>();
    let restarts = 0;
    for (; handedOn.size < ours.size; restarts++) await listenFor(5_000 + random(10_000), handedOn, ours.size);
    expect([...ours].filter((id) => !handedOn.has(id))).toEqual([]);
    expect([...handedOn].filter(([id, times]) => times > 1 || !ours.has(id))).toEqual([]);
    expect(restarts).toBeGreaterThan(4);
    expect([...turns.told.keys()].sort()).toEqual([...new Set<string>(FAULTS)].sort());
  }, 120_000);

  test('a bot that is killed before it could note what it did repeats it, and no job is there twice', async () => {
    const connection = await connectRedis(server.url, 'worker');
    const publisher = createPublisher(connection);
    const queue = new Queue('articles', { connection, prefix: PREFIX });
    const edits = Array.from({ length: 50 }, (_, index) => feedEdit(index + 1));
    const feed: RecentChanges = {
      async *follow(from) {
        for (const edit of edits) yield { ...parseFeedEvent(edit), cursor: from };
      },
    };
    const { load, save } = createCursorStore(redis, 'killed.example', 'api');
    const listenOnce = async (quietMs: number, cursors: CursorStore) => {
      const debounce = createDebounce(connection, publisher, quietMs);
      const since = new Date(EARLIER * 1000).toISOString();
      const options = { feed, follow: take, publish: debounce.publish, cursors, since, log, counts: new Map() };
      await createListen(options).run(new AbortController().signal);
      await debounce.close();
    };
    const killed = { load, save: async () => undefined };
    for (const cursors of [killed, killed, { load, save }]) await listenOnce(3_600_000, cursors);
    expect(await queue.getJobCounts('prioritized', 'delayed')).toEqual({ prioritized: 0, delayed: 1 });
    await redis.flushall();
    for (const cursors of [killed, killed, { load, save }]) await listenOnce(0, cursors);
    expect(await queue.getJobCounts('prioritized', 'delayed')).toEqual({ prioritized: 50, delayed: 0 });
    await Promise.all([publisher.close(), queue.close()]);
    connection.disconnect();
  });

  /** Runs the bot until so many changes were handed on, or all. */
  async function listenFor(most: number, handedOn: Map<string, number>, all: number): Promise<void> {
    const abort = new AbortController();
    const end = Math.min(handedOn.size + most, all);
    const publish = async (asked: readonly Asked[]) => {
      const jobs = asked.flatMap(({ next }) => next);
      for (const id of jobs.map(jobId)) handedOn.set(id, (handedOn.get(id) ?? 0) + 1);
      if (handedOn.size >= end) abort.abort();
    };
    const wiki = { recentChanges: async () => ({ rows: [], next: null }) };
    const named = { url: stream.url, serverName: 'wiki.example', userAgent: 'test', wiki };
    const backoff = { firstMs: 1, maxMs: 4 };
    const feed = createEventStreams({ ...named, log, silenceMs: 30, backoff });
    const since = new Date(EARLIER * 1000).toISOString();
    const cursors = createCursorStore(redis, 'wiki.example', 'eventstreams');
    const options = { feed, follow: take, publish, cursors, since, log, counts: new Map(), backoff };
    await createListen(options).run(abort.signal);
  }
});
