import { Redis } from 'ioredis';
import { createCursorStore, REMEMBERED } from '../../bot/cursor.ts';
import { describeWith } from '../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

describeWith(['redis'], 'a stored cursor', () => {
  let server: RunningRedis;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });
  afterAll(async () => {
    await redis?.quit();
    await server?.stop();
  });

  test('is what was saved last, of that wiki and feed', async () => {
    const cursor = { time: '2026-09-21T14:13:20Z', eventId: '[{"topic":"t","offset":3}]' };
    const store = createCursorStore(redis, 'wiki.example:8143', 'eventstreams');
    expect(await store.load()).toEqual({ cursor: null, handedOn: [] });
    await store.save({ ...cursor, eventId: null }, ['revision-1', 'log-1']);
    await store.save(cursor, []);
    expect((await store.load()).cursor).toEqual(cursor);
    expect((await createCursorStore(redis, 'wiki.example:8143', 'api').load()).cursor).toBeNull();
    expect((await createCursorStore(redis, 'other.example', 'eventstreams').load()).cursor).toBeNull();
  });

  test('comes with the last changes that were handed on, whichever feed told them', async () => {
    const store = createCursorStore(redis, 'many.example', 'api');
    const ids = Array.from({ length: REMEMBERED + 5 }, (_, index) => `revision-${index}`);
    await store.save({ time: '2026-09-21T14:13:20Z', eventId: null }, ids.slice(0, -1));
    await store.save({ time: '2026-09-21T14:13:21Z', eventId: null }, ids.slice(-1));
    const { handedOn } = await createCursorStore(redis, 'many.example', 'eventstreams').load();
    expect(handedOn).toEqual(ids.slice(5));
  });

  test('that does not parse is none', async () => {
    const store = createCursorStore(redis, 'wiki.example', 'api');
    for (const stored of ['', '{"time":', '{"time":"yesterday","eventId":null}']) {
      await redis.set('sidelight:wiki.example:cursor:api', stored);
      expect((await store.load()).cursor).toBeNull();
    }
  });
});
