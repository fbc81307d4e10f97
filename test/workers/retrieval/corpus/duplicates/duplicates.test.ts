import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../../../shared/sql/better-sqlite3.ts';
import { type Duplicates, openDuplicates } from '../../../../../workers/retrieval/corpus/duplicates.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelight-'));
const databases: Database[] = [];
afterAll(() => {
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true });
});

function open(path = ':memory:'): Duplicates {
  const database = new Database(path);
  databases.push(database);
  return openDuplicates(database);
}

const url = 'https://news.example/mill';
const elsewhere = 'https://other.example/copy';

/** `count` words in an order that depends on `seed` alone, a number every 25. */
function write(count: number, seed: number): string {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = (at: number) => (at % 25 === 12 ? String(1000 + next(900)) : WORDS[next(WORDS.length)]);
  return Array.from({ length: count }, (_, at) => word(at)).join(' ');
}

const WORDS =
  `mill ferry harbour island bridge stone river engine keeper winter market school chapel garden road window letter
  council builder wheel timber cargo signal lamp tide captain morning fire rope grain barrel meadow`.split(/\s+/);

function replaceWord(text: string, at: number, word: string): string {
  return text.split(' ').toSpliced(at, 1, word).join(' ');
}

test('a page is known by its address, however it is written', () => {
  const duplicates = open();
  duplicates.remember(1, { url, text: write(100, 1) });
  const other = write(100, 2);
  for (const same of [
    'http://www.news.example/mill/',
    `${url}?utm_source=feed#top`,
    `https://web.archive.org/web/2020/${url}`,
  ]) {
    expect(duplicates.find({ url: same, text: other })).toEqual({ kind: 'url', pageId: 1 });
  }
  expect(duplicates.find({ url: `${url}?page=2`, text: other })).toBeNull();
});

test('a page is known by its words, whatever stands between them', () => {
  const duplicates = open();
  const text = write(300, 3);
  duplicates.remember(1, { url, text });
  duplicates.remember(2, { url: 'https://news.example/short', text: 'Closed in 1931.' });
  const spaced = text.toUpperCase().replaceAll(' ', ' —\n');
  expect(duplicates.find({ url: elsewhere, text: spaced })).toEqual({ kind: 'content', pageId: 1 });
  expect(duplicates.find({ url: elsewhere, text: '“Closed in 1931”' })).toEqual({ kind: 'content', pageId: 2 });
});

test('a page of under twenty words is a copy only of the same words', () => {
  const duplicates = open();
  const text = write(19, 4);
  duplicates.remember(1, { url, text });
  expect(duplicates.find({ url: elsewhere, text: `${text} again` })).toBeNull();
});

test.each([
  ['with a notice at its end', (text: string) => `${text} All rights reserved 2024 share this page`],
  ['with one other word', (text: string) => replaceWord(text, 140, 'lighthouse')],
  ['without its first sentence', (text: string) => text.split(' ').slice(12).join(' ')],
])('a page %s is nearly the same, be it short or long', (_, edit) => {
  const duplicates = open();
  const texts = [300, 1000, 3000].map((count) => write(count, count));
  for (const [at, text] of texts.entries()) duplicates.remember(at, { url: `${url}/${at}`, text });
  const found = texts.map((text) => duplicates.find({ url: elsewhere, text: edit(text) }));
  expect(found).toEqual([0, 1, 2].map((pageId) => ({ kind: 'near', pageId })));
});

test.each([
  [
    'tells it in other words',
    (text: string) =>
      text
        .split(' ')
        .map((word, at) => (at % 20 === 7 ? 'then' : word))
        .join(' '),
  ],
  ['tells half of it', (text: string) => text.split(' ').slice(0, 500).join(' ')],
  ['stands whole in a longer page', (text: string) => `${text} ${write(400, 77)}`],
  [
    'has other numbers in the same sentences',
    (text: string) => text.replace(/\d+/g, (number) => (Number(number) % 3 === 0 ? '42' : number)),
  ],
  ['is another page', () => write(1000, 99)],
])('a page that %s is a page of its own', (_, edit) => {
  const duplicates = open();
  const text = write(1000, 5);
  duplicates.remember(1, { url, text });
  expect(duplicates.find({ url: elsewhere, text: edit(text) })).toBeNull();
});

test('pages of one template that differ by a fact each are all kept', () => {
  const duplicates = open();
  const frame = write(200, 6).replace(/\d+/g, 'about');
  const kept = Array.from({ length: 100 }, (_, at) => {
    const page = { url: `https://census.example/${at}`, text: replaceWord(frame, 100, `${1000 + at}`) };
    const found = duplicates.find(page);
    if (found === null) duplicates.remember(at, page);
    return found === null;
  });
  expect(kept.filter(Boolean)).toHaveLength(100);
});

test('the first of several copies is the one that is named', () => {
  const duplicates = open();
  const text = write(400, 7);
  for (const [at, word] of ['harbourmaster', 'lighthouse'].entries()) {
    duplicates.remember(10 - at, { url: `${url}/${at}`, text: replaceWord(text, 200, word) });
  }
  expect(duplicates.find({ url: elsewhere, text })).toEqual({ kind: 'near', pageId: 9 });
});

test('a page that is forgotten or changed is no longer known by what it was', () => {
  const duplicates = open();
  const [text, changed] = [write(300, 8), write(300, 9)];
  duplicates.remember(1, { url, text });
  duplicates.remember(1, { url, text: changed });
  expect(duplicates.find({ url: elsewhere, text })).toBeNull();
  expect(duplicates.find({ url: elsewhere, text: `${changed} again` })).toEqual({ kind: 'near', pageId: 1 });
  duplicates.forget(1);
  duplicates.forget(2);
  expect(duplicates.find({ url, text: changed })).toBeNull();
  expect(duplicates.find({ url: elsewhere, text: `${changed} again` })).toBeNull();
});

test('what is known outlives the process, and goes with a transaction that is taken back', () => {
  const path = join(folder, 'corpus.sqlite');
  const text = write(300, 10);
  const database = new Database(path);
  const duplicates = openDuplicates(database);
  duplicates.remember(1, { url, text });
  const takenBack = database.transaction(() => {
    duplicates.remember(2, { url: elsewhere, text: write(300, 11) });
    throw new Error('taken back');
  });
  expect(takenBack).toThrow('taken back');
  database.close();
  const again = open(path);
  expect(again.find({ url: 'https://third.example/', text: `${text} again` })).toEqual({ kind: 'near', pageId: 1 });
  expect(again.find({ url: elsewhere, text: write(300, 11) })).toBeNull();
});
