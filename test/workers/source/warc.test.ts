import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { WARCParser } from 'warcio';
import type { Citation, Source } from '../../../shared/citation.ts';
import { openWarc } from '../../../workers/retrieval/corpus/inputs/warc.ts';
import { readGiven } from '../../../workers/source/given.ts';
import { createOfflineReader, createReader } from '../../../workers/source/read.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { exportWarc, importWarc } from '../../../workers/source/warc.ts';
import { aCitation } from '../../support/examples.ts';
import { type Routes, startWeb, type Web } from '../../support/web.ts';
import { compressEach, htmlRecord, pagesOf, readAll, record } from '../retrieval/corpus/inputs/files.ts';
import { articlePage, page, pdf, prose } from './pages.ts';

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
const file = join(folder, 'seen.warc.gz');
const NOTHING = { url: null, since: null };
let web: Web;
let seen: SourceStore;
let empty: SourceStore;

const send =
  (type: string, body: string | Buffer): Routes[string] =>
  (_, response) =>
    response.setHeader('content-type', type).end(body);

/** Curly quotes and an accent, as windows-1252 has them. */
const latin = Buffer.from(page(prose.join('').replaceAll('The ferry', '\x93The caf\xe9\x94')), 'latin1');

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const packed = articlePage.replace('forty', 'eighty');
/** As servers send it that write UTF-8 into headers. */
const accent = (text: string) => Buffer.from(text).toString('latin1');

beforeAll(async () => {
  const routes: Routes = {
    '/ferry': articlePage,
    '/report.pdf': send('application/pdf', pdf([['The ferry was built in 1930.']])),
    '/cafe': send('text/html; charset=windows-1252', latin),
    '/gzip': (_, response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync(packed)),
    '/brotli': (_, response) => {
      // without a length it is sent in chunks
      response.writeHead(200, { ...HTML, 'content-encoding': 'br', 'content-md5': 'of what was sent' });
      response.write(brotliCompressSync(packed));
      response.end();
    },
    '/accent': (_, response) => response.writeHead(301, { location: accent('/café'), 'x-by': accent('é') }).end(),
    '/caf%C3%A9': articlePage.replace('forty', 'seventy'),
    '/old': (_, response) => response.writeHead(301, { location: '/older' }).end(),
    '/older': (_, response) => response.writeHead(302, { location: '/ferry?from=old' }).end(),
    '/ferry?from=old': articlePage.replace('forty', 'fifty'),
  };
  web = await startWeb(routes);
  const lost = `${web.origin}/lost`;
  const closest = { available: true, status: '200', timestamp: '20200301120000' };
  const query = new URLSearchParams({ url: lost, timestamp: '20200229' });
  routes[`/wayback/available?${query}`] = JSON.stringify({ archived_snapshots: { closest } });
  routes[`/web/20200301120000id_/${lost}`] = articlePage.replace('forty', 'sixty');
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  [seen, empty] = [await openSourceStore(':memory:'), await openSourceStore(':memory:')];
});
afterEach(async () => {
  await seen.close();
  await empty.close();
});

const settings = () => ({ gateway: null, allowLoopback: true, waybackUrl: web.origin, userAgent: 'Test/1.0' });
const cite = (path: string): Citation => ({ ...aCitation, url: web.origin + path, accessDate: '2020-02-29' });
const read = (path: string) => createReader(settings(), seen).read(cite(path), signal);
const repeat = (path: string) => createOfflineReader(settings(), empty.responses).read(cite(path), signal);

function timeless(source: Source): Omit<Source, 'fetchedAt'> {
  const { fetchedAt: _, ...rest } = source;
  return rest;
}

const PATHS = ['/ferry', '/report.pdf', '/cafe', '/old', '/lost', '/missing'];

test('what was seen is read the same in an empty installation: pages, PDFs, charsets, redirects, copies, and what was not there', async () => {
  const sources = await Promise.all(PATHS.map(read));
  expect(sources.map((source) => (source.kind === 'readable' ? source.type : source.reason))).toEqual([
    ...['html', 'pdf', 'html', 'html', 'html', 'not_found'],
  ]);
  expect(await exportWarc(seen.responses, file, NOTHING, signal)).toBeGreaterThanOrEqual(PATHS.length);
  web.requested.length = 0;
  await importWarc(empty.responses, file, signal);
  const repeated = await Promise.all(PATHS.map(repeat));
  expect(repeated.map(timeless)).toEqual(sources.map(timeless));
  expect(repeated[2]).toMatchObject({ text: expect.stringContaining('“The café” between') });
  expect(repeated[3]).toMatchObject({ finalUrl: `${web.origin}/ferry?from=old` });
  expect(repeated[4]).toMatchObject({ archivedAt: '2020-03-01T12:00:00.000Z' });
  expect(web.requested).toEqual([]);
});

test('the file is one that other readers of WARC files take', async () => {
  await Promise.all(['/ferry', '/report.pdf', '/old'].map(read));
  await exportWarc(seen.responses, file, NOTHING, signal);
  const pages = pagesOf(await readAll(openWarc(file)));
  expect(pages.map(({ url }) => url.slice(web.origin.length)).sort()).toEqual([
    ...['/ferry', '/ferry?from=old', '/report.pdf'],
  ]);
  const text = gunzipSync(readFileSync(file)).toString('latin1');
  expect(text).toMatch(/^WARC\/1\.1\r\n/);
  expect(text).toContain('HTTP/1.1 301 \r\nlocation: /older\r\n');
  expect(text).toMatch(/WARC-Payload-Digest: sha/);
});

