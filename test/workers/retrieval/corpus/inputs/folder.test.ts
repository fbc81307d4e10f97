import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openFolder } from '../../../../../workers/retrieval/corpus/inputs/folder.ts';
import { page, pdf, prose } from '../../../source/pages.ts';
import { outline, pagesOf, readAll } from './files.ts';

const root = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(root, { recursive: true }));

function folder(name: string, files: Record<string, string | Buffer>): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true });
    writeFileSync(join(root, name, file), content);
  }
  return join(root, name);
}

const html = (head: string) => page(prose.slice(0, 3).join(''), head);
const sentence = 'The ferry between Orrin Bay and the outer islands carried more than forty thousand passengers.';

test('pages are read in the order of names, folders where their names stand; other files and links are left', async () => {
  const path = folder('order', {
    'b.html': html('<link rel="canonical" href="https://ferry.example/b">'),
    'a/z.htm.gz': gzipSync(html('<link rel="canonical" href="https://ferry.example/a/z">')),
    'B.html': html('<link rel="canonical" href="https://ferry.example/B">'),
    'b.css': 'body { color: black }',
  });
  symlinkSync(join(path, 'b.html'), join(path, 'c.html'));
  const input = openFolder(path);
  const entries = await readAll(input);
  expect(pagesOf(entries).map(({ url }) => url)).toEqual([
    'https://ferry.example/B',
    'https://ferry.example/a/z',
    'https://ferry.example/b',
  ]);
  expect(input.progress()).toBe(1);
  expect(await readAll(input, 2)).toEqual(entries.slice(2));
});

test('a page says its own address, in one way or another', async () => {
  const path = folder('own', {
    '1.html': html('<base href="https://ferry.example/x/"><link rel="canonical" href="../one">'),
    '2.html': html('<link rel="canonical" href="/two"><meta property="og:url" content="https://ferry.example/two">'),
    '3.html': `<!-- saved from url=(0027)https://ferry.example/three -->\n${html('')}`,
    '4.html': html('<base href="https://ferry.example/">'),
  });
  const entries = await readAll(openFolder(path));
  expect(pagesOf(entries).map(({ url }) => url)).toEqual([
    'https://ferry.example/one',
    'https://ferry.example/two',
    'https://ferry.example/three',
  ]);
  expect(entries[3]).toMatchObject({ position: 4, code: 'no_url', detail: 'own/4.html' });
});

test('what stands beside a file counts before what the file says', async () => {
  const own = html('<link rel="canonical" href="https://ferry.example/own">');
  const path = folder('beside', {
    'a.html': own,
    'b.html': own,
    'b.html.url': '[InternetShortcut]\r\nURL=https://ferry.example/shortcut\r\n',
    'c.pdf': pdf([['The ferry report of 1931', sentence]]),
    'd.txt': sentence,
    'd.txt.url': 'https://ferry.example/d\n',
    'e.txt': sentence,
    'urls.tsv': 'a.html\thttps://ferry.example/a\t2024-03-05\r\nc.pdf\thttps://ferry.example/c\n',
    'inner/a.html': own,
  });
  const entries = await readAll(openFolder(path));
  expect(pagesOf(entries)).toMatchObject([
    { url: 'https://ferry.example/a', crawledAt: '2024-03-05T00:00:00.000Z' },
    { url: 'https://ferry.example/shortcut', crawledAt: null },
    { url: 'https://ferry.example/c', title: 'Ferry report' },
    { url: 'https://ferry.example/d', text: sentence },
    { url: 'https://ferry.example/own' },
  ]);
  expect(entries[4]).toMatchObject({ code: 'no_url', detail: 'beside/e.txt' });
});

test('files that are damaged, cut off or too large are named, and the files after them are read', async () => {
  const address = (name: string) => `${name}\thttps://ferry.example/${name}\n`;
  const names = ['a.pdf', 'b.txt.gz', 'c.html.gz', 'd.html', 'e.txt'];
  const path = folder('damaged', {
    'a.pdf': '%PDF-1.4 and nothing else',
    'b.txt.gz': gzipSync(sentence.repeat(50)).subarray(0, 60),
    'c.html.gz': gzipSync(Buffer.alloc(16 * 1024 * 1024, 'ferry ')),
    'd.html': Buffer.alloc(16 * 1024 * 1024, 'ferry '),
    'e.txt': sentence,
    'urls.tsv': names.map(address).join(''),
  });
  expect(outline(await readAll(openFolder(path)))).toEqual([
    '1 unreadable',
    '2 truncated',
    '3 too_large',
    '4 too_large',
    '5 page',
  ]);
});

test.each([
  ['<meta property="article:published_time" content="2019-08-07T23:30:00-05:00">', '2019-08-07'],
  [
    '<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","datePublished":"2018-01-02"}]}</script>',
    '2018-01-02',
  ],
  ['<meta name="citation_publication_date" content="2017/03/04">', '2017-03-04'],
  ['<time datetime="2016-05-06T07:08Z">6 May</time>', '2016-05-06'],
  ['<time datetime="2016-05-06">then</time><time datetime="2016-05-07">now</time>', null],
  ['<meta property="article:published_time" content="0001-01-01T00:00:00">', null],
  ['<meta property="article:published_time" content="2019-13-07">', null],
  ['<meta property="article:published_time" content="7.8.2019">', null],
])('%s: published %s', async (head, day) => {
  const path = folder('dates', { 'a.html': html(`<link rel="canonical" href="https://ferry.example/">${head}`) });
  expect(pagesOf(await readAll(openFolder(path)))).toMatchObject([{ publishedAt: day }]);
});
