/** A backup taken while people and workers write, restored where nothing is: the same findings, the same answers. */
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openWorklists } from '../../bot/worklists/store.ts';
import { backup } from '../../deploy/moving/backup.ts';
import { inSnapshot } from '../../deploy/moving/databases.ts';
import { restore } from '../../deploy/moving/restore.ts';
import { STORES } from '../../deploy/moving/stores.ts';
import { parseConfig, sqliteDatabases } from '../../shared/config.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import { openReviewDatabase } from '../../workers/review/database.ts';
import { createFindings, type Findings } from '../../workers/review/findings.ts';
import { runCommand } from '../support/command.ts';
import { describeWith } from '../support/describe-with.ts';
import { startMariaDb } from '../support/mariadb.ts';
import { findingOf } from '../workers/review/store.ts';
import { fillStores } from './moved.ts';

const NEVER = new AbortController().signal;
const ALL = { state: 'all', verdict: 'all' } as const;

describe('a backup', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-backup-'));
    await mkdir(join(folder, 'models'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** With models of its own, so that none of the program's are copied. */
  const at = (name: string, more: Record<string, string> = {}) =>
    parseConfig({ DATA_DIR: join(folder, name), MODELS_DIR: join(folder, 'models'), ...more });

  test('holds every finding that was there when it began, though writing goes on; secrets only if asked for', async () => {
    const config = at('here');
    await fillStores(config.dataDir, { findings: 10, sources: 5 });
    await writeFile(join(config.dataDir, 'session-secret'), 'x'.repeat(64));
    await mkdir(join(folder, 'models', 'judge'));
    await writeFile(join(folder, 'models', 'judge', 'manifest.json'), '{}');
    const db = await openReviewDatabase(config.databases.review);
    const writer = keepWriting(createFindings(db));
    await backup(config, join(folder, 'kept'), { signal: NEVER });
    await writer.stop();
    await db.destroy();

    const empty = at('empty', { MODELS_DIR: join(folder, 'empty-models') });
    const { manifest } = await restore(empty, join(folder, 'kept'), { signal: NEVER });
    expect(manifest.files.map(({ path }) => path)).toEqual([
      'models/judge/manifest.json',
      ...[...STORES].sort().map((store) => `sql/${store}.sqlite`),
    ]);
    expect(await readdir(join(folder, 'empty-models', 'judge'))).toEqual(['manifest.json']);
    const shown = await textsOf(empty.databases.review);
    expect(shown.length).toBeGreaterThanOrEqual(10);
    expect((await textsOf(config.databases.review)).slice(0, shown.length)).toEqual(shown);

    await backup(config, join(folder, 'with.tar.gz'), { withSecrets: true, withoutModels: true, signal: NEVER });
    expect((await stat(join(folder, 'with.tar.gz'))).mode & 0o777).toBe(0o600);
    await restore(at('second'), join(folder, 'with.tar.gz'), { signal: NEVER });
    expect(await readFile(join(folder, 'second', 'session-secret'), 'utf8')).toBe('x'.repeat(64));
    expect(await readdir(folder)).not.toContain('second.restoring');
  }, 90_000);

  test('is refused where there is nothing to keep: a folder with no database is not the one that was meant', async () => {
    await expect(backup(at('nothing'), join(folder, 'kept'), { signal: NEVER })).rejects.toThrow('is DATA_DIR right?');
    expect(await readdir(folder)).toEqual(['models']);
  });

  test('is refused where it is damaged, cut short, or would go over something else', async () => {
    const config = at('here');
    await fillStores(config.dataDir, { findings: 5, sources: 2 });
    const kept = join(folder, 'kept');
    await backup(config, kept, { signal: NEVER });
    await expect(backup(config, kept, { signal: NEVER })).rejects.toMatchObject({ code: 'is_there' });
    await expect(restore(config, kept, { signal: NEVER })).rejects.toThrow('another file');
    await mkdir(join(folder, 'logged'));
    await writeFile(join(folder, 'logged', 'review.sqlite-wal'), 'left behind');
    await expect(restore(at('logged'), kept, { signal: NEVER })).rejects.toThrow('belongs to another database');
    expect(await readdir(join(folder, 'logged'))).toEqual(['review.sqlite-wal']);
    await appendFile(join(kept, 'sql', 'review.sqlite'), 'x');
    await expect(restore(at('empty'), kept, { signal: NEVER })).rejects.toThrow('checksum');
    await rm(join(kept, 'backup.json'));
    await expect(restore(at('empty'), kept, { signal: NEVER })).rejects.toThrow('never finished');
    expect(await readdir(folder)).not.toContain('empty');
  }, 60_000);

  test('that is cut short leaves nothing that opens, until it is repeated', async () => {
    await fillStores(at('here').dataDir, { findings: 5, sources: 2 });
    const kept = join(folder, 'kept');
    await backup(at('here'), kept, { withoutModels: true, signal: NEVER });
    const empty = at('empty');
    // where the last of the databases is to be put stands a folder: the first are there by then
    await mkdir(`${empty.databases.worklists}.restoring`, { recursive: true });
    await expect(restore(empty, kept, { signal: NEVER })).rejects.toThrow('EISDIR');
    expect(await readdir(empty.dataDir)).toContain('review.sqlite');
    await expect(openReviewDatabase(empty.databases.review)).rejects.toThrow(/begun and not ended: .*restore/);
    await expect(openWorklists(empty.databases.worklists)).rejects.toThrow(RefuseToStart);
    await rm(`${empty.databases.worklists}.restoring`, { recursive: true });
    await restore(empty, kept, { signal: NEVER });
    expect(await textsOf(empty.databases.review)).toHaveLength(5);
  }, 60_000);

  test('brings the corpus back: a search answers the same', async () => {
    const pages = join(folder, 'pages.jsonl');
    const page = (id: number, title: string, text: string) =>
      JSON.stringify({ id, url: `https://orrin.example/${id}`, title, text });
    const text = 'The mill at Orrin Bay closed in 1931, when the last miller retired. It was built of stone in 1788.';
    await writeFile(
      pages,
      `${page(1, 'The mill', text)}\n${page(2, 'The harbour', 'The harbour of Orrin Bay was dredged in 1950.')}\n`,
    );
    const settings = { DATA_DIR: join(folder, 'here') };
    expect(await runCommand(['corpus', 'build', 'crawl', '--input', pages], settings)).toMatchObject({ code: 0 });
    expect(await runCommand(['corpus', 'switch', 'crawl'], settings)).toMatchObject({ code: 0 });
    const find = ['find', '--claim', 'The mill at Orrin Bay closed in 1931.', '--json'];
    const before = await runCommand(find, settings);
    await backup(at('here'), join(folder, 'kept'), { signal: NEVER });
    await restore(at('empty'), join(folder, 'kept'), { signal: NEVER });
    const after = await runCommand(find, { DATA_DIR: join(folder, 'empty') });
    expect(before.stdout).toContain('https://orrin.example/1');
    expect(after).toEqual(before);
  }, 90_000);
});

describeWith(['mariadb'], 'a backup of what many hosts share', () => {
  test('is taken from MariaDB, and goes into SQLite and into another MariaDB alike', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sidelight-backup-'));
    const mariaDb = await startMariaDb();
    const settings = { MODELS_DIR: join(folder, 'models') };
    const first = parseConfig({
      ...settings,
      DATA_DIR: join(folder, 'first'),
      DATABASE_URL: await mariaDb.freshDatabase(),
    });
    const second = parseConfig({
      ...settings,
      DATA_DIR: join(folder, 'second'),
      DATABASE_URL: await mariaDb.freshDatabase(),
    });
    const single = parseConfig({ ...settings, DATA_DIR: join(folder, 'single') });
    try {
      const db = await openReviewDatabase(first.databases.review);
      const findings = createFindings(db);
      for (const at of [1, 2, 3]) await findings.record(findingOf(`The mill ${at} at Tåsø closed.`));
      const writer = keepWriting(findings);
      const manifest = await backup(first, join(folder, 'kept'), { withoutModels: true, signal: NEVER });
      await writer.stop();
      await db.destroy();
      expect(manifest.engine).toBe('mariadb');

      await restore(single, join(folder, 'kept'), { signal: NEVER });
      await leaveLog(join(second.dataDir, 'restoring'));
      await restore(second, join(folder, 'kept'), { signal: NEVER });
      const shown = await textsOf(sqliteDatabases(single.dataDir).review);
      expect(shown.slice(0, 3)).toEqual([1, 2, 3].map((at) => `The mill ${at} at Tåsø closed.`));
      expect(await textsOf(second.databases.review)).toEqual(shown);
      // summing up a large file takes longer than MariaDB lets a transaction stand idle
      const idle = await inSnapshot(second.databases.review, async (from) => {
        const { rows } = await sql<{ seconds: number }>`select @@session.idle_transaction_timeout as seconds`.execute(
          from,
        );
        return rows[0]?.seconds;
      });
      expect(idle).toBe(0);
    } finally {
      await mariaDb.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

/** Records one finding after the other until it is stopped. */
function keepWriting(findings: Findings): { stop(): Promise<void> } {
  let isAsked = false;
  const writing = (async () => {
    for (let at = 1; !isAsked; at += 1) {
      await findings.record(findingOf(`Written meanwhile: ${at}.`));
      await new Promise(setImmediate); // SQLite answers at once: nothing else would get its turn
    }
  })();
  return {
    stop() {
      isAsked = true;
      return writing;
    },
  };
}

/** The write-ahead log of another database, as a restore that was killed may leave it among its copies. */
async function leaveLog(copies: string): Promise<void> {
  await mkdir(copies, { recursive: true });
  const stray = join(copies, '..', '..', 'stray.sqlite');
  const db = await openReviewDatabase(stray);
  const findings = createFindings(db);
  for (const at of [1, 2, 3]) await findings.record(findingOf(`Of another database: ${at}.`));
  await copyFile(`${stray}-wal`, join(copies, 'review.sqlite-wal'));
  await db.destroy();
}

/** The claims of all findings, in the order in which they were found. */
async function textsOf(place: string): Promise<string[]> {
  const db = await openReviewDatabase(place);
  const rows = await createFindings(db).list(ALL, { limit: 100_000 });
  await db.destroy();
  return rows.sort((a, b) => a.id - b.id).map(({ finding }) => finding.claim.text);
}