test.each(['/gzip', '/brotli'])(
  '%s stands in the file unpacked, and its headers say so to any reader',
  async (path) => {
    const source = await read(path);
    await exportWarc(seen.responses, file, { ...NOTHING, url: web.origin + path }, signal);
    const records = WARCParser.iterRecords([readFileSync(file)]);
    const found = [];
    for await (const each of records) {
      if (each.warcType !== 'response') continue;
      const names = [...(each.httpHeaders?.headers.keys() ?? [])].map((name) => name.toLowerCase());
      const length = Number(each.httpHeaders?.headers.get('content-length'));
      found.push({ names, length, text: await each.contentText() });
    }
    expect(found).toEqual([{ names: expect.anything(), length: Buffer.byteLength(packed), text: packed }]);
    expect(found[0]?.names).toContain('content-type');
    for (const name of ['content-encoding', 'transfer-encoding', 'content-md5'])
      expect(found[0]?.names).not.toContain(name);
    await importWarc(empty.responses, file, signal);
    expect(timeless(await repeat(path))).toEqual(timeless(source));
    expect(source).toMatchObject({ text: expect.stringContaining('eighty') });
  },
);

test('a redirect to an address that was sent in UTF-8 is followed again', async () => {
  const source = await read('/accent');
  expect(source).toMatchObject({ finalUrl: `${web.origin}/caf%C3%A9`, text: expect.stringContaining('seventy') });
  await exportWarc(seen.responses, file, NOTHING, signal);
  await importWarc(empty.responses, file, signal);
  expect(timeless(await repeat('/accent'))).toEqual(timeless(source));
});

test('one page can be exported alone, with the copy that it was read from', async () => {
  await Promise.all(['/ferry', '/lost'].map(read));
  await exportWarc(seen.responses, file, { ...NOTHING, url: `${web.origin}/lost` }, signal);
  await importWarc(empty.responses, file, signal);
  expect(await repeat('/lost')).toMatchObject({ kind: 'readable', text: expect.stringContaining('sixty') });
  expect(await repeat('/ferry')).toMatchObject({ reason: 'unreachable' });
});

test('what came before a time can be left out', async () => {
  await read('/ferry');
  const since = new Date(Date.now() + 60_000).toISOString();
  expect(await exportWarc(seen.responses, file, { ...NOTHING, since }, signal)).toBe(0);
});

test('what a person gave is in no export', async () => {
  const citation = cite('/closed');
  const secret = { body: Buffer.from('The secret of the ferry.'), contentType: 'text/plain' };
  await seen.given.put(citation, await readGiven(citation, secret, Date.now()));
  await read('/ferry');
  expect(await exportWarc(seen.responses, file, NOTHING, signal)).toBe(1);
  expect(gunzipSync(readFileSync(file)).includes('secret')).toBe(false);
});

test('an older file never takes the place of what was read since', async () => {
  await read('/ferry');
  const old = await htmlRecord(`${web.origin}/ferry`, articlePage.replace('forty', 'ninety'));
  writeFileSync(file, compressEach([old]));
  await importWarc(seen.responses, file, signal);
  const source = await createOfflineReader(settings(), seen.responses).read(cite('/ferry'), signal);
  expect(source).toMatchObject({ text: expect.stringContaining('forty') });
});

test('a file with times to come does not stand in the way of what is read later', async () => {
  const future = await record(
    {
      url: `${web.origin}/ferry`,
      type: 'response',
      date: '2999-01-01T00:00:00Z',
      httpHeaders: { 'Content-Type': 'text/html' },
    },
    articlePage.replace('forty', 'ninety'),
  );
  writeFileSync(file, compressEach([future]));
  await importWarc(seen.responses, file, signal);
  await read('/ferry');
  const source = await createOfflineReader(settings(), seen.responses).read(cite('/ferry'), signal);
  expect(source).toMatchObject({ text: expect.stringContaining('forty') });
});

test('a file of a crawler is read: requests and oddities are passed over, redirects are joined where they lead', async () => {
  const url = 'http://ferry.example/';
  const records = [
    await record({ url, type: 'request', statusline: 'GET / HTTP/1.1', httpHeaders: { Host: 'ferry.example' } }),
    await record({ url, type: 'response', statusline: 'HTTP/1.1 301 Moved', httpHeaders: { Location: '/a' } }),
    await htmlRecord('http://ferry.example/a', articlePage),
    await record({
      url: `${url}lost`,
      type: 'response',
      statusline: 'HTTP/1.1 302 Found',
      httpHeaders: { Location: '/x' },
    }),
    await htmlRecord('http://ferry.example/b', articlePage),
    await record({ url: 'dns:ferry.example', type: 'response' }, 'text'),
  ];
  writeFileSync(file, compressEach(records));
  expect(await importWarc(empty.responses, file, signal)).toEqual({ responses: 2, passedOver: 2, broken: null });
  expect(await empty.responses.addresses(null)).toEqual([url, 'http://ferry.example/b']);
  expect(await empty.responses.get(url)).toMatchObject({
    finalUrl: 'http://ferry.example/a',
    redirects: [{ url, status: 301, location: '/a' }],
    receivedAt: '2024-03-05T06:07:08.000Z',
  });
});

test('a file that breaks off is read up to there, and said to be cut', async () => {
  await Promise.all(['/ferry', '/report.pdf'].map(read));
  await exportWarc(seen.responses, file, NOTHING, signal);
  truncateSync(file, readFileSync(file).length - 40);
  expect(await importWarc(empty.responses, file, signal)).toMatchObject({ responses: 1, broken: 'truncated' });
});
