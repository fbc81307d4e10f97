import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefuseToStart } from '../../../shared/errors.ts';
import { hashCitation, hashText } from '../../../shared/hash.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { correct, observe, UNKNOWN } from '../../../workers/source/health.ts';
import { openSourceStore } from '../../../workers/source/store.ts';
import { aCitation } from '../../support/examples.ts';
import { aGivenSource, dead, readable, url } from './examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** As files were before there were migrations. */
const SECOND = `
CREATE TABLE sources (key TEXT PRIMARY KEY, source TEXT NOT NULL, fetched_at INTEGER NOT NULL) STRICT;
CREATE TABLE texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE INDEX sources_text ON sources (source ->> '$.contentHash');
CREATE TABLE kept (hash TEXT PRIMARY KEY) STRICT;
CREATE TABLE responses (
  address TEXT PRIMARY KEY, meta TEXT NOT NULL, body BLOB NOT NULL, bytes INTEGER NOT NULL,
  received_at INTEGER NOT NULL, used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX responses_used ON responses (used_at, bytes);
CREATE TABLE links (
  key TEXT PRIMARY KEY, url TEXT NOT NULL, health TEXT NOT NULL, due_at INTEGER, said_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX links_due ON links (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE given (
  key TEXT PRIMARY KEY, citation TEXT NOT NULL UNIQUE, source TEXT NOT NULL, given_at INTEGER NOT NULL
) STRICT;
PRAGMA user_version = 2`;

function oldFile(
  name: string,
  schema: string,
  rows: [table: string, ...values: (string | number | Buffer | null)[]][],
) {
  const path = join(folder, name);
  const database = new Database(path);
  database.exec(schema);
  for (const [table, ...values] of rows) {
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values);
  }
  database.close();
  return path;
}

const keyOf = (address: string) => hashCitation({ url: address, text: '' });
const { text, ...textless } = readable;
const known = Date.parse(readable.fetchedAt);

test('a file of the version without migrations is taken over whole, and written on', async () => {
  const other = 'https://ferry.example/gone';
  const looked = observe(UNKNOWN, { kind: 'failed', reason: 'not_found', retryAfterMs: null }, 1000);
  const said = correct(looked, 'dead', 'a shop', 2000);
  const given = aGivenSource('What a person gave.');
  const path = oldFile('second.sqlite', SECOND, [
    ['texts', readable.contentHash, text],
    ['texts', hashText('Kept.'), 'Kept.'],
    ['kept', hashText('Kept.')],
    ['sources', keyOf(other), JSON.stringify({ ...dead(), url: other }), known],
    ['sources', keyOf(url), JSON.stringify(textless), known],
    ['links', keyOf(url), url, JSON.stringify(looked), 3000, 0],
    ['links', keyOf(other), other, JSON.stringify(said), null, 2000],
    ['given', hashText(`given ${aCitation.hash}`), aCitation.hash, JSON.stringify(given), known],
  ]);
  const store = await openSourceStore(path, { looseMs: 0 });
  expect((await store.pages(0, 5)).map(({ source }) => source.url)).toEqual([other, url]);
  expect(await store.fresh(url, 3_600_000)).toEqual({ key: keyOf(url), source: readable });
  expect(await store.texts.get(hashText('Kept.'))).toBe('Kept.');
  expect(await store.links.get(url)).toEqual(looked);
  expect(await store.links.takeDue(5, 3000)).toEqual([url]);
  expect(await store.links.list({ state: 'corrected', limit: 5 })).toEqual([{ url: other, health: said }]);
  expect([await store.links.saidAt(other), (await store.given.of(aCitation.hash))?.source]).toEqual([2000, given]);
  await store.put(dead());
  expect([await store.texts.get(readable.contentHash), await store.texts.get(hashText('Kept.'))]).toEqual([
    null,
    'Kept.',
  ]);
  await store.close();
});

test('responses of such a file are still there', async () => {
  const { gzipSync } = await import('node:zlib');
  const meta = { finalUrl: url, status: 200, contentType: 'text/html', headers: {} };
  const path = oldFile('responses.sqlite', SECOND, [
    ['responses', url, JSON.stringify(meta), gzipSync('<p>'), 300, known, known],
  ]);
  const store = await openSourceStore(path);
  expect(await store.responses.get(url)).toMatchObject({ ...meta, body: Buffer.from('<p>') });
  await store.close();
});

test('a file of the first version is read and written on', async () => {
  const path = oldFile(
    'first.sqlite',
    'CREATE TABLE sources (key TEXT PRIMARY KEY, source TEXT NOT NULL, fetched_at INTEGER NOT NULL) STRICT; PRAGMA user_version = 1',
    [['sources', keyOf(url), JSON.stringify(readable), known]],
  );
  const store = await openSourceStore(path);
  expect(await store.fresh(url, 60_000)).toMatchObject({ source: readable });
  await store.put({ ...readable, title: 'A ferry' });
  expect(await store.pages(0, 5)).toMatchObject([{ source: { ...readable, title: 'A ferry' } }]);
  await store.close();
  const again = await openSourceStore(path);
  expect(await again.count()).toBe(1);
  await again.close();
});

test('a file that a version without migrations opens no more says so by its number', async () => {
  const path = join(folder, 'numbered.sqlite');
  await (await openSourceStore(path)).close();
  const database = new Database(path);
  expect(Number(database.pragma('user_version', { simple: true }))).toBeGreaterThan(2);
  database.close();
});

test.each([
  ['of a higher number', 'PRAGMA user_version = 99'],
  ['with a migration that is not known', "INSERT INTO source_migrations VALUES ('9999-later', '2030-01-01')"],
])('a file %s was written by a newer version: it refuses to open, in one line', async (_, change) => {
  const path = join(folder, `newer-${change.length}.sqlite`);
  await (await openSourceStore(path)).close();
  const newer = new Database(path);
  newer.exec(change);
  newer.close();
  await expect(openSourceStore(path)).rejects.toThrow(RefuseToStart);
  await expect(openSourceStore(path)).rejects.toThrow(/^[^\n]*newer-\d+\.sqlite[^\n]*update[^\n]*$/);
});
