/**
 * Files that are made to harm who reads them, through the real reader with its children: each ends as a source that is readable or is
 * not, with its code; the next page is read; and this process has not grown with them.
 */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { openExtractApart } from '../../workers/source/extract/apart.ts';
import { createReader } from '../../workers/source/read.ts';
import { aCitation } from '../support/examples.ts';
import { type Routes, startWeb, type Web } from '../support/web.ts';
import { articlePage } from '../workers/source/pages.ts';
import { PAGES, PDFS } from './hostile-files.ts';

/** Short: many of these files use all of it. */
const LIMITS = { deadlineMs: 1500, memoryMb: 300 };
const routes: Routes = { '/ferry': articlePage };
let web: Web;
let apart: ReturnType<typeof openExtractApart>;
let usual: ReturnType<typeof openExtractApart>;
beforeAll(async () => {
  web = await startWeb(routes);
  apart = openExtractApart(LIMITS);
  usual = openExtractApart();
});
afterAll(() => Promise.all([web.close(), apart.close(), usual.close()]));

const HTML = 'text/html; charset=utf-8';
const read = async (path: string, { extract } = apart) => {
  const settings = { userAgent: 'Test/1.0', allowLoopback: true, gateway: null, waybackUrl: 'http://127.0.0.1:9' };
  const limits = { totalMs: 10_000, silenceMs: 300 };
  const reader = createReader({ ...settings, limits }, { extract });
  const source = await reader.read({ ...aCitation, url: web.origin + path }, new AbortController().signal);
  return source.kind === 'readable' ? 'readable' : source.reason;
};

afterEach(async () => {
  expect(await read('/ferry', usual)).toBe('readable');
});

/** What bodies are held in while they are read, and no more: the children hold the rest. */
const MOST_GROWTH = 500 * 2 ** 20;

async function readFile(contentType: string, body: Buffer): Promise<string> {
  routes['/file'] = (_, response) => response.setHeader('content-type', contentType).end(body);
  const before = process.memoryUsage.rss();
  const outcome = await read('/file');
  expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_GROWTH);
  return outcome;
}

test.each(Object.entries(PDFS))('a PDF of %s', async (_, make) => {
  expect(CODES).toContain(await readFile('application/pdf', make()));
});

test.each(Object.entries(PAGES))('a page of %s', async (_, make) => {
  expect(CODES).toContain(await readFile(HTML, Buffer.from(make())));
});

const zeros = Buffer.alloc(40 * 2 ** 20);
/** By what the server does: how it answers, and what comes of it. */
const ANSWERS: Record<string, [answer: Exclude<Routes[string], string | null>, reason: string]> = {
  'a page of 40 MB, as gzip': [packed('gzip', gzipSync(zeros)), 'too_large'],
  'a page of 40 MB, as Brotli': [packed('br', brotliCompressSync(zeros)), 'too_large'],
  'a page of 40 MB, packed twice': [packed('gzip, gzip', gzipSync(gzipSync(zeros))), 'too_large'],
  'a zip archive that calls itself a page': [
    (_, response) => response.setHeader('content-type', 'application/zip').end(Buffer.from('504b0304', 'hex')),
    'unsupported_type',
  ],
  'a body without end': [
    (_, response) => {
      response.setHeader('content-type', HTML);
      const pour = () => void (response.destroyed || response.write('x'.repeat(65_536), pour));
      pour();
    },
    'too_large',
  ],
  'a body that stops coming': [(_, response) => void response.setHeader('content-type', HTML).write('<p>'), 'timeout'],
  'a length that is too long': [
    (_, response) => {
      response.writeHead(200, { 'content-type': HTML, 'content-length': 1e6 }).write(articlePage);
      setImmediate(() => response.destroy());
    },
    'truncated',
  ],
  'a length of a terabyte': [
    (_, response) => {
      response.writeHead(200, { 'content-type': HTML, 'content-length': 1e12 }).write(articlePage);
      setImmediate(() => response.destroy());
    },
    'truncated',
  ],
};

test.each(Object.entries(ANSWERS))('%s', async (_, [answer, reason]) => {
  routes['/answer'] = answer;
  expect(await read('/answer')).toBe(reason);
});

function packed(encoding: string, body: Buffer): Exclude<Routes[string], string | null> {
  return (_, response) => response.writeHead(200, { 'content-encoding': encoding, 'content-type': HTML }).end(body);
}

const CODES = ['readable', 'too_large', 'unsupported_type', 'scanned_pdf', 'truncated', 'script_shell'];
