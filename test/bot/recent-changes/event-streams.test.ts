import { setImmediate } from 'node:timers/promises';
import { createEventStreams } from '../../../bot/recent-changes/event-streams.ts';
import { createLogger } from '../../../shared/logger.ts';
import { changes, collect, isEdit, revisions } from '../collect.ts';
import { type EventStreamServer, startEventStream, type Turn } from '../event-stream-server.ts';
import { apiEdit, EARLIER, feedDeletion, feedEdit, streamed } from '../examples.ts';

const start = { time: new Date((EARLIER - 60) * 1000).toISOString(), eventId: null };
let server: EventStreamServer;

afterEach(() => server.stop());

/** `kept`: what the wiki's API tells, and from when it was asked. */
async function follow(turns: Turn[] = [], silenceMs = 10_000, kept: unknown[] = [], asked: string[] = []) {
  server = await startEventStream(turns);
  const log = createLogger('silent', 'test');
  const backoff = { firstMs: 1, maxMs: 4 };
  const named = { serverName: 'wiki.example', userAgent: 'Sidelight test (me@wiki.example)' };
  const recentChanges = async (since: string) => {
    asked.push(since);
    return { rows: kept, next: null };
  };
  return createEventStreams({ url: server.url, ...named, wiki: { recentChanges }, log, silenceMs, backoff });
}

test('edits and deletions of the wiki arrive in order, with the cursor after each', async () => {
  const feed = await follow();
  server.send(streamed(feedEdit(1)));
  server.send(streamed(feedDeletion(4)));
  server.send(streamed(feedEdit(5)));
  const steps = await collect(feed, start, isEdit(5));
  expect(changes(steps).map((change) => change.kind)).toEqual(['edit', 'log', 'edit']);
  expect(steps.map((step) => step.cursor.eventId)).toEqual([0, 1, 2].map((n) => `[{"topic":"t","offset":${n}}]`));
  expect(steps[2]?.cursor.time).toBe(new Date((EARLIER + 5) * 1000).toISOString());
});

test('the server is told who asks, and from when', async () => {
  const feed = await follow();
  server.send(streamed(feedEdit(1)));
  await collect(feed, start, isEdit(1));
  expect(server.requests).toEqual([
    { lastEventId: null, since: start.time, userAgent: 'Sidelight test (me@wiki.example)' },
  ]);
});

test('a stored cursor is resumed by event id', async () => {
  const feed = await follow();
  for (const revision of [1, 2, 3]) server.send(streamed(feedEdit(revision)));
  const first = await collect(feed, start, isEdit(2));
  const rest = await collect(feed, first.at(-1)?.cursor ?? start, isEdit(3));
  expect(revisions(rest)).toEqual([3]);
  expect(server.requests[1]).toMatchObject({ lastEventId: '[{"topic":"t","offset":1}]', since: null });
});

test('events of other wikis and canaries are left out, and move the cursor', async () => {
  const feed = await follow();
  server.send(streamed(feedEdit(1, { server_name: 'other.example' })));
  server.send(streamed(feedEdit(2), 'canary'));
  server.send(streamed(feedEdit(3)));
  const steps = await collect(feed, start, isEdit(3));
  expect(steps.map((step) => step.kind)).toEqual(['other', 'other', 'change']);
  expect(steps[1]?.cursor.eventId).toBe('[{"topic":"t","offset":1}]');
});

test('malformed events are told with the field, and the rest goes on', async () => {
  const feed = await follow();
  const { meta: _meta, ...bare } = streamed(feedEdit(1));
  for (const event of ['{"half', 'null', bare, streamed(feedEdit(2, { title: 7 })), streamed(feedEdit(3))]) {
    server.send(event as object | string);
  }
  const steps = await collect(feed, start, isEdit(3));
  const fields = steps.flatMap((step) => (step.kind === 'malformed' ? [step.field] : []));
  expect(fields).toEqual(['event', 'event', 'meta', 'title']);
  expect(revisions(steps)).toEqual([3]);
});

test('no event is lost or doubled, however connections end', async () => {
  const feed = await follow(
    [
      { events: 0, ends: 'cut' },
      { events: 2, ends: 'cut' },
      { status: 429, retryAfter: 0 },
      { events: 1, ends: 'well' },
      { status: 503 },
      { events: 3, ends: 'silently' },
      { status: 429, retryAfter: new Date(Date.now() - 5000).toUTCString() },
      { events: 1, ends: 'chattering' },
      { events: 0, ends: 'well' },
    ],
    50,
  );
  const sent = Array.from({ length: 20 }, (_, index) => index + 1);
  for (const revision of sent) server.send(streamed(feedEdit(revision)));
  const steps = await collect(feed, start, isEdit(20));
  expect(revisions(steps)).toEqual(sent);
  expect(server.requests).toHaveLength(10);
});

test('a position that the stream no longer knows is given up for the time of the last event', async () => {
  const feed = await follow([{ status: 400 }]);
  server.send(streamed(feedEdit(1)));
  await collect(feed, { ...start, eventId: 'long ago' }, isEdit(1));
  expect(server.requests.map((request) => request.since)).toEqual([null, start.time]);
});

test('a cursor older than the stream keeps goes on from the wiki, and then from the stream', async () => {
  const asked: string[] = [];
  const kept = [apiEdit(1), apiEdit(2)];
  const feed = await follow([], 10_000, kept, asked);
  const now = Math.floor(Date.now() / 1000);
  server.send(streamed(feedEdit(2, { timestamp: now - 7200 })), streamed(feedEdit(3, { timestamp: now })));
  const weekAgo = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
  const steps = await collect(feed, { time: weekAgo, eventId: 'long ago' }, isEdit(3));
  expect(revisions(steps)).toEqual([1, 2, 3]);
  expect(Date.parse(asked[1] ?? '')).toBeLessThan(Date.parse(weekAgo));
  expect(server.requests).toHaveLength(1);
  expect(Date.parse(server.requests[0]?.since ?? '')).toBeGreaterThan((now - 600) * 1000);
});

test('a stream that is not there yet is tried again', async () => {
  const feed = await follow();
  const { port } = new URL(server.url);
  await server.stop();
  const collected = collect(feed, start, isEdit(1));
  server = await startEventStream([], Number(port));
  server.send(streamed(feedEdit(1)));
  expect(revisions(await collected)).toEqual([1]);
});

test('it stops when told to, also in a pause', async () => {
  const feed = await follow([{ status: 429, retryAfter: 3600 }]);
  const abort = new AbortController();
  const next = feed.follow(start, abort.signal)[Symbol.asyncIterator]().next();
  while (server.requests.length === 0) await setImmediate();
  abort.abort(new Error('enough'));
  await expect(next).rejects.toThrow();
});
