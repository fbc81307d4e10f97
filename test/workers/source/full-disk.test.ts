import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorklists } from '../../../bot/worklists/store.ts';
import { TransientError } from '../../../shared/errors.ts';
import { hashText } from '../../../shared/hash.ts';
import { toSqlError } from '../../../shared/sql/mariadb-errors.ts';
import { openSourceStore } from '../../../workers/source/store.ts';
import { readable } from './examples.ts';

let folder: string;

function mount(...options: string[]): void {
  asRoot('mount', ...options);
}

function asRoot(...command: string[]): void {
  const [program = '', ...rest] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program, rest);
}

const makeRoom = () => mount('-o', 'remount,size=64m,mode=777', folder);
const mayMount = process.getuid?.() === 0 || process.env.CI === 'true';

const page = (path: string, text: string) => {
  const url = `https://ferry.example/${path}`;
  return { ...readable, url, finalUrl: url, text, contentHash: hashText(text) };
};

(mayMount ? describe : describe.skip)('a disk of 2 MB', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sidelight-full-'));
    mount('-t', 'tmpfs', '-o', 'size=2m,mode=777', 'tmpfs', folder);
  });
  afterEach(() => {
    asRoot('umount', '-l', folder);
    rmSync(folder, { recursive: true, force: true });
  });

  test('that is full under the sources is an error that passes, loses nothing, and is over when there is room', async () => {
    const path = join(folder, 'sources.sqlite');
    const store = await openSourceStore(path);
    const kept: string[] = [];
    let failure: unknown = null;
    for (let at = 0; at < 40 && failure === null; at += 1) {
      const put = store.put(page(String(at), randomBytes(100_000).toString('hex')));
      await put.then(
        (key) => kept.push(key),
        (error: unknown) => {
          failure = error;
        },
      );
    }
    expect(failure).toBeInstanceOf(TransientError);
    expect(kept.length).toBeGreaterThan(2);
    makeRoom();
    await store.put(page('later', 'Built in 1930.'));
    for (const key of kept) expect(await store.get(key)).toMatchObject({ kind: 'readable' });
    expect(await store.count()).toBe(kept.length + 1);
    await store.close();
  });

  test('that is full in the middle of a step of a worklist leaves the step undone, to be done again', async () => {
    const path = join(folder, 'worklists.sqlite');
    const store = await openWorklists(path);
    const { id } = await store.lists.add({
      wiki: 'wiki.example',
      name: 'mills',
      source: { kind: 'search', query: 'x' },
    });
    const run = await store.runs.begin(id, false);
    const found = Array.from({ length: 20_000 }, (_, at) => ({
      title: `A mill of a long name, and of a number: ${at}`,
      importance: 0,
    }));
    const step = () =>
      store.runs.advance(run, async ({ members }) => {
        await members.list(run, found);
        return { waiting: 'done' };
      });
    await expect(step()).rejects.toBeInstanceOf(TransientError);
    expect(await store.runs.get(id, 1)).toMatchObject({ step: 0, waiting: null });
    expect(await store.members.listed(run, 5)).toEqual([]);
    makeRoom();
    expect(await step()).toBe(true);
    expect(await store.members.listed(run, 30_000)).toHaveLength(20_000);
    await store.close();
  });
});

test.each([1021, 1114])('what MariaDB says of a full disk or table (%i) is an error that passes', (errno) => {
  expect(toSqlError(Object.assign(new Error('full'), { errno, code: 'ER' }))).toBeInstanceOf(TransientError);
});
