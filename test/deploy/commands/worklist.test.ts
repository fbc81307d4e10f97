import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Redis } from 'ioredis';
import { openWorklists } from '../../../bot/worklists/store.ts';
import { declareWorklist } from '../../../deploy/cli/worklist.ts';
import { openQueues, type Queues } from '../../../shared/queue.ts';
import { connectRedis } from '../../../shared/redis.ts';
import { type PaperWiki, startPaperWiki } from '../../bot/worklists/paper-wiki.ts';
import { describeWith } from '../../support/describe-with.ts';
import { type RunningRedis, startRedis } from '../../support/redis.ts';

describeWith(['redis'], 'sidelight worklist', () => {
  let wiki: PaperWiki;
  let server: RunningRedis;
  let redis: Redis;
  let queues: Queues;
  let folder: string;
  let titles: string;
  const before = { ...process.env };

  beforeAll(async () => {
    wiki = await startPaperWiki();
    server = await startRedis();
    redis = await connectRedis(server.url, 'producer');
    queues = openQueues(redis);
    folder = await mkdtemp(join(tmpdir(), 'sidelight-worklist-'));
    titles = join(folder, 'titles.txt');
    await writeFile(titles, 'Mill 1\nMill 2\n');
  });
  afterAll(async () => {
    await queues?.close();
    redis?.disconnect();
    await server?.stop();
    await wiki?.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    await redis.flushall();
    const dataDir = await mkdtemp(join(folder, 'data-'));
    const tools = { PAGEPILE_URL: 'http://127.0.0.1:9/', PETSCAN_URL: 'http://127.0.0.1:9/' }; // nobody listens there
    Object.assign(process.env, { WIKI: wiki.origin, DATA_DIR: dataDir, REDIS_URL: server.url, ...tools });
    await sidelight('add', 'mills', '--file', titles);
  });
  afterEach(() => {
    for (const name of ['WIKI', 'DATA_DIR', 'REDIS_URL', 'PAGEPILE_URL', 'PETSCAN_URL']) delete process.env[name];
    Object.assign(process.env, before);
  });

  /** What a command says. */
  async function sidelight(...words: string[]): Promise<string> {
    const program = new Command('sidelight').exitOverride().configureOutput({ writeErr: () => undefined });
    declareWorklist(program);
    const { write } = process.stdout;
    let said = '';
    process.stdout.write = (text: unknown) => {
      said += String(text);
      return true;
    };
    try {
      await program.parseAsync(['worklist', ...words], { from: 'user' });
    } finally {
      process.stdout.write = write;
    }
    return said;
  }
  const json = async (...words: string[]) => JSON.parse(await sidelight(...words, '--json'));
  const waiting = async () => (await queues.count()).get('worklists')?.open;

  test('adds lists and names them', async () => {
    expect(await json('add', '  The bot’s work ', '--file', titles)).toMatchObject({ name: 'The bot’s work' });
    const { worklists } = await json('list');
    const mills = { worklist: { name: 'mills', source: { kind: 'file', titles: 2 } }, run: null };
    expect(worklists).toMatchObject([mills, { worklist: { name: 'The bot’s work' } }]);
    expect(await sidelight('list')).toContain('2 titles of titles.txt');
    expect(await sidelight('show', 'mills')).toContain('not run yet');
  });

  test('runs a list, says how far it is, pauses it and goes on', async () => {
    expect(await json('run', 'mills')).toMatchObject({ number: 1, state: 'running', everything: false });
    expect(await waiting()).toBe(1);
    expect(await json('show', 'mills')).toMatchObject({
      runs: [{ number: 1, phase: 'collecting' }],
      progress: { articles: { known: 0, read: 0, leftOut: {} }, claims: { found: 0 }, findings: { open: {} } },
    });
    expect(await json('pause', 'mills')).toMatchObject({ paused: true });
    expect(await sidelight('show', 'mills')).toMatch(/run 1 of .*: paused/);
    await expect(sidelight('run', 'mills')).rejects.toMatchObject({ code: 'paused' });
    expect(await json('resume', 'mills')).toMatchObject({ paused: false });
    expect(await waiting()).toBe(2); // the first has nothing to do any more
  });

  test('cancels a run, and begins another', async () => {
    await expect(sidelight('cancel', 'mills')).rejects.toMatchObject({ code: 'no_run' });
    await sidelight('run', 'mills', '--all');
    expect(await json('cancel', 'mills')).toMatchObject({ run: 1 });
    expect(await sidelight('show', 'mills')).toMatch(/run 1 of .*: cancelled/);
    expect(await json('run', 'mills')).toMatchObject({ number: 2 });
  });

  test('schedules a list, and takes that back', async () => {
    const { next } = await json('schedule', 'mills', '--weekly', '--day', 'friday', '--hour', '22');
    expect([new Date(next).getUTCDay(), new Date(next).getUTCHours()]).toEqual([5, 22]);
    expect(await sidelight('list')).toContain('weekly, Friday 22:00 UTC');
    expect(await waiting()).toBe(1);
    expect(await json('schedule', 'mills', '--off')).toEqual({ schedule: null, next: null });
    expect(await waiting()).toBe(0);
  });

  test('exports to a file, and drops a list with all of its runs', async () => {
    await expect(sidelight('export', 'mills')).rejects.toMatchObject({ code: 'no_run' });
    await sidelight('run', 'mills');
    const out = join(folder, 'mills.json');
    await sidelight('export', 'mills', '--format', 'json', '--out', out);
    expect(JSON.parse(await readFile(out, 'utf8'))).toEqual([]);
    await expect(sidelight('export', 'mills', '--out', folder)).rejects.toMatchObject({ code: 'not_writable' });
    await json('schedule', 'mills', '--weekly');
    expect(await json('drop', 'mills')).toMatchObject({ dropped: 'mills' });
    expect(await json('list')).toMatchObject({ worklists: [] });
    expect(await waiting()).toBe(1); // the step of the run, which finds no list
  });

  test('gives the id of a list that was dropped to no other', async () => {
    await sidelight('drop', 'mills');
    expect(await json('add', 'mills', '--file', titles)).toMatchObject({ id: 2 });
  });

  test.each([
    ['--search: is empty', ['--search', '']],
    ['--depth: is more than 50', ['--category', 'Mills', '--depth', '51']],
    ['--created-by: is empty', ['--created-by', '']],
  ])('names the option that is wrong: %s', async (message, words) => {
    await expect(sidelight('add', 'wrong', ...words)).rejects.toMatchObject({ message });
  });

  test.each([
    ['no_such_worklist', ['show', 'none']],
    ['name_taken', ['add', 'mills', '--search', 'x']],
    ['bad_name', ['add', 'a\nb', '--search', 'x']],
    ['one_source', ['add', 'none']],
    ['one_source', ['add', 'both', '--search', 'x', '--pagepile', '7']],
    ['petscan_away', ['add', 'away', '--petscan', '7']],
    ['no_depth', ['add', 'deep', '--search', 'x', '--depth', '2']],
    ['bad_source', ['add', 'deep', '--category', 'Category:X', '--depth', '51']],
    ['bad_source', ['add', 'nothing', '--search', '']],
    ['no_file', ['add', 'nowhere', '--file', '/nowhere']],
    ['no_schedule', ['schedule', 'mills']],
    ['no_day', ['schedule', 'mills', '--weekly', '--day', 'Someday']],
    ['no_hour', ['schedule', 'mills', '--weekly', '--hour', '24']],
    ['unknown_verdict', ['export', 'mills', '--verdicts', 'nonsense']],
    ['commander.invalidArgument', ['add', 'pile', '--pagepile', '-1']],
  ])('refuses with %s: %j', async (code, words) => {
    await expect(sidelight(...words)).rejects.toMatchObject({ code });
    const store = await openWorklists(join(process.env.DATA_DIR ?? '', 'worklists.sqlite'));
    expect(await store.lists.all(new URL(wiki.origin).host)).toHaveLength(1);
    await store.close();
  });
});
