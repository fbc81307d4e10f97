import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Citation } from '../../../shared/citation.ts';
import { Source } from '../../../shared/citation.ts';
import { createReader, type ReaderSettings, readFileSource } from '../../../workers/source/read.ts';
import { aCitation } from '../../support/examples.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';
import { articlePage, page, pdf } from './pages.ts';

const signal = new AbortController().signal;
const send =
  (type: string, body: string | Buffer): Routes[string] =>
  (_, response) =>
    response.setHeader('content-type', type).end(body);

const PAGES: Routes = {
  '/ferry': articlePage,
  '/': articlePage,
  '/report.pdf': send('application/pdf', pdf([['The ferry was built in 1930.']])),
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

test.each([
  ['/report.pdf', 'pdf'],
  ['/notes.txt', 'text'],
])('%s is read as %s', async (path, type) => {
  expect(await readPath(path)).toMatchObject({ kind: 'readable', type, text: 'The ferry was built in 1930.' });
});

test.each([
  ['/missing', 'dead'],
  ['/moved', 'dead'],
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
  expect(await read({ url })).toMatchObject({ reason: 'dead' });
  archived[`/wayback/available?${new URLSearchParams({ url })}`] = '<p>Sorry</p>';
  expect(await read({ url })).toMatchObject({ reason: 'dead' });
});

test.each(['https://web.archive.org/web/2020/http://[bad', 'https://archive.today/2020/http://[bad'])(
  '%s is unavailable, not thrown at',
  async (url) => {
    const gateway = `http://127.0.0.1:${web.port}/no-gateway?url={url}`;
    expect(await read({ url, archiveUrl: url }, { gateway })).toMatchObject({ kind: 'unavailable', reason: 'dead' });
  },
);

test('an address without a scheme is read', async () => {
  const url = web.origin.replace('http:', '');
  expect(await read({ url })).toMatchObject({ url, reason: 'unreachable' }); // as https, which this server does not speak
});

test('an archive.today address that names its page is read from that page', async () => {
  const source = await read({ url: `https://archive.today/2020/${web.origin}/ferry` });
  expect(source).toMatchObject({ kind: 'readable', finalUrl: `${web.origin}/ferry` });
});

test('through a gateway addresses are asked for as they are cited, and a missing page by its cited copy', async () => {
  const url = 'https://ferry.example/gone';
  const archiveUrl = `https://web.archive.org/web/20200301120000/${url}`;
  const gateway = await startWeb({ [`/fetch?url=${encodeURIComponent(archiveUrl)}`]: articlePage });
  const changes = { gateway: `http://127.0.0.1:${gateway.port}/fetch?url={url}`, allowLoopback: false };
  expect(await read({ url, archiveUrl }, changes)).toMatchObject({ url, archivedAt: '2020-03-01T12:00:00.000Z' });
  expect(await read({ url: archiveUrl }, changes)).toMatchObject({ kind: 'readable', url: archiveUrl });
  expect(await read({ url }, changes)).toMatchObject({ kind: 'unavailable', reason: 'dead' });
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
