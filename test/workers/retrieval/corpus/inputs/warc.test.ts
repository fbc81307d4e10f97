import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { openWarc } from '../../../../../workers/retrieval/corpus/inputs/warc.ts';
import { articlePage, page, pdf, prose } from '../../../source/pages.ts';
import { compressEach, htmlRecord, outline, pagesOf, readAll, record, textRecord, writePieces } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const url = 'https://ferry.example/history';
const sentence = 'The ferry between Orrin Bay and the outer islands carried more than forty thousand passengers.';

test('a page that was sent is read as the product reads a source, with the day of its crawl', async () => {
  const published = page(prose.join(''), '<meta property="article:published_time" content="2019-08-07T06:00:00Z">');
  const records = [
    await record({ type: 'warcinfo', filename: 'a.warc' }, 'software: none\r\n'),
    await record({ url, type: 'request', statusline: 'GET /history HTTP/1.1', httpHeaders: { Host: 'ferry.example' } }),
    await htmlRecord(url, published),
    await record(
      { url: `${url}.pdf`, type: 'response', httpHeaders: { 'Content-Type': 'application/pdf' } },
      pdf([['The ferry report of 1931', sentence]]),
    ),
    await record({ url: `${url}.txt`, type: 'response', httpHeaders: { 'Content-Type': 'text/plain' } }, sentence),
  ];
  for (const [name, content] of [
    ['a.warc', Buffer.concat(records)],
    ['a.warc.gz', compressEach(records)],
  ] as const) {
    const entries = await readAll(openWarc(file(name, content)));
    expect(outline(entries)).toEqual(['3 page', '4 page', '5 page']);
    const [html, report, text] = pagesOf(entries);
    expect(html).toMatchObject({ url, title: 'The ferry', language: 'en-GB', publishedAt: '2019-08-07' });
    expect(html).toMatchObject({ crawledAt: '2024-03-05T06:07:08.000Z' });
    expect(html?.text.split('\n')).toHaveLength(30);
    expect(report).toMatchObject({ title: 'Ferry report', publishedAt: null });
    expect(text).toMatchObject({ url: `${url}.txt`, text: sentence, language: 'en' });
  }
});

test('a text of a WET file is a page whose first line is its title, in the language that was identified', async () => {
  const wet = [
    await record({ type: 'warcinfo', filename: 'a.warc.wet.gz' }, 'software: none\r\n'),
    await textRecord('http://hafen.example/', 'Der Hafen\nDer Hafen wurde 1931 gebaut.\nEr liegt am Fluss.', 'deu,eng'),
    await textRecord('http://hafen.example/a', 'One line only'),
  ];
  const [hafen, line] = pagesOf(await readAll(openWarc(file('a.warc.wet.gz', compressEach(wet)))));
  expect(hafen).toMatchObject({ title: 'Der Hafen', text: 'Der Hafen wurde 1931 gebaut.\nEr liegt am Fluss.' });
  expect(hafen).toMatchObject({ url: 'http://hafen.example/', language: 'de', publishedAt: null });
  expect(line).toMatchObject({ title: '', text: 'One line only' });
});

test('redirects, errors, images and records of other kinds are no entries', async () => {
  const records = [
    await record({ url, type: 'response', statusline: 'HTTP/1.1 301 Moved', httpHeaders: { Location: '/b' } }),
    await record({ url, type: 'response', statusline: 'HTTP/1.1 404 Not Found' }, articlePage),
    await record({ url, type: 'response', httpHeaders: { 'Content-Type': 'image/png' } }, 'png'),
    await record(
      { url: 'dns:ferry.example', type: 'response', warcHeaders: { 'Content-Type': 'text/dns' } },
      '10.0.0.1',
    ),
    await record({ url, type: 'metadata' }, 'fetchTimeMs: 120\r\n'),
    await record({ url, type: 'revisit' }),
    await htmlRecord(url, articlePage),
  ];
  expect(outline(await readAll(openWarc(file('other.warc', Buffer.concat(records)))))).toEqual(['7 page']);
});

