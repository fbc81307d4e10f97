/** Moving everything between SQLite and a real MariaDB: nothing is left behind, however often it is killed. */
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'bullmq';
import { sql } from 'kysely';
import { z } from 'zod';
import { openWorklists } from '../../bot/worklists/store.ts';
import { migrateStores } from '../../deploy/commands/moving.ts';
import { backup } from '../../deploy/moving/backup.ts';
import { begunFrom } from '../../deploy/moving/copy.ts';
import { migrate, strangeTables } from '../../deploy/moving/migrate.ts';
import { bringForward, isOfHost, STORES } from '../../deploy/moving/stores.ts';
import { type Config, parseConfig, sqliteDatabases } from '../../shared/config.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import { queueOptions } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import { Database } from '../../shared/sql/better-sqlite3.ts';
import { openSql } from '../../shared/sql.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { createFindings } from '../../workers/review/findings.ts';
import { openSourceStore } from '../../workers/source/store.ts';
import { openReliabilityStore } from '../../workers/suggestion/reliability/store.ts';
import { refusalOf, runCommand } from '../support/command.ts';
import { describeWith } from '../support/describe-with.ts';
import { startMariaDb, type TestMariaDb } from '../support/mariadb.ts';
import { startRedis } from '../support/redis.ts';
import { serveStore } from '../workers/review/served.ts';
import { fillStores, tablesOf } from './moved.ts';

const NEVER = new AbortController().signal;
const THERE = { from: 'sqlite', to: 'mariadb' } as const;
const SOURCES = 1500;
/** Nothing answers there. */
const NO_REDIS = 'redis://127.0.0.1:1/0';
const BACK = { from: 'mariadb', to: 'sqlite' } as const;

