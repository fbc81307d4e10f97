import { Busy } from '../../../shared/errors.ts';
import { hashCitation } from '../../../shared/hash.ts';
import type { Next } from '../../../shared/pipeline.ts';
import { createReader } from '../../../workers/source/read.ts';
import { retestLinks } from '../../../workers/source/retest.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';
import { articlePage } from './pages.ts';

const DAY = 24 * 3600 * 1000;
const signal = new AbortController().signal;
const routes: Routes = {};
let web: Web;
let store: SourceStore;
let now: number;
let logged: unknown[];
let published: Next[];

beforeEach(async () => {
  web = await startWeb(routes);
  for (const path of Object.keys(routes)) delete routes[path];
  store = await openSourceStore(':memory:');
  now = Date.parse('2026-03-01T00:00:00Z');
  logged = [];
  published = [];
});
afterEach(async () => {
  await store.close();
  await web.close();
});

function dependencies() {
  const settings = { gateway: null, allowLoopback: true, waybackUrl: web.origin, userAgent: 'Test/1.0' };
  const publish = async (next: readonly Next[]) => void published.push(...next);
  const log = { info: (line: unknown) => void logged.push(line), warn: () => undefined };
  return { reader: createReader(settings, { ...store, now: () => now }), store, publish, log };
}

const retest = (limit = 10) => retestLinks(dependencies(), { limit, now }, signal);

test('a link that fails is looked at again until it is known as dead, and every week from then on', async () => {
  const url = `${web.origin}/gone`;
  await dependencies().reader.look(url, signal);
  const looks: [number, string][] = [];
  for (let day = 1; day <= 20; day += 1) {
    now += DAY;
    if ((await retest()) > 0) looks.push([day, (await store.links.get(url)).state]);
  }
  expect(looks).toEqual([
    [2, 'failing'],
    [4, 'dead'],
    [11, 'dead'],
    [18, 'dead'],
  ]);
  expect(logged[1]).toEqual({ url, before: 'failing', state: 'dead', reason: 'not_found' });
});

test('a dead link that robots.txt keeps us from by now is not tried more often for it', async () => {
  const url = `${web.origin}/gone`;
  await dependencies().reader.look(url, signal);
  for (const days of [2, 2]) {
    now += days * DAY;
    await retest();
  }
  routes['/robots.txt'] = 'User-agent: *\nDisallow: /';
  now += 7 * DAY;
  expect(await retest()).toBe(1);
  expect(await store.links.get(url)).toMatchObject({ state: 'dead', failures: 3 });
  now += 6 * DAY;
  expect(await retest()).toBe(0);
});

test('a page that is there again is stored, and its link is live', async () => {
  const url = `${web.origin}/back`;
  await dependencies().reader.look(url, signal);
  routes['/back'] = articlePage;
  now += 2 * DAY;
  expect(await retest()).toBe(1);
  expect(await store.get(hashCitation({ url, text: '' }))).toMatchObject({ kind: 'readable', title: 'The ferry' });
  expect(await store.links.get(url)).toMatchObject({ state: 'live', failures: 0 });
  const citation = hashCitation({ url, text: '' });
  expect(published).toMatchObject([{ stage: 'review', input: { kind: 'source_back', citation } }]);
  now += 30 * DAY;
  expect(await retest()).toBe(0);
});

test('no more links are looked at than are asked for, and one whose host is busy waits for the next round', async () => {
  const { reader, publish, log } = dependencies();
  for (const path of ['/a', '/b', '/c']) await reader.look(web.origin + path, signal);
  now += 2 * DAY;
  const busy = { look: () => Promise.reject(new Busy('busy', 1000)) };
  expect(await retestLinks({ reader: busy, store, publish, log }, { limit: 1, now }, signal)).toBe(0);
  expect(await retest(10)).toBe(2);
  now += 2 * 3600 * 1000;
  expect(await retest(10)).toBe(1);
});
