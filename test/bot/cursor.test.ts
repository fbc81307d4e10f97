import { Redis } from 'ioredis';
import { createCursorStore } from '../../bot/cursor.ts';
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
    expect(await store.load()).toBeNull();
    await store.save({ ...cursor, eventId: null });
    await store.save(cursor);
    expect(await store.load()).toEqual(cursor);
    expect(await createCursorStore(redis, 'wiki.example:8143', 'api').load()).toBeNull();
    expect(await createCursorStore(redis, 'other.example', 'eventstreams').load()).toBeNull();
  });

  test('that does not parse is none', async () => {
    const store = createCursorStore(redis, 'wiki.example', 'api');
    for (const stored of ['', '{"time":', '{"time":"yesterday","eventId":null}']) {
      await redis.set('sidelight:wiki.example:cursor:api', stored);
      expect(await store.load()).toBeNull();
    }
  });
});
