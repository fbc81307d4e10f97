import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefuseToStart } from '../../../../shared/errors.ts';
import type { ImportedList, ListEntry, ListPattern } from '../../../../shared/reliability.ts';
import { Database } from '../../../../shared/sql/better-sqlite3.ts';
import type { DatabasePlace } from '../../../../shared/sql.ts';
import { mayBeSuggested, whyExcluded } from '../../../../workers/suggestion/reliability/exclusions.ts';
import { openReliabilityStore, type ReliabilityStore } from '../../../../workers/suggestion/reliability/store.ts';
import { onEachEngine } from '../../../support/databases.ts';

const WIKI = 'wiki.example';
let place: DatabasePlace;
let store: ReliabilityStore;

const list: ImportedList = {
  home: WIKI,
  title: 'Project:Sources',
  revision: 12,
  timestamp: '2026-05-03T08:00:00Z',
  kind: 'perennial',
  entries: [],
  patterns: [],
  skipped: [],
};

const weigh = (...entries: [site: string, status: ListEntry['status'], userGenerated?: boolean][]) =>
  store.replace(WIKI, 'perennial', [{ ...list, entries: entries.map(toEntry) }]);

function toEntry([site, status, userGenerated = false]: [string, ListEntry['status'], boolean?]): ListEntry {
  const [domain = '', ...path] = site.split('/');
  return { domain, path: path.map((part) => `/${part}`).join(''), status, userGenerated };
}

const block = (title: string, ...patterns: [string, Partial<ListPattern>?][]) =>
  store.replace(WIKI, title, [
    {
      ...list,
      title,
      kind: 'blacklist',
      patterns: patterns.map(([pattern, what]) => ({ about: 'url', effect: 'block', pattern, ...what })),
    },
  ]);

const status = async (url: string) => (await store.current()).reliability(WIKI, url)?.status ?? null;
const why = async (url: string, allowUserGenerated = false) =>
  whyExcluded(WIKI, url, { reliability: await store.current(), allowUserGenerated });

