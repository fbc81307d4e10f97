import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Citation } from '../../../shared/citation.ts';
import { Source } from '../../../shared/citation.ts';
import { createReader, type ReaderSettings, readFileSource } from '../../../workers/source/read.ts';
import { aCitation } from '../../support/examples.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';
import { articlePage, page, pdf, prose } from './pages.ts';

const signal = new AbortController().signal;
const send =
  (type: string, body: string | Buffer): Routes[string] =>
  (_, response) =>
    response.setHeader('content-type', type).end(body);

const TOLD =
  '<meta property="og:site_name" content="The Orrin Courier"><meta property="article:published_time" content="2019-03-12T09:00:00Z">' +
  '<link rel="canonical" href="/ferry">';
const TOLD_WRONG =
  `<meta property="og:site_name" content="${'Courier '.repeat(100)}"><meta name="date" content="2019-02-31">` +
  '<link rel="canonical" href="https://other.example/ferry">';

const PAGES: Routes = {
  '/ferry': articlePage,
  '/': articlePage,
  '/told': page(`<article><h1>The ferry</h1>${prose.join('')}</article>`, TOLD),
  '/told-wrong': page(prose.join(''), TOLD_WRONG),
  '/report.pdf': send('application/pdf', pdf([['The ferry was built in 1930.']])),
  '/two.pdf': send('application/pdf', pdf([['The ferry was built in 1930.'], ['It was sold in 1951.']])),
  '/scan.pdf': send('application/pdf', pdf([[]])),
  '/notes.txt': send('text/plain', 'The ferry was built in 1930.'),
  '/photo.jpg': send('image/jpeg', Buffer.from([0xff, 0xd8])),
  '/shell': page('<div id="root"></div><script src="app.js"></script>'),
  '/paywall': page('<p>The ferry…</p><div class="paywall">Join us</div>'),
  '/consent': page('<p>We use cookies. Accept them to go on.</p>'),
  '/members': (_, response) => response.writeHead(302, { location: '/login?next=members' }).end(),
  '/login?next=members': page('<form><input type="password"></form>'),
  '/moved': (_, response) => response.writeHead(301, { location: '/' }).end(),
  '/picture': page('<img src="ferry.jpg">'),
  '/forbidden': (_, response) => response.writeHead(403).end(),
  '/broken': (_, response) => response.writeHead(500).end(),
  '/robots.txt': send('text/plain', 'User-agent: *\nDisallow: /closed'),
  '/closed': articlePage,
  '/usurped': page('<p>Cheap watches.</p>'),
};

let web: Web;
let archive: Web;
const archived: Routes = {};
beforeAll(async () => {
  web = await startWeb(PAGES);
  archive = await startWeb(archived);
});
afterAll(() => Promise.all([web.close(), archive.close()]));
beforeEach(() => {
  for (const path of Object.keys(archived)) delete archived[path];
  web.requested.length = 0;
  archive.requested.length = 0;
});

const settings = (changes: Partial<ReaderSettings> = {}): ReaderSettings => ({
  gateway: null,
  allowLoopback: true,
  waybackUrl: archive.origin,
  userAgent: 'Test/1.0',
  limits: { totalMs: 3000, silenceMs: 300 },
  ...changes,
});

async function read(cited: Partial<Citation>, changes: Partial<ReaderSettings> = {}): Promise<Source> {
  const source = await createReader(settings(changes)).read({ ...aCitation, ...cited }, signal);
  return Source.parse(source);
}

const readPath = (path: string) => read({ url: web.origin + path });

/** The archive keeps `html` as the copy of `url`, and says so when asked for one near a date. */
function keep(url: string, timestamp: string, html: string, date?: string): void {
  const query = new URLSearchParams({ url, ...(date && { timestamp: date }) });
  const closest = { available: true, status: '200', timestamp };
  archived[`/wayback/available?${query}`] = JSON.stringify({ archived_snapshots: { closest } });
  archived[`/web/${timestamp}id_/${url}`] = html;
}

