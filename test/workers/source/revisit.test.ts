import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Source } from '../../../shared/citation.ts';
import { createOfflineReader, createReader } from '../../../workers/source/read.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { aCitation } from '../../support/examples.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';
import { articlePage, page, prose } from './pages.ts';

const signal = new AbortController().signal;
const routes: Routes = {};
const conditions: (string | undefined)[] = [];
let web: Web;
let store: SourceStore;
let now = Date.parse('2026-03-01T00:00:00Z');

beforeAll(async () => {
  web = await startWeb(routes);
});
afterAll(() => web.close());
beforeEach(async () => {
  for (const path of Object.keys(routes)) delete routes[path];
  conditions.length = 0;
  web.requested.length = 0;
  store = await openSourceStore(':memory:');
});
afterEach(() => store.close());

const settings = () => ({ gateway: null, allowLoopback: true, waybackUrl: web.origin, userAgent: 'Test/1.0' });

async function read(path: string, offline = false): Promise<Source> {
  now += 60_000;
  const citation = { ...aCitation, url: web.origin + path };
  if (offline) return createOfflineReader(settings(), store.responses).read(citation, signal);
  return createReader(settings(), { responses: store.responses, now: () => now }).read(citation, signal);
}

/** Answers 304 to whoever knows this version. */
function versioned(html: string, version: Record<string, string>) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const condition = request.headers['if-none-match'] ?? request.headers['if-modified-since'];
    conditions.push(condition);
    if (condition !== undefined && Object.values(version).includes(condition)) response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': 'text/html', ...version }).end(html);
  };
}

test.each([
  ['an ETag', { etag: '"v1"' }, '"v1"'],
  ['a time', { 'last-modified': 'Sun, 01 Feb 2026 00:00:00 GMT' }, 'Sun, 01 Feb 2026 00:00:00 GMT'],
])(
  'a page with %s is asked whether it has changed; where it has not, its text and hash stay',
  async (_, version, sent) => {
    routes['/page'] = versioned(articlePage, version);
    const [first, second] = [await read('/page'), await read('/page')];
    expect(conditions).toEqual([undefined, sent]);
    const { fetchedAt: before, ...source } = first;
    expect(second).toMatchObject(source);
    expect(Date.parse(second.fetchedAt)).toBeGreaterThanOrEqual(Date.parse(before));
    routes['/page'] = versioned(articlePage.replace('forty', 'fifty'), { etag: '"v2"' });
    expect(await read('/page')).toMatchObject({ text: expect.stringContaining('fifty thousand') });
  },
);

test('a page that names no version is fetched anew', async () => {
  routes['/page'] = versioned(articlePage, {});
  await read('/page');
  await read('/page');
  expect(conditions).toEqual([undefined, undefined]);
});

test('a redirect that leads to another page since, whose version has the same name, is read anew', async () => {
  const to = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(302, { location }).end();
  routes['/new'] = versioned(articlePage.replaceAll('ferry', 'tram'), { etag: '"1"' });
  routes['/old'] = versioned(articlePage, { etag: '"1"' });
  routes['/moved'] = to('/old');
  await read('/moved');
  routes['/moved'] = to('/new');
  const source = await read('/moved');
  expect(source).toMatchObject({ finalUrl: `${web.origin}/new`, text: expect.stringContaining('The tram') });
});

test('what was fetched is read again without asking anybody, redirects included, and nothing else is', async () => {
  routes['/old'] = articlePage;
  routes['/moved'] = (_, response) => response.writeHead(301, { location: '/old' }).end();
  const seen = await read('/moved');
  await read('/missing');
  web.requested.length = 0;
  const { fetchedAt: _, ...source } = seen;
  expect(await read('/moved', true)).toMatchObject(source);
  expect(await read('/missing', true)).toMatchObject({ reason: 'not_found', detail: 'HTTP 404' });
  expect(await read('/never', true)).toMatchObject({ reason: 'unreachable', detail: 'not kept here' });
  expect(web.requested).toEqual([]);
});

test('an error never takes the place of the page that was read', async () => {
  routes['/page'] = articlePage;
  const seen = await read('/page');
  routes['/page'] = (_, response) => response.writeHead(503).end();
  expect(await read('/page')).toMatchObject({ reason: 'unreachable' });
  expect(await read('/page', true)).toMatchObject({ contentHash: seen.kind === 'readable' && seen.contentHash });
});

test('responses are kept up to a number of bytes, those that were used last', async () => {
  await store.close();
  store = await openSourceStore(':memory:', { keepBytes: 6000 });
  const noise = (seed: number) => Array.from({ length: 1200 }, (_, at) => ((at * seed) % 9973).toString(36)).join(' ');
  for (const path of ['/1', '/2', '/3']) {
    routes[path] = page(`${prose.join('')}<p>${noise(7 + Number(path.slice(1)))}</p>`);
    await read(path);
  }
  const kept = await store.responses.addresses(null);
  expect(kept).toContain(`${web.origin}/3`);
  expect(kept.length).toBeLessThan(3);
  expect(await read('/1', true)).toMatchObject({ reason: 'unreachable' });
});
