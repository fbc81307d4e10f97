import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PRIORITY } from '../../shared/pipeline.ts';
import { createPublisher } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { secretsOf } from '../../shared/secrets.ts';
import { runCommand } from '../support/command.ts';
import { describeWith } from '../support/describe-with.ts';
import { aCitation, aClaim } from '../support/examples.ts';
import { onFreePort } from '../support/port.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';

const PASSWORD = 'redis-Passw0rd-3f9a';
/** Each is seen nowhere, however it is written. Nothing listens at port 9. */
const SECRETS = {
  SESSION_SECRET: 'session-secret-c1b7-of-more-than-32-characters',
  OAUTH_CLIENT_ID: 'a-client',
  OAUTH_CLIENT_SECRET: 'oauth-secret-77aa',
  BOT_USERNAME: 'Mill bot@reader',
  BOT_PASSWORD: 'bot-password-91cd',
  SECOND_OPINION_URL: 'http://127.0.0.1:9/v1',
  SECOND_OPINION_MODEL: 'a-model',
  SECOND_OPINION_KEY: 'opinion-key-52ef',
  ELASTICSEARCH_URL: 'http://sidelight:elastic%21pass-08d4@127.0.0.1:9',
};
const DATABASE_URL = 'mariadb://sidelight:maria%21pass-6b21@127.0.0.1:9/findings';

describeWith(['redis'], 'secrets of the environment', () => {
  let server: RunningRedis;
  let receiver: Server;
  let folder: string;
  let redisUrl: string;
  const traces: string[] = [];

  beforeAll(async () => {
    server = await startRedis();
    const plain = await connectRedis(server.url, 'producer');
    await plain.config('SET', 'requirepass', PASSWORD);
    plain.disconnect();
    redisUrl = server.url.replace('redis://', `redis://:${PASSWORD}@`);
    folder = await mkdtemp(join(tmpdir(), 'sidelight-secrets-'));
    receiver = createServer((request, response) => {
      request.on('data', (part: Buffer) => traces.push(part.toString()));
      request.on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    receiver.close();
    const redis = new Redis(redisUrl);
    await redis.config('SET', 'requirepass', '');
    redis.disconnect();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are in no log, no key of Redis, no trace and no metric, whatever goes wrong', async () => {
    const environment = {
      ...SECRETS,
      REDIS_URL: redisUrl,
      DATA_DIR: folder,
      WIKI: 'http://127.0.0.1:9',
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    };
    const seen: string[] = [];
    await publish();
    const wrong = { ...environment, REDIS_URL: redisUrl.replace(PASSWORD, 'wrong-Passw0rd-aa01') };
    const refused = [
      runCommand(['listen'], { ...environment, DATABASE_URL }, endLater),
      runCommand(['review'], { ...environment, DATABASE_URL }, endLater),
      runCommand(['review'], wrong, endLater),
      runCommand(['status', '--json'], { ...environment, DATABASE_URL }),
    ];
    for (const { stdout, stderr, code } of await Promise.all(refused)) {
      expect(code).not.toBe(0);
      seen.push(stdout, stderr);
    }
    const worked = await onFreePort((port) => work({ ...environment, OPS_PORT: String(port) }, port));
    expect(worked.log).toContain('job postponed');
    expect(traces.join()).toContain('process retrieval-sparse');
    const kept = await allOfRedis();
    expect(kept).toContain('TransientError');
    seen.push(worked.log, worked.metrics, kept, ...traces);
    const secrets = secretsOf({ ...environment, DATABASE_URL, FEED_REDIS_URL: wrong.REDIS_URL });
    expect(secrets.length).toBeGreaterThan(10);
    for (const secret of secrets) expect([secret, seen.some((text) => text.includes(secret))]).toEqual([secret, false]);
  }, 120_000);

  /** One that waits for what is away has said by then that it does. */
  function endLater(child: ChildProcess): void {
    setTimeout(() => child.kill('SIGKILL'), 30_000).unref();
  }

  async function publish(): Promise<void> {
    const redis = await connectRedis(redisUrl, 'producer');
    const publisher = createPublisher(redis);
    const input = { wiki: 'wiki.example', claim: aClaim, generation: 'first' };
    const place = { wiki: 'wiki.example', page: { id: 7, title: 'Mill' }, revision: 12 };
    const source = {
      ...place,
      claimHash: aClaim.hash,
      citation: { ...aCitation, url: 'http://user:word@127.0.0.1:9/' },
    };
    await publisher.publish(
      [
        { stage: 'retrieval-sparse', input },
        { stage: 'sources', input: source },
      ],
      PRIORITY.gadget,
    );
    await publisher.close();
    redis.disconnect();
  }

  /** Until the search has been put off, since Elasticsearch is away. */
  async function work(environment: Record<string, string>, port: number) {
    let log = '';
    const children: ChildProcess[] = [];
    const ended = runCommand(['work', '--stages', 'retrieval-sparse,sources'], environment, (child) => {
      children.push(child);
      child.stderr?.on('data', (part: string) => {
        log += part;
      });
    });
    while (!log.includes('job postponed') && children[0]?.exitCode === null) await sleep(50);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    children[0]?.kill('SIGTERM');
    await ended;
    return { log, metrics };
  }

  async function allOfRedis(): Promise<string> {
    const redis = new Redis(redisUrl);
    const read = async (key: string) => {
      const type = await redis.type(key);
      if (type === 'hash') return redis.hgetall(key);
      if (type === 'stream') return redis.xrange(key, '-', '+');
      if (type === 'zset') return redis.zrange(key, '0', '-1');
      if (type === 'list') return redis.lrange(key, 0, -1);
      return type === 'set' ? redis.smembers(key) : redis.get(key);
    };
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map(async (key) => [key, await read(key)]));
    redis.disconnect();
    return JSON.stringify(values);
  }
});