describeWith(['mariadb'], 'what was found moves to MariaDB and back', () => {
  let mariaDb: TestMariaDb;
  let filled: string;
  let folder: string;
  beforeAll(async () => {
    mariaDb = await startMariaDb();
    filled = await mkdtemp(join(tmpdir(), 'sidelight-filled-'));
    await fillStores(join(filled, 'data'), { sources: SOURCES });
  }, 120_000);
  afterAll(async () => {
    await mariaDb.stop();
    await rm(filled, { recursive: true });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-moving-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The filled stores in a folder of their own, beside an empty MariaDB. */
  async function place(): Promise<{ config: Config; url: string }> {
    const url = await mariaDb.freshDatabase();
    await cp(join(filled, 'data'), join(folder, 'here'), { recursive: true });
    return { config: parseConfig({ DATA_DIR: join(folder, 'here'), DATABASE_URL: url }), url };
  }

  test('every row of every table comes over, the review page shows the same, and all goes back', async () => {
    const { config, url } = await place();
    const path = sqliteDatabases(config.dataDir).review;
    const raw = new Database(path);
    raw.prepare("UPDATE sqlite_sequence SET seq = 900 WHERE name = 'finding_changes'").run();
    raw.close();
    const before = await shownBy(path);
    const there = await migrate(config, THERE, { signal: NEVER });
    expect(there.map(({ outcome }) => outcome)).toEqual(STORES.map(() => 'moved'));
    expect(there.flatMap(({ sums }) => Object.entries(sums).filter(([, { rows }]) => rows === 0))).toEqual([]);
    expect(before.open).toContain('Tåsø');
    expect(await shownBy(url)).toEqual(before);

    const other = parseConfig({ DATA_DIR: join(folder, 'other'), DATABASE_URL: url });
    const back = await migrate(other, BACK, { signal: NEVER });
    expect(back.map(({ sums }) => sums)).toEqual(there.map(({ sums }) => sums));
    // numbers go on where they were: who listens to changes misses none
    const db = await openReviewDatabase(url);
    await sql`update findings set state = 'closed' where id = 5`.execute(db);
    const last = await db.selectFrom('finding_changes').select('seq').where('finding_id', '=', 5).executeTakeFirst();
    await db.destroy();
    expect(last?.seq).toBeGreaterThan(900);
  }, 120_000);

  test('no table is left out: MariaDB has those of SQLite, less what stays with its host', async () => {
    const { config, url } = await place();
    for (const store of STORES) await bringForward(store, url);
    const known = Object.values(await tablesOf(config.dataDir)).flat();
    const db = openSql<unknown>(url);
    const moving = known.filter((table) => !isOfHost(table));
    expect(await strangeTables(db, moving)).toEqual([]);
    await db.destroy();
    // finding_changes is written by triggers on findings: copied last, after what they wrote is gone
    expect(known.filter(({ isKept }) => isKept).map(({ name }) => name)).toEqual(['finding_changes']);
  }, 60_000);

  test('one that is killed goes on when it is repeated, and loses nothing', async () => {
    const { config, url } = await place();
    const settings = { DATA_DIR: config.dataDir, DATABASE_URL: url, REDIS_URL: NO_REDIS };
    const command = ['migrate', '--from', 'sqlite', '--to', 'mariadb'];
    const killed = await runCommand(command, settings, (child) => {
      child.stderr?.on('data', (text: string) => text.includes('rows of sources') && child.kill('SIGKILL'));
    });
    expect({ ...killed, stderr: '' }).toEqual({ code: null, stdout: '', stderr: '' });
    const half = openSql<unknown>(url);
    expect(await begunFrom(half, 'sources')).toContain('sources of');
    await half.destroy();
    for (const part of [['review'], ['worklist', 'list'], ['requeue', '--dry-run', '--older-than', '1']])
      expect(await refusalOf(part, settings)).toContain('begun and not ended: repeat `sidelight migrate`');

    const { code, stdout, stderr } = await runCommand([...command, '--json'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { moved } = Answer.parse(JSON.parse(stdout));
    expect(moved.map(({ outcome }) => outcome)).toEqual(['was there', 'was there', 'was there', 'moved']);
    expect(moved.at(-1)?.sums.sources?.rows).toBe(SOURCES);
  }, 120_000);

  test('what changed in the source after a move was cut short comes over too', async () => {
    const { config, url } = await place();
    const abort = new AbortController();
    const onRows = (_: string, table: string) => table === 'decisions' && abort.abort();
    await expect(migrate(config, THERE, { signal: abort.signal, onRows })).rejects.toThrow('aborted');
    const half = openSql<unknown>(url);
    expect(await begunFrom(half, 'sources')).toContain('sources of'); // not only the store in which it was cut short
    await half.destroy();
    const refused = backup(config, join(folder, 'kept'), { signal: NEVER });
    await expect(refused).rejects.toThrow(/begun and not ended: repeat/);
    await expect(refused).rejects.not.toThrow(new URL(url).password);
    await expectRefused(config);
    const db = await openReviewDatabase(sqliteDatabases(config.dataDir).review);
    await sql`update findings set state = 'closed', closed_because = 'fixed' where id = 6`.execute(db);
    await db.destroy();
    await migrate(config, THERE, { signal: NEVER });
    const moved = await openReviewDatabase(url);
    const row = await moved.selectFrom('findings').select('state').where('id', '=', 6).executeTakeFirst();
    await moved.destroy();
    expect(row?.state).toBe('closed');
  }, 120_000);

  test('nothing opens files that a move back has only begun to fill, whichever it was at, nor makes any', async () => {
    const { config, url } = await place();
    await migrate(config, THERE, { signal: NEVER });
    const single = parseConfig({ DATA_DIR: join(folder, 'single') });
    const abort = new AbortController();
    const back = parseConfig({ DATA_DIR: single.dataDir, DATABASE_URL: url });
    // the first stores are whole by then
    const onRows = (store: string) => store === 'sources' && abort.abort();
    await expect(migrate(back, BACK, { signal: abort.signal, onRows })).rejects.toThrow('aborted');
    await rm(single.databases.worklists);
    await expectRefused(single);
    expect(await readdir(single.dataDir)).not.toContain('worklists.sqlite');
    await expect(
      migrate(parseConfig({ DATA_DIR: single.dataDir, DATABASE_URL: url }), THERE, { signal: NEVER }),
    ).rejects.toThrow('begun and not ended');
    await expect(backup(single, join(folder, 'kept'), { signal: NEVER })).rejects.toThrow('begun and not ended');
    await migrate(back, BACK, { signal: NEVER });
    for (const store of STORES) await bringForward(store, single.databases[store]);
  }, 120_000);

  test('texts that are large together, and plain ones of earlier versions that are large alone, fit the server', async () => {
    const url = await mariaDb.freshDatabase();
    const config = parseConfig({ DATA_DIR: join(folder, 'large'), DATABASE_URL: url });
    await bringForward('sources', sqliteDatabases(config.dataDir).sources);
    const raw = new Database(sqliteDatabases(config.dataDir).sources);
    const put = raw.prepare('INSERT INTO source_texts (hash, body) VALUES (?, ?)');
    for (let at = 10; at < 40; at += 1) put.run(`a${at}`, Buffer.from('short'));
    for (let at = 10; at < 14; at += 1)
      put.run(`b${at}`, Buffer.concat([Buffer.from([0x1f, 0x8b]), randomBytes(3 * 1024 ** 2)]));
    const plain = 'The mill at Tåsø closed. '.repeat(400_000);
    put.run('c', Buffer.from(plain));
    raw.close();
    const [moved] = await migrate(config, THERE, { signal: NEVER });
    expect(moved?.sums.source_texts?.rows).toBe(35);
    const store = await openSourceStore(url);
    expect((await store.texts.get('c')) === plain).toBe(true);
    await store.close();
  }, 60_000);

  test('a text that no MariaDB takes in is a refusal before anything is copied', async () => {
    const url = await mariaDb.freshDatabase();
    const config = parseConfig({ DATA_DIR: join(folder, 'larger'), DATABASE_URL: url });
    await bringForward('sources', sqliteDatabases(config.dataDir).sources);
    const raw = new Database(sqliteDatabases(config.dataDir).sources);
    const body = Buffer.from(randomBytes(8 * 1024 ** 2).toString('hex'));
    raw.prepare('INSERT INTO source_texts (hash, body) VALUES (?, ?)').run('a', body);
    raw.close();
    await expect(migrate(config, THERE, { signal: NEVER })).rejects.toThrow(RefuseToStart);
    for (const store of STORES) await bringForward(store, url); // nothing was begun there
  }, 60_000);

  test('nothing moves while a process waits for jobs, though it has said nothing to a database for long', async () => {
    const { config } = await place();
    const server = await startRedis();
    const redis = await connectRedis(server.url, 'worker');
    const worker = new Worker('sources', async () => undefined, queueOptions(redis));
    const there = { ...config, redisUrl: server.url };
    try {
      await worker.waitUntilReady();
      const refused = migrateStores(there, { ...THERE, json: true }, NEVER);
      await expect(refused).rejects.toThrow('still drains sources');
      await expect(refused).rejects.toThrow(RefuseToStart);
    } finally {
      await worker.close();
      redis.disconnect();
      await server.stop();
    }
  }, 60_000);

  test('what a process wrote that came just before a move was begun is never gone: the move is taken back', async () => {
    const { config, url } = await place();
    const db = openSql<{ page_groups: object }>(url); // as one that has looked already
    const onBegun = async () => {
      await sql`insert into page_groups values ('wiki.example', 1, 'project', 'Mills')`.execute(db);
    };
    await expect(migrate(config, THERE, { signal: NEVER, onBegun })).rejects.toThrow(RefuseToStart);
    await db.destroy();
    await expect(migrate(config, THERE, { signal: NEVER })).rejects.toThrow('other data');
    const after = await openReviewDatabase(url);
    expect(await after.selectFrom('page_groups').select('name').execute()).toEqual([{ name: 'Mills' }]);
    await after.destroy();
  }, 60_000);

  test('nothing moves while a process has a side open, nor into a database that has other data', async () => {
    const { config, url } = await place();
    for (const busy of [sqliteDatabases(config.dataDir).review, url]) {
      const db = await openReviewDatabase(busy);
      await expect(migrate(config, THERE, { signal: NEVER })).rejects.toThrow(RefuseToStart);
      await db.destroy();
    }
    const db = await openReviewDatabase(url);
    const group = { wiki: 'wiki.example', page_id: 1, kind: 'project' as const, name: 'Mills' };
    await db.insertInto('page_groups').values(group).execute();
    await db.destroy();
    await expect(migrate(config, THERE, { signal: NEVER })).rejects.toThrow('other data');
    const after = await openReviewDatabase(url);
    expect(await after.selectFrom('findings').select('id').execute()).toEqual([]);
    await after.destroy();
  }, 120_000);
});

async function expectRefused({ databases }: Config): Promise<void> {
  const openers = [
    openReviewDatabase(databases.review),
    openWorklists(databases.worklists),
    openReliabilityStore(databases.reliability),
    openSourceStore(databases.sources),
  ];
  for (const opened of await Promise.allSettled<unknown>(openers))
    expect(opened).toMatchObject({ status: 'rejected', reason: expect.any(RefuseToStart) });
}

const Answer = z.object({
  moved: z.array(z.object({ outcome: z.string(), sums: z.record(z.string(), z.object({ rows: z.number() })) })),
});

/** What a reader of the review service gets: lists as JSON, and each finding's page with its decisions. */
async function shownBy(url: string): Promise<Record<string, string>> {
  const db = await openReviewDatabase(url);
  const served = await serveStore({ db, findings: createFindings(db) });
  const read = async (path: string) => (await fetch(served.origin + path)).text();
  const shown = {
    open: await read('/api/findings?state=open'),
    all: await read('/api/findings?state=all&verdict=all'),
    first: await read('/api/findings/1'),
    second: await read('/api/findings/2'),
    third: await read('/api/findings/3'),
  };
  await served.close();
  await db.destroy();
  return shown;
}
