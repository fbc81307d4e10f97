import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Source } from '../../../shared/citation.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { hashCitation, hashText } from '../../../shared/hash.ts';
import { openSourceStore } from '../../../workers/source/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(folder, { recursive: true }));

const url = 'https://ferry.example/a';
const dead = (fetchedAt = new Date()): Source => ({
  kind: 'unavailable',
  url,
  reason: 'dead',
  detail: 'HTTP 404',
  fetchedAt: fetchedAt.toISOString(),
});
const readable: Source = {
  kind: 'readable',
  url,
  finalUrl: url,
  title: 'The ferry',
  text: 'Built in 1930.',
  contentHash: hashText('Built in 1930.'),
  type: 'html',
  language: 'en',
  fetchedAt: new Date().toISOString(),
  archivedAt: null,
};

test('what one process puts, another gets, by the hash of the canonical URL; the later one counts', async () => {
  const path = join(folder, 'shared.sqlite');
  const [one, other] = [openSourceStore(path), openSourceStore(path)];
  const key = await one.put(dead());
  expect(key).toBe(hashCitation({ url: 'http://www.ferry.example/a/', text: '' }));
  expect(await other.get(key)).toMatchObject({ reason: 'dead' });
  await other.put(readable);
  expect(await one.get(key)).toEqual(readable);
  expect(await one.count()).toBe(1);
  expect(await one.get('0123456789abcdef')).toBeNull();
  one.close();
  other.close();
});

test('a source is fresh until it is too old', async () => {
  const store = openSourceStore(join(folder, 'fresh.sqlite'));
  await store.put(dead(new Date(Date.now() - 60_000)));
  expect(await store.fresh(url, 120_000)).toMatchObject({ source: { reason: 'dead' } });
  expect(await store.fresh(url, 30_000)).toBeNull();
  expect(await store.fresh('https://ferry.example/b', 120_000)).toBeNull();
  store.close();
});

test('a store of a newer version refuses to open, in one line', () => {
  const path = join(folder, 'newer.sqlite');
  const newer = new Database(path);
  newer.pragma('user_version = 99');
  newer.close();
  expect(() => openSourceStore(path)).toThrow(RefuseToStart);
  expect(() => openSourceStore(path)).toThrow(/^[^\n]*newer\.sqlite[^\n]*$/);
});

test('sources are listed in the order in which their pages were first put', async () => {
  const store = openSourceStore(join(folder, 'listed.sqlite'));
  const urls = ['z', 'a', 'm'].map((name) => `https://ferry.example/${name}`);
  for (const each of [...urls, urls[0] ?? '']) await store.put({ ...readable, url: each });
  const all = await store.pages(0, 10);
  expect(all.map(({ source }) => source.url)).toEqual(urls);
  expect(await store.pages(0, 1)).toEqual(all.slice(0, 1));
  expect(await store.pages(all[0]?.position ?? 0, 10)).toEqual(all.slice(1));
  store.close();
});
