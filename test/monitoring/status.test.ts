import { type AddressInfo, createServer } from 'node:net';
import { advise } from '../../deploy/status/advice.ts';
import type { Status, Told } from '../../deploy/status/read.ts';
import { readStatus } from '../../deploy/status/read.ts';
import { screen } from '../../deploy/status/screen.ts';
import { tellTrouble } from '../../shared/attempts.ts';
import { parseConfig } from '../../shared/config.ts';
import { createLogger } from '../../shared/logger.ts';
import { createPublisher } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { openSql } from '../../shared/sql.ts';
import { runCommand } from '../support/command.ts';
import { onEachEngine } from '../support/databases.ts';
import { describeWith } from '../support/describe-with.ts';
import { aCitation, aClaim } from '../support/examples.ts';
import { startRedis } from '../support/redis.ts';

const log = createLogger('silent', 'test');

describeWith(['redis'], 'the state of an installation', () => {
  it('names what waits for nobody, what failed and why, and what to do', async () => {
    const server = await startRedis();
    const redis = await connectRedis(server.url, 'producer');
    const publisher = createPublisher(redis);
    const input = { wiki: 'wiki.example', claim: aClaim, generation: 'first', shard: 2 };
    await publisher.publish([{ stage: 'retrieval-dense', input }], 4);
    const place = { wiki: 'wiki.example', page: { id: 7, title: 'Mill' }, revision: 12 };
    const source = { ...place, claimHash: aClaim.hash, citation: aCitation };
    await publisher.publish([{ stage: 'sources', input: source }], 1);
    await tellTrouble(redis, {
      what: 'failed',
      queue: 'verification',
      code: 'ModelFailure:not_finite',
      job: 'a-claim',
    });
    const config = parseConfig({ REDIS_URL: server.url, DATA_DIR: '/nonexistent' });
    const seen = await readStatus(config, log);
    await publisher.close();
    redis.disconnect();
    await server.stop();

    const advice = advise(seen);
    const text = screen(seen, advice);
    expect(text).toContain('BROKEN');
    expect(text).toContain('failed in verification: ModelFailure:not_finite');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('sidelight work --stages retrieval-dense --shards 2');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('sidelight work --stages sources');
    expect(advice.every(({ text: told }) => !told.includes('listen'))).toBe(true);
    const away = await readStatus(config, log);
    expect(away.redis).toEqual({ away: expect.stringMatching(/ECONNREFUSED|Error/) });
    expect(advise(away)[0]?.text).toMatch(/Redis does not answer/);
  });
});

onEachEngine('a database that nothing was started on', ['redis'], (fresh) => {
  it('answers, and has no findings yet', async () => {
    const [server, place] = [await startRedis(), await fresh()];
    const db = openSql(place);
    await db.introspection.getTables(); // SQLite: makes an empty file
    await db.destroy();
    const config = parseConfig({ REDIS_URL: server.url, DATA_DIR: '/nonexistent' });
    const seen = await readStatus({ ...config, databases: { ...config.databases, review: place } }, log);
    await server.stop();
    expect(seen.sql).toEqual({ kind: expect.any(String), openFindings: null, lastDecision: null });
  });
});

it('a Redis that takes connections and says nothing is away, and the command ends', async () => {
  const hung = createServer(() => undefined);
  await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
  const { port } = hung.address() as AddressInfo; // of a TCP server it is one
  const settings = { REDIS_URL: `redis://127.0.0.1:${port}/0`, DATA_DIR: '/nonexistent' };
  const { code, stdout } = await runCommand(['status'], settings, (child) => {
    setTimeout(() => child.kill('SIGKILL'), 25_000).unref();
  });
  hung.close();
  expect(stdout).toContain('Redis does not answer (no answer in time)');
  expect(code).toBe(2);
});

describe('on one screen', () => {
  const busy = (queue: string) => ({
    queue,
    jobs: { waiting: 1_234_567, delayed: 20, active: 16, waiting_children: 40_000, failed: 120 },
    oldest: { waiting: 40_000, active: 5000, waiting_children: 90_000 },
    workers: 0,
  });
  const worst: Status = {
    wiki: 'a-very-long-name-of-a-wiki-that-nobody-would-choose.example.org:8143',
    at: '2026-05-03T04:05:06.000Z',
    redis: {
      usedBytes: 9.9e9,
      limitBytes: 10e9,
      policy: 'allkeys-lru',
      appendOnly: false,
      bot: { lag: 4e6 },
      dropped: { queue_full: 1_234_567, a_rule_with_a_long_name: 89 },
      queues: Array.from({ length: 30 }, (_, at) => busy(`retrieval-dense-${at}`)),
      troubles: Array.from({ length: 50 }, (_, at) => ({
        ...({ what: 'failed', queue: `retrieval-dense-${at}`, code: 'TransientError:ECONNREFUSED' } as const),
        job: 'x'.repeat(200),
        at: 1,
      })),
    },
    sql: { away: 'TransientError:ECONNREFUSED' },
    elasticsearch: { away: 'ConnectionError' },
    shards: [0, 1, 2],
  };

  it('the worst there is fits into 80 × 24, the worst of it first', () => {
    const lines = screen(worst, advise(worst)).split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[lines.indexOf('To do') + 1]).toMatch(/^- Redis drops keys/);
  });

  const calm = { ...busy('sources'), jobs: { waiting: 0, delayed: 0, active: 0, waiting_children: 0, failed: 0 } };
  const rested: Status = {
    ...worst,
    redis: {
      ...{ usedBytes: 1e6, limitBytes: 1e9, policy: 'noeviction', appendOnly: true },
      ...{ bot: { lag: 3 }, dropped: {}, troubles: [] },
      queues: [{ ...calm, oldest: { waiting: null, active: null, waiting_children: null }, workers: 2 }],
    },
    sql: { kind: 'sqlite', openFindings: 3, lastDecision: null },
    elasticsearch: null,
    shards: null,
  };
  const withTroubles = (troubles: Told[]): Status =>
    'away' in rested.redis ? rested : { ...rested, redis: { ...rested.redis, troubles } };
  const told = (what: Told['what'], queue: string, code: string, minutesAgo: number): Told => ({
    ...{ what, queue, code, job: 'a-job' },
    at: Date.parse(rested.at) - 60_000 * minutesAgo,
  });

  it('a wiki that does not answer is named, and forgotten when it has long been back', () => {
    const away = withTroubles([told('postponed', 'articles', 'TransientError:ECONNREFUSED', 2)]);
    expect(advise(away)).toEqual([
      { how: 'look', text: expect.stringMatching(/articles is put off \(TransientError:ECONNREFUSED\): the wiki /) },
    ]);
    expect(screen(away, advise(away))).toContain('NEEDS A LOOK');
    expect(advise(withTroubles([told('postponed', 'articles', 'TransientError:ECONNREFUSED', 20)]))).toEqual([]);
  });

  it('a killed worker and an error that nobody expected each say where to look', () => {
    const texts = advise(
      withTroubles([told('retried', 'sources', 'stalled', 30), told('retried', 'review', 'TypeError', 30)]),
    ).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringMatching(/^A worker of sources was killed or hung.*jobs begun again: 1.*memory/),
      expect.stringMatching(/^review met an error that nobody expected \(TypeError\).*bug/),
    ]);
  });

  it('where all is well it says so in a few lines', () => {
    expect(advise(rested)).toEqual([]);
    expect(screen(rested, [])).toContain('FINE');
    expect(screen(rested, [])).toContain('Nothing to do.');
  });
});
