/** WARC files that somebody gave us and that mean ill: what an installation believes of them, and what they cost. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createReader } from '../../workers/source/read.ts';
import { openSourceStore, type SourceStore } from '../../workers/source/store.ts';
import { importWarc } from '../../workers/source/warc.ts';
import { aCitation } from '../support/examples.ts';
import { startWeb, type Web } from '../support/web.ts';
import { compressEach, htmlRecord, record } from '../workers/retrieval/corpus/inputs/files.ts';
import { articlePage } from '../workers/source/pages.ts';

const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'hostile-warc-'));
const file = join(folder, 'given.warc.gz');
const LIE = articlePage.replaceAll('forty', 'ninety');
let store: SourceStore;
let web: Web;
beforeAll(async () => {
  web = await startWeb({
    '/ferry': (request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('etag', '"7"');
      if (request.headers['if-none-match'] === '"7"') response.writeHead(304).end();
      else response.end(articlePage);
    },
  });
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  store = await openSourceStore(':memory:');
});
afterEach(() => store.close());

test('a record that claims a page, with that page’s own version, is never taken for the page', async () => {
  writeFileSync(
    file,
    compressEach([
      await htmlRecord(`${web.origin}/ferry`, LIE, { ETag: '"7"', 'Last-Modified': 'Mon, 04 Mar 2024 00:00:00 GMT' }),
    ]),
  );
  expect(await importWarc(store.responses, file, signal)).toMatchObject({ responses: 1 });
  const settings = { userAgent: 'Test/1.0', allowLoopback: true, gateway: null, waybackUrl: 'http://127.0.0.1:9' };
  const reader = createReader(settings, { responses: store.responses });
  const source = await reader.read({ ...aCitation, url: `${web.origin}/ferry` }, signal);
  expect(source).toMatchObject({ kind: 'readable', text: expect.stringContaining('forty') });
});

test('a bomb is passed over, and what stands after it is read', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20));
  writeFileSync(
    file,
    compressEach([
      await htmlRecord('http://a.example/bomb', bomb, { 'Content-Encoding': 'gzip' }),
      await htmlRecord('http://a.example/next', articlePage),
    ]),
  );
  expect(await importWarc(store.responses, file, signal)).toMatchObject({ responses: 1, passedOver: 1, broken: null });
});

test('a file that unpacks to more than any record may have is passed over without being held', async () => {
  const endless = await record({ url: 'http://a.example/', type: 'response' }, Buffer.alloc(100 * 2 ** 20, 'x'));
  writeFileSync(file, compressEach([endless, await htmlRecord('http://a.example/next', articlePage)]));
  expect(await importWarc(store.responses, file, signal)).toMatchObject({ responses: 1, passedOver: 1 });
});

test('a length that lies breaks the file there, and nothing of it is believed', async () => {
  const honest = (await htmlRecord('http://a.example/', articlePage)).toString('latin1');
  const lying = Buffer.from(honest.replace(/^Content-Length: \d+/m, 'Content-Length: 99999999'), 'latin1');
  writeFileSync(file, gzipSync(lying));
  expect(await importWarc(store.responses, file, signal)).toMatchObject({ responses: 0, broken: 'truncated' });
});

test.each(['file:///etc/passwd', '../../etc/passwd', 'javascript:1', 'http://', 'urn:x', ''])(
  'a record of %j is none of a page, and names no file',
  async (url) => {
    const before = readdirSync(folder);
    writeFileSync(
      file,
      compressEach([await record({ url, type: 'response', filename: '../../escaped' }, 'HTTP/1.1 200 OK\r\n\r\nx')]),
    );
    expect(await importWarc(store.responses, file, signal)).toMatchObject({ responses: 0 });
    expect(readdirSync(folder).length - before.length).toBeLessThanOrEqual(1);
  },
);
