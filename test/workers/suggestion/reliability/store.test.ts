import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportedList, ListEntry, ListPattern } from '../../../../shared/reliability.ts';
import { mayBeSuggested, whyExcluded } from '../../../../workers/suggestion/reliability/exclusions.ts';
import { openReliabilityStore, type ReliabilityStore } from '../../../../workers/suggestion/reliability/store.ts';

const WIKI = 'wiki.example';
let folder: string;
let store: ReliabilityStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelight-reliability-'));
  store = openReliabilityStore(join(folder, 'reliability.sqlite'));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

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

const status = (url: string) => store.reliability(WIKI, url)?.status ?? null;
const why = (url: string, allowUserGenerated = false) =>
  whyExcluded(WIKI, url, { reliability: store, allowUserGenerated });

describe('what a list says of a site', () => {
  test('holds for its subdomains and for an archived copy, and for no site whose name only ends alike', () => {
    weigh(['mill.example', 'generally_reliable']);
    for (const url of ['https://mill.example/', 'http://www.mill.example:81/a', 'https://news.mill.example/b'])
      expect(status(url)).toBe('generally_reliable');
    expect(status('https://web.archive.org/web/20200101000000/http://mill.example/a')).toBe('generally_reliable');
    expect(status('https://windmill.example/')).toBeNull();
    expect(status('not an address')).toBeNull();
  });

  test('comes with the list, its revision and its day', () => {
    weigh(['mill.example', 'no_consensus']);
    expect(store.reliability(WIKI, 'https://mill.example/a')).toEqual({
      status: 'no_consensus',
      wiki: WIKI,
      list: 'Project:Sources',
      revision: 12,
      date: '2026-05-03',
    });
  });

  test('gives way to what it says of a subdomain or of a part', () => {
    weigh(
      ['mill.example', 'generally_reliable'],
      ['blog.mill.example', 'deprecated'],
      ['mill.example/opinion', 'no_consensus'],
    );
    expect(status('https://blog.mill.example/')).toBe('deprecated');
    expect(status('https://mill.example/opinion/1')).toBe('no_consensus');
    expect(status('https://mill.example/opinions')).toBe('generally_reliable');
  });

  test('is mixed where its rows differ, and one that is against the site rules it out', () => {
    weigh(['mill.example', 'generally_reliable'], ['mill.example', 'generally_unreliable']);
    expect(status('https://mill.example/')).toBe('mixed');
    expect(why('https://mill.example/')).toBe('generally_unreliable');
  });

  test('holds for that wiki alone', () => {
    weigh(['mill.example', 'deprecated']);
    expect(store.reliability('other.example', 'https://mill.example/')).toBeNull();
  });
});

describe('a blacklist', () => {
  test('is searched as the extension does it: from the slashes on, whatever stands before in the host', () => {
    block('Spam', ['\\bspam\\.example\\b'], ['deals\\.example/(?:shop|sale)']);
    expect(status('https://www.my-spam.example/')).toBe('blacklisted');
    expect(status('https://spam.example.evil.example/')).toBe('blacklisted');
    expect(status('https://mill.example/?about=spam.example')).toBeNull();
    expect(status('https://DEALS.example/SALE/1')).toBe('blacklisted');
    expect(status('https://deals.example/about')).toBeNull();
  });

  test('bans what another list finds reliable, unless a whitelist has the address', () => {
    weigh(['mill.example', 'generally_reliable']);
    block('Spam', ['\\bmill\\.example\\b']);
    block('Not spam', ['mill\\.example/history', { effect: 'allow' }]);
    expect(why('https://mill.example/shop')).toBe('blacklisted');
    expect(status('https://mill.example/history/1931')).toBe('generally_reliable');
  });

  test('of titles is compared with the whole host, and no whitelist of titles lifts a ban of addresses', () => {
    block('Titles', ['.*\\bspam\\.example', { about: 'host' }]);
    block('Good titles', ['.*', { about: 'host', effect: 'allow' }]);
    block('Spam', ['deals\\.example']);
    expect(why('https://www.spam.example/a')).toBeNull();
    expect(why('https://deals.example/')).toBe('blacklisted');
    block('Good titles');
    expect(why('https://www.spam.example/a')).toBe('blacklisted');
    expect(why('https://spam.example.evil.example/')).toBeNull();
  });

  test('whose expression would search without end finds nothing, and lets the others be', () => {
    block('Endless', ['(?:[a-z]+)+!']);
    block('Spam', ['deals\\.example']);
    const long = `${'a'.repeat(60)}.example/${'b'.repeat(200)}`;
    expect(status(`https://${long}`)).toBeNull();
    expect(status(`https://deals.example/${long}`)).toBe('blacklisted');
  });

  test('that another process has imported counts at once', () => {
    expect(status('https://spam.example/')).toBeNull();
    const other = openReliabilityStore(join(folder, 'reliability.sqlite'));
    const patterns = [{ about: 'url', effect: 'block', pattern: 'spam\\.example' } as const];
    other.replace(WIKI, 'Spam', [{ ...list, kind: 'blacklist', patterns }]);
    other.close();
    expect(status('https://spam.example/')).toBe('blacklisted');
  });
});

describe('what may be suggested', () => {
  const options = () => ({ reliability: store, allowUserGenerated: false });

  test('is whatever no list knows', () => {
    expect(mayBeSuggested(WIKI, 'https://mill.example/', options())).toBe(true);
  });

  test('is never archive.today, also as an archived copy of itself, nor a wiki or a copy of one', () => {
    expect(why('https://archive.ph/2020/https://mill.example/')).toBe('archive_today');
    expect(why('https://web.archive.org/web/2020/https://archive.today/x')).toBe('archive_today');
    expect(why('https://de.wikipedia.org/wiki/Mühle', true)).toBe('wiki_mirror');
    store.replace(WIKI, 'mirrors', [
      { ...list, kind: 'mirrors', entries: [toEntry(['copies.example', 'wiki_mirror'])] },
    ]);
    expect(why('https://copies.example/wiki/Mill', true)).toBe('wiki_mirror');
  });

  test('is what readers write only where that is allowed, and a wiki that weighs the site has the last word', () => {
    weigh(
      ['trees.example', 'generally_unreliable', true],
      ['youtube.com', 'no_consensus'],
      ['pins.example', 'deprecated', true],
    );
    expect([why('https://trees.example/'), why('https://trees.example/', true)]).toEqual(['user_generated', null]);
    expect([why('https://someone.blogspot.com/'), why('https://someone.blogspot.com/', true)]).toEqual([
      'user_generated',
      null,
    ]);
    expect(why('https://www.youtube.com/watch?v=1')).toBeNull();
    expect(why('https://pins.example/', true)).toBe('deprecated');
  });
});

test('lists that a place has no more are forgotten, and those of places that are not read any more', () => {
  weigh(['mill.example', 'deprecated']);
  block('Spam', ['spam\\.example']);
  store.replace(WIKI, 'perennial', []);
  expect(status('https://mill.example/')).toBeNull();
  store.keepOnly(WIKI, ['perennial']);
  expect(store.lists(WIKI)).toEqual([]);
});