onEachEngine('what lists say', [], (fresh) => {
  beforeEach(async () => {
    place = await fresh();
    store = await openReliabilityStore(place);
  });
  afterEach(() => store.close());

  describe('what a list says of a site', () => {
    test('holds for its subdomains and for an archived copy, and for no site whose name only ends alike', async () => {
      await weigh(['mill.example', 'generally_reliable']);
      for (const url of ['https://mill.example/', 'http://www.mill.example:81/a', 'https://news.mill.example/b'])
        expect(await status(url)).toBe('generally_reliable');
      expect(await status('https://web.archive.org/web/20200101000000/http://mill.example/a')).toBe(
        'generally_reliable',
      );
      expect(await status('https://windmill.example/')).toBeNull();
      expect(await status('not an address')).toBeNull();
    });

    test('comes with the list, its revision and its day', async () => {
      await weigh(['mill.example', 'no_consensus']);
      expect((await store.current()).reliability(WIKI, 'https://mill.example/a')).toEqual({
        status: 'no_consensus',
        wiki: WIKI,
        list: 'Project:Sources',
        revision: 12,
        date: '2026-05-03',
      });
    });

    test('gives way to what it says of a subdomain or of a part', async () => {
      await weigh(
        ['mill.example', 'generally_reliable'],
        ['blog.mill.example', 'deprecated'],
        ['mill.example/opinion', 'no_consensus'],
      );
      expect(await status('https://blog.mill.example/')).toBe('deprecated');
      expect(await status('https://mill.example/opinion/1')).toBe('no_consensus');
      expect(await status('https://mill.example/opinions')).toBe('generally_reliable');
    });

    test('is mixed where its rows differ, and one that is against the site rules it out', async () => {
      await weigh(['mill.example', 'generally_reliable'], ['mill.example', 'generally_unreliable']);
      expect(await status('https://mill.example/')).toBe('mixed');
      expect(await why('https://mill.example/')).toBe('generally_unreliable');
    });

    test('holds for that wiki alone', async () => {
      await weigh(['mill.example', 'deprecated']);
      expect((await store.current()).reliability('other.example', 'https://mill.example/')).toBeNull();
    });
  });

  describe('a blacklist', () => {
    test('is searched as the extension does it: from the slashes on, whatever stands before in the host', async () => {
      await block('Spam', ['\\bspam\\.example\\b'], ['deals\\.example/(?:shop|sale)']);
      expect(await status('https://www.my-spam.example/')).toBe('blacklisted');
      expect(await status('https://spam.example.evil.example/')).toBe('blacklisted');
      expect(await status('https://mill.example/?about=spam.example')).toBeNull();
      expect(await status('https://DEALS.example/SALE/1')).toBe('blacklisted');
      expect(await status('https://deals.example/about')).toBeNull();
    });

    test('bans what another list finds reliable, unless a whitelist has the address', async () => {
      await weigh(['mill.example', 'generally_reliable']);
      await block('Spam', ['\\bmill\\.example\\b']);
      await block('Not spam', ['mill\\.example/history', { effect: 'allow' }]);
      expect(await why('https://mill.example/shop')).toBe('blacklisted');
      expect(await status('https://mill.example/history/1931')).toBe('generally_reliable');
    });

    test('of titles is compared with the whole host, and no whitelist of titles lifts a ban of addresses', async () => {
      await block('Titles', ['.*\\bspam\\.example', { about: 'host' }]);
      await block('Good titles', ['.*', { about: 'host', effect: 'allow' }]);
      await block('Spam', ['deals\\.example']);
      expect(await why('https://www.spam.example/a')).toBeNull();
      expect(await why('https://deals.example/')).toBe('blacklisted');
      await block('Good titles');
      expect(await why('https://www.spam.example/a')).toBe('blacklisted');
      expect(await why('https://spam.example.evil.example/')).toBeNull();
    });

    test('whose expression would search without end finds nothing, and lets the others be', async () => {
      await block('Endless', ['(?:[a-z]+)+!']);
      await block('Spam', ['deals\\.example']);
      const long = `${'a'.repeat(60)}.example/${'b'.repeat(200)}`;
      expect(await status(`https://${long}`)).toBeNull();
      expect(await status(`https://deals.example/${long}`)).toBe('blacklisted');
    });

    test('that another process has imported counts at once', async () => {
      expect(await status('https://spam.example/')).toBeNull();
      const other = await openReliabilityStore(place);
      const patterns = [{ about: 'url', effect: 'block', pattern: 'spam\\.example' } as const];
      await other.replace(WIKI, 'Spam', [{ ...list, kind: 'blacklist', patterns }]);
      await other.close();
      expect(await status('https://spam.example/')).toBe('blacklisted');
    });
  });

  describe('what may be suggested', () => {
    const options = async () => ({ reliability: await store.current(), allowUserGenerated: false });

    test('is whatever no list knows', async () => {
      expect(mayBeSuggested(WIKI, 'https://mill.example/', await options())).toBe(true);
    });

    test('is never archive.today, also as an archived copy of itself, nor a wiki or a copy of one', async () => {
      expect(await why('https://archive.ph/2020/https://mill.example/')).toBe('archive_today');
      expect(await why('https://web.archive.org/web/2020/https://archive.today/x')).toBe('archive_today');
      expect(await why('https://de.wikipedia.org/wiki/Mühle', true)).toBe('wiki_mirror');
      await store.replace(WIKI, 'mirrors', [
        { ...list, kind: 'mirrors', entries: [toEntry(['copies.example', 'wiki_mirror'])] },
      ]);
      expect(await why('https://copies.example/wiki/Mill', true)).toBe('wiki_mirror');
    });

    test('is what readers write only where that is allowed, and a wiki that weighs the site has the last word', async () => {
      await weigh(
        ['trees.example', 'generally_unreliable', true],
        ['youtube.com', 'no_consensus'],
        ['pins.example', 'deprecated', true],
      );
      expect([await why('https://trees.example/'), await why('https://trees.example/', true)]).toEqual([
        'user_generated',
        null,
      ]);
      expect([await why('https://someone.blogspot.com/'), await why('https://someone.blogspot.com/', true)]).toEqual([
        'user_generated',
        null,
      ]);
      expect(await why('https://www.youtube.com/watch?v=1')).toBeNull();
      expect(await why('https://pins.example/', true)).toBe('deprecated');
    });
  });

  test('lists that a place has no more are forgotten, and those of places that are not read any more', async () => {
    await weigh(['mill.example', 'deprecated']);
    await block('Spam', ['spam\\.example']);
    await store.replace(WIKI, 'perennial', []);
    expect(await status('https://mill.example/')).toBeNull();
    await store.keepOnly(WIKI, ['perennial']);
    expect(await store.lists(WIKI)).toEqual([]);
  });
});

