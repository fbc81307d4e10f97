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

test('a text that two addresses have is stored once, and goes when no page has it any more', async () => {
  const path = join(folder, 'texts.sqlite');
  const store = openSourceStore(path);
  const other = { ...readable, url: 'https://ferry.example/b', finalUrl: 'https://ferry.example/b' };
  const keys = [await store.put(readable), await store.put(other)];
  const texts = () => new Database(path, { readonly: true }).prepare('SELECT text FROM texts').pluck().all();
  expect(texts()).toEqual(['Built in 1930.']);
  await store.put(dead());
  expect(texts()).toEqual(['Built in 1930.']);
  expect(await store.get(keys[1] ?? '')).toEqual(other);
  await store.put({ ...other, text: 'Built in 1931.', contentHash: hashText('Built in 1931.') });
  expect(texts()).toEqual(['Built in 1931.']);
  store.close();
});

test('a store of the first version is read and written on', async () => {
  const path = join(folder, 'first.sqlite');
  const first = new Database(path);
  first.exec(
    'CREATE TABLE sources (key TEXT PRIMARY KEY, source TEXT NOT NULL, fetched_at INTEGER NOT NULL) STRICT; PRAGMA user_version = 1',
  );
  const insert = first.prepare('INSERT INTO sources VALUES (?, ?, ?)');
  insert.run(hashCitation({ url, text: '' }), JSON.stringify(readable), Date.parse(readable.fetchedAt));
  first.close();
  const store = openSourceStore(path);
  expect(await store.fresh(url, 60_000)).toMatchObject({ source: readable });
  expect(await store.pages(0, 5)).toMatchObject([{ source: readable }]);
  await store.put({ ...readable, title: 'A ferry' });
  expect(await store.pages(0, 5)).toMatchObject([{ source: { ...readable, title: 'A ferry' } }]);
  store.close();
});

test('what a person gave is never stored as a page that was fetched', async () => {
  const store = openSourceStore(join(folder, 'given.sqlite'));
  await expect(store.put({ ...readable, given: true })).rejects.toThrow('person');
  expect(await store.count()).toBe(0);
  store.close();
});
