import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { isFree } from '../../../deploy/servers/port.ts';
import { serveRedis } from '../../../deploy/servers/redis.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { describeWith } from '../../support/describe-with.ts';
import { onFreePort } from '../../support/port.ts';
import { processesOfGroup } from '../../support/processes.ts';
import { startRedis } from '../../support/redis.ts';

describeWith(['redis'], 'our own Redis', () => {
  test('never evicts', async () => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    await redis.quit();
    await server.stop();
  });

  test('leaves no process and frees its port when it is stopped', async () => {
    const server = await startRedis();
    await server.stop();
    expect(processesOfGroup(server.pid)).toEqual([]);
    expect(await isFree(Number(new URL(server.url).port))).toBe(true);
  });

  test('can be stopped twice', async () => {
    const server = await startRedis();
    await Promise.all([server.stop(), server.stop()]);
    expect(processesOfGroup(server.pid)).toEqual([]);
  });

  test('keeps what was written when it is started again', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sidelight-redis-'));
    const first = await onFreePort((port) => serveRedis({ port, dir }));
    await withRedis(first.url, (redis) => redis.set('claim', 'kept'));
    await first.stop();
    const second = await onFreePort((port) => serveRedis({ port, dir }));
    expect(await withRedis(second.url, (redis) => redis.get('claim'))).toBe('kept');
    await second.stop();
    await rm(dir, { recursive: true });
  });

  test('refuses to start on a port that is taken', async () => {
    const server = await startRedis();
    const port = Number(new URL(server.url).port);
    const dir = await mkdtemp(join(tmpdir(), 'sidelight-redis-'));
    await expect(serveRedis({ port, dir })).rejects.toThrow(RefuseToStart);
    await server.stop();
    await rm(dir, { recursive: true });
  });

  test('that ends before it answers is named with its last words and its log', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sidelight-redis-'));
    await mkdir(join(dir, 'appendonlydir'));
    await writeFile(join(dir, 'appendonlydir', 'appendonly.aof.manifest'), 'no manifest');
    const start = onFreePort((port) => serveRedis({ port, dir }), 1);
    await expect(start).rejects.toThrow(/Redis did not start: .*AOF.*redis\.log/);
    await rm(dir, { recursive: true });
  });
});

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await use(redis);
  } finally {
    await redis.quit();
  }
}