test('a page is read: its text, title, language and where it was found', async () => {
  const source = await readPath('/ferry');
  expect(source).toMatchObject({ kind: 'readable', url: `${web.origin}/ferry`, finalUrl: `${web.origin}/ferry` });
  expect(source).toMatchObject({ type: 'html', title: 'The ferry', language: 'en-GB', archivedAt: null });
});

test('what a page tells of itself is kept: its site, its day, its own address', async () => {
  const told = { site: 'The Orrin Courier', publishedAt: '2019-03-12' };
  expect(await readPath('/told')).toMatchObject({ ...told, canonicalUrl: `${web.origin}/ferry` });
  const url = `${web.origin}/missing`;
  keep(url, '20200301120000', page(prose.join(''), TOLD));
  expect(await read({ url })).toMatchObject({ ...told, canonicalUrl: `${web.origin}/ferry` });
});

test('what it tells that can’t be, or is too long, is left out or cut', async () => {
  const source = await readPath('/told-wrong');
  expect(source).toMatchObject({ kind: 'readable', site: 'Courier '.repeat(100).slice(0, 500).trim() });
  expect(source).not.toHaveProperty('publishedAt');
  expect(source).not.toHaveProperty('canonicalUrl');
});

test('a PDF tells where its pages begin, and what it calls them', async () => {
  const [first, second] = ['The ferry was built in 1930.', 'It was sold in 1951.'];
  expect(await readPath('/two.pdf')).toMatchObject({
    text: `${first} ${second}`,
    pages: [
      { start: 0, label: '' },
      { start: first.length + 1, label: '' },
    ],
  });
});

test.each([
  ['/report.pdf', 'pdf'],
  ['/notes.txt', 'text'],
])('%s is read as %s', async (path, type) => {
  expect(await readPath(path)).toMatchObject({ kind: 'readable', type, text: 'The ferry was built in 1930.' });
});

test.each([
  ['/missing', 'not_found'],
  ['/moved', 'not_found'],
  ['/forbidden', 'blocked'],
  ['/broken', 'unreachable'],
  ['/scan.pdf', 'scanned_pdf'],
  ['/photo.jpg', 'unsupported_type'],
  ['/picture', 'unsupported_type'],
  ['/shell', 'script_shell'],
  ['/paywall', 'paywall'],
  ['/consent', 'consent'],
  ['/members', 'login'],
  ['/closed', 'robots'],
])('%s is unavailable: %s', async (path, reason) => {
  expect(await readPath(path)).toMatchObject({ kind: 'unavailable', url: web.origin + path, reason });
});

test.each([
  [null, 'no_url'],
  ['ftp://ferry.example/a', 'invalid_url'],
  ['http://', 'invalid_url'],
  ['http://10.0.0.1/', 'refused_address'],
  ['https://archive.ph/AbCdE', 'blocked'],
])('%s is unavailable: %s', async (url, reason) => {
  expect(await read({ url })).toMatchObject({ kind: 'unavailable', url, reason });
});

test('a dead link is read from the copy nearest to when it was cited', async () => {
  const url = `${web.origin}/missing`;
  keep(url, '20200301120000', articlePage, '20200229');
  expect(await read({ url, accessDate: '2020-02-29' })).toMatchObject({
    kind: 'readable',
    url,
    finalUrl: `${archive.origin}/web/20200301120000/${url}`,
    archivedAt: '2020-03-01T12:00:00.000Z',
  });
});

test('a host that is gone is read from its copy', async () => {
  const gone = await startWeb({});
  await gone.close();
  keep(`${gone.origin}/a`, '20200301120000', articlePage);
  expect(await read({ url: `${gone.origin}/a` })).toMatchObject({ kind: 'readable' });
});

test('a copy that is cited is preferred to the nearest one, and to a page that the citation calls dead', async () => {
  const url = `${web.origin}/usurped`;
  keep(url, '20200301120000', articlePage);
  const archiveUrl = `https://web.archive.org/web/20200301120000/${url}`;
  const source = await read({ url, archiveUrl, urlStatus: 'usurped' });
  expect(source).toMatchObject({ kind: 'readable', archivedAt: '2020-03-01T12:00:00.000Z' });
  expect(archive.requested).toEqual([`/web/20200301120000id_/${url}`]);
  expect(web.requested).toEqual([]);
});

