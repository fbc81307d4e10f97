import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openJsonl } from '../../../../../workers/retrieval/corpus/inputs/jsonl.ts';
import { outline, pagesOf, readAll } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const mill = {
  id: '1',
  url: 'https://news.example/mill',
  title: 'The mill at Orrin Bay',
  text: 'The mill at Orrin Bay closed in 1931 after a fire that had destroyed its two upper floors and the wheel.',
};
const ferry = { id: '2', url: 'https://news.example/ferry', title: 'The ferry', text: 'The ferry was built in 1930.' };
/** Its language is not looked for, which takes most of the time. */
const english = { ...ferry, language: 'en' };
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test('a line is a page, its language told from its text where the line says none', async () => {
  const entries = await readAll(openJsonl(file('plain.jsonl', lines(mill, { ...ferry, language: 'en-gb' }))));
  expect(entries).toEqual([
    {
      kind: 'page',
      position: 1,
      page: { url: mill.url, title: mill.title, text: mill.text, language: 'en', crawledAt: null, publishedAt: null },
    },
    expect.objectContaining({ position: 2, page: expect.objectContaining({ title: 'The ferry', language: 'en-GB' }) }),
  ]);
});

test('a compressed file, and a last line without a line break, are read the same', async () => {
  const plain = await readAll(openJsonl(file('same.jsonl', `\ufeff${lines(mill, ferry).trimEnd()}`)));
  const compressed = await readAll(openJsonl(file('same.jsonl.gz', gzipSync(lines(mill, ferry)))));
  expect(outline(plain)).toEqual(['1 page', '2 page']);
  expect(compressed).toEqual(plain);
});

test('the days of the crawl and of the publication are taken where they are dates', async () => {
  const dated = { ...mill, crawledAt: '2024-03-05T08:00:00+02:00', publishedAt: '1931-06-02T00:00:00Z' };
  const [page, other] = pagesOf(
    await readAll(openJsonl(file('dates.jsonl', lines(dated, { ...ferry, crawledAt: 'May', publishedAt: '3.6.' })))),
  );
  expect(page).toMatchObject({ crawledAt: '2024-03-05T06:00:00.000Z', publishedAt: '1931-06-02' });
  expect(other).toMatchObject({ crawledAt: null, publishedAt: null });
});

test('a broken line is named by its number and code, and the lines after it are read', async () => {
  const broken = [
    '{"url": "https://news.example/a", "text": ',
    '["https://news.example/a"]',
    JSON.stringify({ ...mill, url: undefined }),
    JSON.stringify({ ...mill, url: 'file:///etc/hostname' }),
    JSON.stringify({ ...mill, text: ' \n ' }),
    JSON.stringify({ ...mill, title: 7 }),
    '',
    JSON.stringify(ferry),
    '{"url": "https://news.exam',
  ].join('\n');
  const entries = await readAll(openJsonl(file('broken.jsonl', broken)));
  expect(outline(entries)).toEqual([
    '1 not_json',
    '2 not_json',
    '3 no_url',
    '4 bad_url',
    '5 no_text',
    '6 bad_fields',
    '8 page',
    '9 truncated',
  ]);
  expect(entries[3]).toMatchObject({ detail: 'line 4: file:///etc/hostname' });
  expect(entries[5]).toMatchObject({ detail: 'line 6: title' });
});

test('a line of 16 MiB is too large, one of 3 MiB is not', async () => {
  const [long, tooLong] = [3, 16].map((size) => ({ ...mill, text: 'mill '.repeat((size * 1024 * 1024) / 5) }));
  const entries = await readAll(openJsonl(file('long.jsonl.gz', gzipSync(lines(long, tooLong, ferry), { level: 1 }))));
  expect(outline(entries)).toEqual(['1 page', '2 too_large', '3 page']);
});

test('passages of one page that follow each other are one page, a page that is given twice is two entries', async () => {
  const passages = ['The mill closed in 1931.', 'Its wheel was sold in 1933.', 'The house stands empty.'];
  const input = openJsonl(
    file('passages.jsonl', lines(...passages.map((raw) => ({ url: mill.url, title: 'Mill', raw })), ferry, ferry)),
  );
  const entries = await readAll(input);
  expect(outline(entries)).toEqual(['3 page', '4 page', '5 page']);
  expect(pagesOf(entries)[0]).toMatchObject({ title: 'Mill', text: passages.join('\n') });
  expect(outline(await readAll(input, 3))).toEqual(['4 page', '5 page']);
});

test('reading goes on after a position, and gives what reading it all gives from there', async () => {
  const values = Array.from({ length: 20 }, (_, at) => ({ ...ferry, url: `https://news.example/${at}` }));
  const input = openJsonl(file('many.jsonl.gz', gzipSync(lines(...values))));
  const all = await readAll(input);
  expect(all).toHaveLength(20);
  expect(await readAll(input, 13)).toEqual(all.slice(13));
  expect(await readAll(input, 20)).toEqual([]);
  expect(input.progress()).toBe(1);
});

test('where compressed data breaks off or is damaged, what came before it is read and the place is named', async () => {
  const values = Array.from({ length: 1600 }, (_, at) => ({ ...english, url: `https://news.example/${at ** 3}` }));
  const members = [lines(...values.slice(0, 800)), lines(...values.slice(800))].map((text) => gzipSync(text));
  const whole = Buffer.concat(members);
  const at = (members[0]?.length ?? 0) + 1000;
  const damaged = Buffer.from(whole).fill(0, at - 990, at);
  for (const [code, content] of [
    ['truncated', whole.subarray(0, at)],
    ['damaged', damaged],
  ] as const) {
    const input = openJsonl(file(`${code}.jsonl.gz`, content));
    const entries = await readAll(input);
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.slice(0, -1).every((entry) => entry.kind === 'page')).toBe(true);
    expect(entries.at(-1)).toMatchObject({ kind: 'broken', code });
    expect(await readAll(input, 100)).toEqual(entries.slice(100));
  }
});

test('reading stops when it is told to', async () => {
  const input = openJsonl(file('abort.jsonl', lines(mill, ferry, mill, ferry)));
  const abort = new AbortController();
  const read = async () => {
    for await (const _ of input.entries(0, abort.signal)) abort.abort(new Error('enough'));
  };
  await expect(read()).rejects.toThrow('enough');
});
