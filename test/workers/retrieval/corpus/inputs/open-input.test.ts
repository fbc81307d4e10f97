import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hashText } from '../../../../../shared/hash.ts';
import { openInput } from '../../../../../workers/retrieval/corpus/inputs/open-input.ts';
import type { Entry } from '../../../../../workers/retrieval/corpus/page-record.ts';
import { openSourceStore } from '../../../../../workers/source/store.ts';
import { outline, pagesOf, readAll, textRecord, writePieces } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
const sources = await openSourceStore(join(folder, 'sources.sqlite'));
afterAll(async () => {
  await sources.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const line = JSON.stringify({ url: 'https://ferry.example/', language: 'en', text: 'The ferry was built in 1930.' });

test('a file is what it shows, whatever its name is', async () => {
  const wet = await textRecord('https://ferry.example/', 'Ferry\nThe ferry was built in 1930.');
  writeFileSync(at('a.bin'), gzipSync(line));
  writeFileSync(at('b.jsonl'), wet);
  writeFileSync(at('c.gz'), gzipSync(wet));
  writeFileSync(at('d.jsonl'), `what is this?\n${line}\n`);
  writeFileSync(at('e.html'), '<p>The ferry</p>');
  mkdirSync(at('f.warc'));
  const kinds = ['a.bin', 'b.jsonl', 'c.gz', 'd.jsonl', 'e.html', 'f.warc'].map(async (name) => {
    const input = await openInput(at(name), sources);
    return `${input.kind} ${outline(await readAll(input))}`;
  });
  expect(await Promise.all(kinds)).toEqual([
    'jsonl 1 page',
    'warc 1 page',
    'warc 1 page',
    'jsonl 1 not_json,2 page',
    'folder 1 no_url',
    'folder ',
  ]);
});

test('what is not there, and what nobody can read, is refused by its code', async () => {
  writeFileSync(at('picture.png'), 'PNG');
  await expect(openInput(at('nothing'), sources)).rejects.toMatchObject({ code: 'no_such_input' });
  await expect(openInput(at('picture.png'), sources)).rejects.toMatchObject({ code: 'unknown_input' });
});

test('the pages that were fetched are read in the order in which they came, copies under the address that was copied', async () => {
  const source = (url: string, text: string, archivedAt: string | null = null) => ({
    ...{ kind: 'readable' as const, url, finalUrl: url, title: 'Ferry', text, contentHash: hashText(text) },
    ...{ type: 'html' as const, language: 'en', fetchedAt: '2024-03-05T06:07:08.000Z', archivedAt },
  });
  const dead = {
    kind: 'unavailable' as const,
    reason: 'dead' as const,
    detail: '',
    fetchedAt: '2024-03-05T06:07:08.000Z',
  };
  const copy = 'https://web.archive.org/web/20200102030405/https://ferry.example/c';
  await sources.put(source('https://ferry.example/a', 'First.'));
  await sources.put({ ...dead, url: 'https://ferry.example/b' });
  await sources.put(source(copy, 'Copied.', '2020-01-02T03:04:05.000Z'));
  await sources.put({ ...source('https://ferry.example/d', 'Last.'), publishedAt: '2019-03-12' });
  await sources.put(source('https://ferry.example/a', 'First, changed.'));
  const input = await openInput('fetched', sources);
  const entries = await readAll(input);
  expect(outline(entries)).toEqual(['1 page', '3 page', '4 page']);
  expect(pagesOf(entries)).toMatchObject([
    {
      url: 'https://ferry.example/a',
      text: 'First, changed.',
      crawledAt: '2024-03-05T06:07:08.000Z',
      publishedAt: null,
    },
    { url: 'https://ferry.example/c', text: 'Copied.', crawledAt: '2020-01-02T03:04:05.000Z' },
    { url: 'https://ferry.example/d', text: 'Last.', publishedAt: '2019-03-12' },
  ]);
  expect(await readAll(input, 3)).toEqual(entries.slice(2));
});

test('a record of 192 MiB is passed over without being held', async () => {
  const size = 192 * 1024 * 1024;
  const head = 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://ferry.example/large\r\n';
  const piece = gzipSync(Buffer.alloc(1024 * 1024, 'ferry '));
  const large = [
    gzipSync(`${head}Content-Length: ${size}\r\n\r\n`),
    ...Array<Buffer>(192).fill(piece),
    gzipSync('\r\n\r\n'),
  ];
  await writePieces(at('large.warc.gz'), [...large, gzipSync(await textRecord('https://ferry.example/', 'Ferry'))]);
  const { peak, entries } = await watchMemory(async () => readAll(await openInput(at('large.warc.gz'), sources)));
  expect(outline(entries)).toEqual(['1 too_large', '2 page']);
  expect(peak).toBeLessThan(0.75 * size); // pieces that were let go wait for the garbage collector: about 90 MiB of them
});

/** Bytes of buffers beyond those that there were before. */
async function watchMemory(work: () => Promise<Entry[]>): Promise<{ peak: number; entries: Entry[] }> {
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }, 5);
  try {
    const entries = await work();
    return { entries, peak };
  } finally {
    clearInterval(watch);
  }
}