test('an archived address that is cited is read from the archive', async () => {
  const page = `${web.origin}/ferry`;
  keep(page, '20200301120000', articlePage);
  const url = `https://web.archive.org/web/20200301120000/${page}`;
  expect(await read({ url })).toMatchObject({ kind: 'readable', url, archivedAt: '2020-03-01T12:00:00.000Z' });
  expect(web.requested).toEqual([]);
});

test('a copy that redirects to another time has that time', async () => {
  const page = `${web.origin}/ferry`;
  archived[`/web/2020id_/${page}`] = (_, response) =>
    response.writeHead(302, { location: `/web/20200301120000id_/${page}` }).end();
  archived[`/web/20200301120000id_/${page}`] = articlePage;
  const source = await read({ url: `https://web.archive.org/web/2020/${page}` });
  expect(source).toMatchObject({ kind: 'readable', archivedAt: '2020-03-01T12:00:00.000Z' });
});

test('a copy of an error page is no source, and neither is an answer that is no JSON', async () => {
  const url = `${web.origin}/missing`;
  keep(
    url,
    '20200301120000',
    page('<p>Gone.</p>', '<meta charset="utf-8"><meta property="og:title" content="404 Not Found">'),
  );
  expect(await read({ url })).toMatchObject({ reason: 'not_found' });
  archived[`/wayback/available?${new URLSearchParams({ url })}`] = '<p>Sorry</p>';
  expect(await read({ url })).toMatchObject({ reason: 'not_found' });
});

test.each([
  ['https://web.archive.org/web/2020/http://[bad', 'not_found'],
  ['https://archive.today/2020/http://[bad', 'blocked'],
])('%s is unavailable, not thrown at', async (url, reason) => {
  const gateway = `http://127.0.0.1:${web.port}/no-gateway?url={url}`;
  expect(await read({ url, archiveUrl: url }, { gateway })).toMatchObject({ kind: 'unavailable', reason });
});

test('an address without a scheme is read', async () => {
  const url = web.origin.replace('http:', '');
  expect(await read({ url })).toMatchObject({ url, reason: 'unreachable' }); // as https, which this server does not speak
});

test('an archive.today address that names its page is read from that page', async () => {
  const source = await read({ url: `https://archive.today/2020/${web.origin}/ferry` });
  expect(source).toMatchObject({ kind: 'readable', finalUrl: `${web.origin}/ferry` });
});

test.each(['https://archive.ph/AbCdE', 'https://web.archive.org/web/2020/https://archive.is/AbCdE'])(
  'a page that redirects to %s is not followed there',
  async (location) => {
    const sender = await startWeb({ '/short': (_, response) => response.writeHead(302, { location }).end() });
    const url = `${sender.origin}/short`;
    expect(await read({ url })).toMatchObject({ reason: 'blocked', detail: 'archive.today is not read' });
    await sender.close();
  },
);

test('a copy in archive.today is passed over for the nearest one', async () => {
  const url = `${web.origin}/missing`;
  keep(url, '20200301120000', articlePage);
  const source = await read({ url, archiveUrl: `https://archive.ph/2020/${url}`, urlStatus: 'dead' });
  expect(source).toMatchObject({ kind: 'readable', archivedAt: '2020-03-01T12:00:00.000Z' });
});

test('a copy in another archive is read as it is given, and dated where the archive says of when it is', async () => {
  const url = `${web.origin}/missing`;
  const cited = async (path: string) => read({ url, archiveUrl: archive.origin + path, urlStatus: 'dead' });
  archived['/abc123'] = articlePage;
  archived['/memento'] = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'memento-datetime': 'Sun, 04 Mar 2012 05:06:07 GMT' })
      .end(articlePage);
  archived[`/all/20120304050607/${url}`] = articlePage;
  const finalUrl = `${archive.origin}/abc123`;
  expect(await cited('/abc123')).toMatchObject({ kind: 'readable', url, finalUrl, archivedAt: null });
  const archivedAt = '2012-03-04T05:06:07.000Z';
  expect(await cited('/memento')).toMatchObject({ kind: 'readable', archivedAt });
  expect(await cited(`/all/20120304050607/${url}`)).toMatchObject({ kind: 'readable', archivedAt });
});