test('a file of the version without migrations is taken over, and refused by such a version from then on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-reliability-'));
  const path = join(folder, 'reliability.sqlite');
  const old = new Database(path);
  old.exec(`
    CREATE TABLE list (
      id INTEGER PRIMARY KEY, wiki TEXT NOT NULL, place TEXT NOT NULL, home TEXT NOT NULL, title TEXT NOT NULL,
      kind TEXT NOT NULL, revision INTEGER NOT NULL, timestamp TEXT NOT NULL, fetched_at TEXT NOT NULL, skipped TEXT NOT NULL,
      UNIQUE (wiki, place, home, title)
    );
    CREATE TABLE entry (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE, domain TEXT NOT NULL, path TEXT NOT NULL,
      status TEXT NOT NULL, user_generated INTEGER NOT NULL
    );
    CREATE INDEX entry_domain ON entry (domain);
    CREATE INDEX entry_list ON entry (list);
    CREATE TABLE pattern (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE, about TEXT NOT NULL, effect TEXT NOT NULL, pattern TEXT NOT NULL
    );
    CREATE INDEX pattern_list ON pattern (list);
    INSERT INTO list VALUES (4, '${WIKI}', 'perennial', '${WIKI}', 'Project:Sources', 'perennial', 12, '2026-05-03T08:00:00Z', '2026-05-04T08:00:00Z', '["a row"]');
    INSERT INTO list VALUES (7, '${WIKI}', 'spam', '${WIKI}', 'Spam', 'blacklist', 3, '2026-05-03T08:00:00Z', '2026-05-04T08:00:00Z', '[]');
    INSERT INTO entry VALUES (4, 'mill.example', '', 'deprecated', 0);
    INSERT INTO pattern VALUES (7, 'url', 'block', 'spam\\.example');
    PRAGMA user_version = 1`);
  old.close();
  const taken = await openReliabilityStore(path);
  const lists = await taken.current();
  expect(lists.reliability(WIKI, 'https://mill.example/')).toMatchObject({ status: 'deprecated', revision: 12 });
  expect(lists.reliability(WIKI, 'https://spam.example/')).toMatchObject({ status: 'blacklisted', list: 'Spam' });
  const [first] = await taken.lists(WIKI);
  expect(first).toMatchObject({ entries: 1, patterns: 0, skipped: ['a row'], fetchedAt: '2026-05-04T08:00:00Z' });
  await taken.replace(WIKI, 'perennial', []);
  expect(await taken.lists(WIKI)).toHaveLength(1);
  await taken.close();
  const later = new Database(path);
  expect(Number(later.pragma('user_version', { simple: true }))).toBe(2);
  later.pragma('user_version = 3');
  later.close();
  await expect(openReliabilityStore(path)).rejects.toThrow(RefuseToStart);
  rmSync(folder, { recursive: true });
});