test('a page is read though it was sent in chunks or compressed, and though only the header says so', async () => {
  const html = Buffer.from(articlePage);
  const chunks = Buffer.concat([Buffer.from(`${html.length.toString(16)}\r\n`), html, Buffer.from('\r\n0\r\n\r\n')]);
  const records = await Promise.all([
    htmlRecord(url, html),
    htmlRecord(url, chunks, { 'Transfer-Encoding': 'chunked' }),
    htmlRecord(url, gzipSync(html), { 'Content-Encoding': 'gzip' }),
    htmlRecord(url, brotliCompressSync(html), { 'Content-Encoding': 'br' }),
    htmlRecord(url, html, { 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' }),
  ]);
  const pages = pagesOf(await readAll(openWarc(file('encoded.warc.gz', compressEach(records)))));
  expect(pages).toHaveLength(5);
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
});

test('a broken record is named by its number, address and code, and the records after it are read', async () => {
  const good = await htmlRecord(url, articlePage);
  const records = [
    await record({ type: 'response', httpHeaders: { 'Content-Type': 'text/html' } }, articlePage),
    await htmlRecord('whois://ferry.example', articlePage),
    await htmlRecord(url, ''),
    await htmlRecord(url, page('<form><input type="password"></form><p>Sign in to read on.</p>')),
    await record({ url, type: 'response', httpHeaders: { 'Content-Type': 'application/pdf' } }, '%PDF-1.4 nothing'),
    Buffer.from(good.toString().replace(/HTTP\/1\.1 200 OK/, 'SIP-  2.0 200 OK')),
    Buffer.from(good.toString().replace(/Content-Length: \d+/, 'Content-Length: many')),
    good,
  ];
  const entries = await readAll(openWarc(file('broken.warc', Buffer.concat(records))));
  expect(outline(entries)).toEqual([
    '1 no_url',
    '2 bad_url',
    '3 no_text',
    '4 unreadable',
    '5 unreadable',
    '6 bad_fields',
    '7 bad_fields',
    '8 page',
  ]);
  expect(entries[3]).toMatchObject({ detail: `record 4 (${url}): login` });
});

test('a record whose length is wrong costs no record after it', async () => {
  const good = await htmlRecord(url, articlePage);
  const short = Buffer.from(good.toString().replace(/Content-Length: \d+/, 'Content-Length: 900'));
  const entries = await readAll(openWarc(file('short.warc', Buffer.concat([good, short, good]))));
  expect(entries.at(-1)).toMatchObject({ kind: 'page', position: 4 });
  expect(outline(entries)).toContain('3 bad_fields');
});

test('a record that is too large once it is decompressed is passed over', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, '<p>a</p>'));
  const records = [await htmlRecord(url, bomb, { 'Content-Encoding': 'gzip' }), await htmlRecord(url, articlePage)];
  expect(outline(await readAll(openWarc(file('bomb.warc', Buffer.concat(records)))))).toEqual([
    '1 too_large',
    '2 page',
  ]);
});

test('where a file breaks off, the records before it are read, and the place is named', async () => {
  const records = await Promise.all([1, 2, 3].map((at) => htmlRecord(`${url}/${at}`, articlePage)));
  const plain = Buffer.concat(records);
  const compressed = compressEach(records);
  for (const [name, content] of [
    ['cut.warc', plain],
    ['cut.warc.gz', compressed],
  ] as const) {
    for (const missing of [20, 400]) {
      const input = openWarc(file(name, content.subarray(0, content.length - missing)));
      expect(outline(await readAll(input))).toEqual(['1 page', '2 page', '3 truncated']);
      expect(outline(await readAll(input, 2))).toEqual(['3 truncated']);
      expect(await readAll(input, 3)).toEqual([]);
    }
  }
});

test('a header without an end is not collected for ever', async () => {
  const path = join(folder, 'endless.warc');
  const line = Buffer.from(`X-Header: ${'a'.repeat(1000)}\r\n`);
  await writePieces(path, [Buffer.from('WARC/1.0\r\n'), ...Array.from({ length: 3000 }, () => line)]);
  expect(outline(await readAll(openWarc(path)))).toEqual(['1 damaged']);
});

test('reading goes on after a position, and gives what reading it all gives from there', async () => {
  const records = await Promise.all(
    [1, 2, 3, 4, 5].map((at) => textRecord(`${url}/${at}`, `Ferry ${at}\n${sentence}`)),
  );
  const input = openWarc(file('many.warc.wet.gz', compressEach(records)));
  const all = await readAll(input);
  expect(all).toHaveLength(5);
  expect(await readAll(input, 3)).toEqual(all.slice(3));
  expect(input.progress()).toBe(1);
});