test('where the nearest copy is one of an error, the nearest page is found in the index', async () => {
  const url = `${web.origin}/missing`;
  const closest = { available: true, status: '404', timestamp: '20200301120000' };
  archived[`/wayback/available?${new URLSearchParams({ url, timestamp: '20200229' })}`] = JSON.stringify({
    archived_snapshots: { closest },
  });
  const query = { url, fl: 'timestamp', filter: 'statuscode:200', sort: 'closest', closest: '20200229', limit: '1' };
  archived[`/cdx/search/cdx?${new URLSearchParams(query)}`] = '20190708091011\n';
  archived[`/web/20190708091011id_/${url}`] = articlePage;
  const source = await read({ url, accessDate: '2020-02-29' });
  expect(source).toMatchObject({ kind: 'readable', archivedAt: '2019-07-08T09:10:11.000Z' });
});

test('an archive that says it is asked too often is left alone', async () => {
  const [one, other] = [`${web.origin}/missing`, `${web.origin}/missing-too`];
  keep(other, '20200301120000', articlePage);
  archived[`/wayback/available?${new URLSearchParams({ url: one })}`] = (_, response) =>
    response.writeHead(429, { 'retry-after': '3600' }).end();
  const reader = createReader(settings());
  const sources = [];
  for (const url of [one, other]) sources.push(await reader.read({ ...aCitation, url }, signal));
  expect(sources).toMatchObject([{ reason: 'not_found' }, { reason: 'not_found' }]);
  expect(archive.requested).toHaveLength(1);
});

test('a page that its citation calls dead and that no archive has is read if it is there', async () => {
  const url = `${web.origin}/ferry`;
  expect(await read({ url, urlStatus: 'dead' })).toMatchObject({ kind: 'readable', archivedAt: null });
  expect(await read({ url, urlStatus: 'usurped' })).toMatchObject({ kind: 'unavailable', reason: 'not_found' });
});

test('through a gateway addresses are asked for as they are cited, and a missing page by its cited copy', async () => {
  const url = 'https://ferry.example/gone';
  const archiveUrl = `https://web.archive.org/web/20200301120000/${url}`;
  const gateway = await startWeb({ [`/fetch?url=${encodeURIComponent(archiveUrl)}`]: articlePage });
  const changes = { gateway: `http://127.0.0.1:${gateway.port}/fetch?url={url}`, allowLoopback: false };
  expect(await read({ url, archiveUrl }, changes)).toMatchObject({ url, archivedAt: '2020-03-01T12:00:00.000Z' });
  expect(await read({ url: archiveUrl }, changes)).toMatchObject({ kind: 'readable', url: archiveUrl });
  expect(await read({ url }, changes)).toMatchObject({ kind: 'unavailable', reason: 'not_found' });
  await gateway.close();
  expect(archive.requested).toEqual([]);
});

test('a file is read by what it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-'));
  const files = {
    'a.html': articlePage,
    'b.pdf': pdf([['The ferry was built in 1930.']]),
    'c.txt': 'Built in 1930.',
    'd.txt': '',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const read = async (name: string) => Source.parse(await readFileSource(join(folder, name)));
  expect(await read('a.html')).toMatchObject({ kind: 'readable', type: 'html', title: 'The ferry' });
  expect(await read('b.pdf')).toMatchObject({ kind: 'readable', type: 'pdf' });
  expect(await read('c.txt')).toMatchObject({ kind: 'readable', type: 'text', text: 'Built in 1930.' });
  expect(await read('d.txt')).toMatchObject({ kind: 'unavailable', reason: 'unsupported_type' });
  await rm(folder, { recursive: true });
});
