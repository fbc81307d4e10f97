import type { Citation, Source } from '../../../shared/citation.ts';
import { createReader, type LinkReader } from '../../../workers/source/read.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { aCitation } from '../../support/examples.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';
import { articlePage, page } from './pages.ts';

const DAY = 24 * 3600 * 1000;
const signal = new AbortController().signal;
const routes: Routes = {};
let web: Web;
let archive: Web;
let store: SourceStore;
let reader: LinkReader;
let now: number;

beforeAll(async () => {
  [web, archive] = await Promise.all([startWeb(routes), startWeb({})]);
});
afterAll(() => Promise.all([web.close(), archive.close()]));
beforeEach(async () => {
  for (const path of Object.keys(routes)) delete routes[path];
  web.requested.length = 0;
  now = Date.parse('2026-03-01T00:00:00Z');
  store = await openSourceStore(':memory:');
  const settings = { gateway: null, allowLoopback: true, waybackUrl: archive.origin, userAgent: 'Test/1.0' };
  reader = createReader(settings, { ...store, now: () => now });
});
afterEach(() => store.close());

function read(path: string, cited: Partial<Citation> = {}): Promise<Source> {
  return reader.read({ ...aCitation, url: web.origin + path, ...cited }, signal);
}

/** Reasons at looks that many days after the first. */
async function reasonsOn(path: string, ...days: number[]) {
  const start = now;
  const reasons: (string | null)[] = [];
  for (const day of days) {
    now = start + day * DAY;
    const source = await read(path);
    reasons.push(source.kind === 'readable' ? null : source.reason);
  }
  return reasons;
}

test('a page is not found until it has failed three times in three days; then it is dead, and left alone for a week', async () => {
  expect(await reasonsOn('/gone', 0, 1, 2.9, 3, 5, 9.9)).toEqual([
    ...['not_found', 'not_found', 'not_found', 'dead'],
    ...['dead', 'dead'],
  ]);
  expect(web.requested).toHaveLength(4);
  now += DAY;
  routes['/gone'] = articlePage;
  expect(await read('/gone')).toMatchObject({ kind: 'readable' });
  delete routes['/gone'];
  expect(await reasonsOn('/gone', 1, 2)).toEqual(['not_found', 'not_found']);
});

test('a site that says when to come back is not asked before, and is never dead for it', async () => {
  routes['/busy'] = (_, response) => response.writeHead(429, { 'retry-after': String(4 * 24 * 3600) }).end();
  expect(await reasonsOn('/busy', 0, 1, 3.9)).toEqual(['blocked', 'blocked', 'blocked']);
  expect(web.requested).toHaveLength(1);
  expect(await read('/busy')).toMatchObject({ detail: 'not asked before 2026-03-05T00:00:00.000Z' });
  expect(await reasonsOn('/busy', 0.1, 5, 10, 15)).toEqual(['blocked', 'blocked', 'blocked', 'blocked']);
  expect(await store.links.get(`${web.origin}/busy`)).toMatchObject({ state: 'blocked', failures: 0 });
});

test('what robots.txt keeps us from says nothing of the page', async () => {
  routes['/robots.txt'] = 'User-agent: *\nDisallow: /';
  expect(await reasonsOn('/closed', 0, 3, 6, 9)).toEqual(['robots', 'robots', 'robots', 'robots']);
  expect((await store.links.get(`${web.origin}/closed`)).state).toBe('unknown');
});

test('a page that a person calls live is read though it looks like a paywall, until it changes', async () => {
  const teaser = (text: string) => page(`<p>${text}</p><div class="paywall">Join us</div>`);
  routes['/offer'] = teaser('The ferry was built in 1930.');
  expect(await read('/offer')).toMatchObject({ reason: 'paywall' });
  await store.links.correct(`${web.origin}/offer`, 'live', 'it is all there', now);
  expect(await read('/offer')).toMatchObject({ kind: 'readable', title: 'The ferry' });
  routes['/offer'] = teaser('The ferry…');
  expect(await read('/offer')).toMatchObject({ reason: 'paywall' });
});

test('a page that a person calls a paywall is not read, until it changes', async () => {
  routes['/long'] = articlePage;
  expect(await read('/long')).toMatchObject({ kind: 'readable' });
  await store.links.correct(`${web.origin}/long`, 'paywall', '', now);
  expect(await read('/long')).toMatchObject({ reason: 'paywall', detail: 'a person says so' });
  routes['/long'] = articlePage.replace('forty thousand', 'fifty thousand');
  expect(await read('/long')).toMatchObject({ kind: 'readable' });
});

test('a page that a person calls dead is read from a copy and not asked for, until that is taken back', async () => {
  routes['/parked'] = articlePage;
  const url = `${web.origin}/parked`;
  await store.links.correct(url, 'dead', 'sold', now);
  expect(await read('/parked')).toMatchObject({ reason: 'dead' });
  expect(web.requested).toEqual([]);
  await store.links.correct(url, 'clear', '', now);
  expect(await read('/parked')).toMatchObject({ kind: 'readable' });
});

test('links that are due are taken once, the longest due first', async () => {
  await reasonsOn('/a', 0);
  now += DAY;
  await read('/b');
  routes['/live'] = articlePage;
  await read('/live');
  expect(await store.links.takeDue(10, now)).toEqual([]);
  now += 2 * DAY;
  expect(await store.links.takeDue(1, now)).toEqual([`${web.origin}/a`]);
  expect(await store.links.takeDue(10, now)).toEqual([`${web.origin}/b`]);
  expect(await store.links.takeDue(10, now)).toEqual([]);
});

test('links are counted and listed by state, those that a person corrected apart', async () => {
  routes['/live'] = articlePage;
  await Promise.all(['/live', '/gone', '/sold'].map((path) => read(path)));
  await store.links.correct(`${web.origin}/sold`, 'dead', 'a shop', now);
  expect(await store.links.counts()).toMatchObject({ live: 1, failing: 1, corrected: 1 });
  const [sold] = await store.links.list({ state: 'corrected', limit: 5 });
  expect(sold).toMatchObject({ url: `${web.origin}/sold`, health: { correction: { state: 'dead', note: 'a shop' } } });
  expect(await store.links.list({ limit: 5 })).toHaveLength(3);
});
