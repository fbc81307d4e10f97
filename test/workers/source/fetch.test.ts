import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { TransientError } from '../../../shared/errors.ts';
import { createFetch, type FetchSettings } from '../../../workers/source/fetch.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';

const LIMITS = { totalMs: 5000, silenceMs: 200, bodyBytes: 50_000, redirects: 5 };
const settings: FetchSettings = { userAgent: 'Test/1.0', allowLoopback: true, gateway: null, limits: LIMITS };
const never = new AbortController().signal;

const redirect = (location: string) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(302, { location }).end();

const ROUTES: Routes = {
  '/page': '<p>here</p>',
  '/agent': (request, response) => response.end(request.headers['user-agent']),
  '/to-page': redirect('/page'),
  '/loop': redirect('/loop'),
  '/to-file': redirect('file:///etc/hostname'),
  '/to-nowhere': redirect('http://:bad'),
  '/silent': () => undefined,
  '/silent-body': (_, response) => void response.writeHead(200).write('some'),
  '/short': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('only this');
    response.socket?.end();
  },
  '/drip': (_, response) => drip(response),
  '/endless': (_, response) => pour(response),
  '/gzip': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('unpacked')),
  '/brotli': (_, response) => response.setHeader('content-encoding', 'br').end(brotliCompressSync('unpacked')),
  '/no-gzip': (_, response) => response.setHeader('content-encoding', 'gzip').end('this was never packed'),
  '/bomb': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000))),
};
for (const [index, host] of ['10.0.0.1', '[::ffff:10.0.0.1]', '169.254.169.254', '167772161', '012.0.0.1'].entries()) {
  ROUTES[`/private-${index}`] = redirect(`http://${host}/`);
}

let web: Web;
beforeAll(async () => {
  web = await startWeb(ROUTES);
});
afterAll(() => web.close());

const get = (path: string, changes: Partial<FetchSettings> = {}) =>
  createFetch({ ...settings, ...changes })(`${web.origin}${path}`, { signal: never });

test('a page is fetched under a name under localhost, with a name of our own', async () => {
  const outcome = await get('/agent');
  expect(outcome).toMatchObject({ kind: 'response', status: 200, finalUrl: `${web.origin}/agent` });
  expect(outcome.kind === 'response' && outcome.body.toString()).toBe('Test/1.0');
});

test('a redirect is followed and its target is the final address', async () => {
  expect(await get('/to-page')).toMatchObject({ kind: 'response', finalUrl: `${web.origin}/page` });
});

test.each([
  ['/loop', 'too_many_redirects'],
  ['/to-file', 'refused_address'],
  ['/to-nowhere', 'refused_address'],
  ['/private-0', 'refused_address'],
  ['/private-1', 'refused_address'],
  ['/private-2', 'refused_address'],
  ['/private-3', 'refused_address'],
  ['/private-4', 'refused_address'],
  ['/silent', 'timeout'],
  ['/silent-body', 'timeout'],
  ['/endless', 'too_large'],
  ['/bomb', 'too_large'],
  ['/short', 'truncated'],
  ['/no-gzip', 'truncated'],
])('%s gives %s', async (path, reason) => {
  expect(await get(path)).toMatchObject({ kind: 'unavailable', reason });
});

test('a server that never falls silent is still bounded in time', async () => {
  expect(await get('/drip', { limits: { ...LIMITS, totalMs: 300 } })).toMatchObject({ reason: 'timeout' });
});

test.each(['/gzip', '/brotli'])('%s is unpacked', async (path) => {
  const outcome = await get(path);
  expect(outcome.kind === 'response' && outcome.body.toString()).toBe('unpacked');
});

test('loopback is refused unless it is allowed, by name and by number', async () => {
  const closed = { allowLoopback: false };
  expect(await get('/page', closed)).toMatchObject({ reason: 'refused_address' });
  const byNumber = createFetch({ ...settings, ...closed })(`http://127.0.0.1:${web.port}/page`, { signal: never });
  expect(await byNumber).toMatchObject({ reason: 'refused_address' });
});

test('a host that nobody listens on is unreachable', async () => {
  const gone = await startWeb({});
  await gone.close();
  const outcome = await createFetch(settings)(gone.origin, { signal: never });
  expect(outcome).toEqual({ kind: 'unavailable', reason: 'unreachable', detail: 'ECONNREFUSED' });
});

test.each(['/silent', '/drip'])(
  "the caller's abort of %s is thrown, since it says nothing about the page",
  async (path) => {
    const stop = new AbortController();
    const fetching = createFetch(settings)(`${web.origin}${path}`, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(fetching).rejects.toThrow(TransientError);
  },
);

test('a gateway is asked for every page, on loopback too, and its answer says where the page was', async () => {
  const cited = 'https://example.org/a?b=1#:~:text=c';
  const gateway = await startWeb({
    [`/fetch?url=${encodeURIComponent(cited)}`]: (_, response) =>
      response.setHeader('x-final-url', 'https://example.org/final').end('recorded'),
  });
  const fetch = createFetch({
    ...settings,
    allowLoopback: false,
    gateway: `http://127.0.0.1:${gateway.port}/fetch?url={url}`,
  });
  expect(await fetch(cited, { signal: never })).toMatchObject({ finalUrl: 'https://example.org/final', status: 200 });
  expect(await fetch('https://example.org/other', { signal: never })).toMatchObject({ status: 404 });
  await gateway.close();
});

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write('x'.repeat(1000), () => pour(response));
}
