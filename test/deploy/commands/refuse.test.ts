import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectRedis } from '../../../shared/redis.ts';
import { programVersion } from '../../../shared/root.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { refusalOf, runCommand } from '../../support/command.ts';
import { describeWith } from '../../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';

test('the program says which version it is', async () => {
  const { code, stdout } = await runCommand(['--version'], {});
  expect([code, stdout]).toEqual([0, `${programVersion()}\n`]);
});

describeWith(['redis'], 'a part that could not do its work refuses to start, in one line that says what to do', () => {
  let redis: RunningRedis;
  let dataDir: string;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sidelight-refuse-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  test('without its model', async () => {
    const line = await refusal(['work', '--stages', 'verification'], { MODELS_DIR: dataDir });
    expect(line).toMatch(/encoder.*manifest\.json/);
  });

  test.each([
    ['review.sqlite', ['review']],
    ['sources.sqlite', ['work', '--stages', 'sources']],
    ['judgements.sqlite', ['work', '--stages', 'verification']],
  ])('with a newer %s', async (file, command) => {
    newer(join(dataDir, file));
    expect(await refusal(command)).toMatch(new RegExp(`${file}.*(newer|update)`));
  });

  test('with a Redis that evicts', async () => {
    const connection = await connectRedis(redis.url, 'producer');
    await connection.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await refusal(['listen'])).toMatch(/evicts keys.*noeviction/);
    await connection.config('SET', 'maxmemory-policy', 'noeviction');
    connection.disconnect();
  });

  test('without a Redis', async () => {
    expect(await refusal(['listen'], { REDIS_URL: 'redis://127.0.0.1:1/0' })).toMatch(/does not answer/);
  });

  test('with a setting that does not parse', async () => {
    expect(await refusal(['review'], { REVIEW_PORT: 'many' })).toMatch(/REVIEW_PORT/);
    expect(await refusal(['review'], { REVIEW_HOST: '0.0.0.0' })).toMatch(/REVIEW_HOST/);
    expect(await refusal(['listen'], { WIKI: 'https://en.wikipedia.org' })).toMatch(/USER_AGENT.*contact/);
  });

  test('for a stage that there is not', async () => {
    expect(await refusal(['work', '--stages', 'verfication'])).toMatch(/verfication is no stage/);
    expect(await refusal(['work', '--stages', 'review'])).toMatch(/review is not drained by workers/);
  });

  test('and what nobody reads any more is no failure', async () => {
    const { code, stderr } = await runCommand(['worklist', 'list'], { DATA_DIR: dataDir }, (child) =>
      child.stdout?.destroy(),
    );
    expect([code, stderr]).toEqual([0, '']);
  });

  function refusal(command: string[], settings: Record<string, string> = {}): Promise<string> {
    return refusalOf(command, { REDIS_URL: redis.url, DATA_DIR: dataDir, ...settings });
  }
});

/** As a later Sidelight would leave it: with a migration, and a version, that this one does not know. */
function newer(file: string): void {
  const database = new Database(file);
  database.pragma('user_version = 999');
  database.exec('CREATE TABLE kysely_migration (name TEXT PRIMARY KEY, timestamp TEXT NOT NULL)');
  database.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00Z')");
  database.close();
}
