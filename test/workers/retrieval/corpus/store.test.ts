import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefuseToStart } from '../../../../shared/errors.ts';
import { hashText } from '../../../../shared/hash.ts';
import { Database } from '../../../../shared/sql/better-sqlite3.ts';
import { openCorpus } from '../../../../workers/retrieval/corpus/store.ts';
import { splitPassages } from '../../../../workers/verification/passages.ts';

const directory = mkdtempSync(join(tmpdir(), 'sidelight-'));
afterAll(() => rmSync(directory, { recursive: true }));

function aCorpusPage(text: string) {
  const url = 'https://tidewatch.example/lighthouse';
  const page = {
    ...{ sourceKey: hashText(url), url, title: 'The lighthouse', text, language: 'en' },
    ...{ crawledAt: '2026-01-02T03:04:05.000Z', publishedAt: '1999-12-31' },
  };
  return { page, passages: splitPassages({ url, title: page.title, text }) };
}

const first = aCorpusPage('The lamp was lit in 1854.\nIts keeper kept bees.');
const second = aCorpusPage('The lamp was lit in 1855, not 1854.');

test('a page stored twice is stored once', () => {
  const corpus = openCorpus(join(directory, 'twice.sqlite'));
  const ids = corpus.put(first.page, first.passages);
  expect(corpus.put(first.page, first.passages)).toEqual(ids);
  expect(corpus.size()).toEqual({ pages: 1, passages: ids.length });
  corpus.close();
});

test('a page with another content replaces its passages, and their ids are never used again', () => {
  const corpus = openCorpus(join(directory, 'replaced.sqlite'));
  const old = corpus.put(first.page, first.passages);
  expect(corpus.outdated(first.page)).toEqual([]);
  expect(corpus.outdated(second.page)).toEqual(old);
  const ids = corpus.put(second.page, second.passages);
  expect(corpus.passages([...old, ...ids]).map((passage) => passage.text)).toEqual([second.passages[0]?.text]);
  expect(old).not.toContain(ids[0]);
  corpus.close();
});

test('passages come in the order asked for, with the page they are of', () => {
  const corpus = openCorpus(join(directory, 'order.sqlite'));
  const text = Array.from({ length: 30 }, (_, at) => `Sentence ${at} tells of the harbour and of its many boats.`).join(
    '\n',
  );
  const page = aCorpusPage(text);
  const ids = corpus.put(page.page, page.passages).reverse();
  expect(ids.length).toBeGreaterThan(2);
  const passages = corpus.passages(ids);
  expect(passages.map((passage) => passage.id)).toEqual(ids);
  for (const passage of passages) {
    expect(passage).toMatchObject({ url: page.page.url, title: 'The lighthouse', sourceKey: page.page.sourceKey });
    expect(text.slice(passage.start, passage.end)).toBe(passage.text);
  }
  corpus.close();
});

test('a page comes back whole, and its passages lie in it', () => {
  const corpus = openCorpus(join(directory, 'whole.sqlite'));
  const [id = 0] = corpus.put(first.page, first.passages);
  const [passage] = corpus.passages([id]);
  const page = corpus.page(passage?.pageId ?? 0);
  expect(page).toMatchObject({ ...first.page, domain: 'tidewatch.example' });
  expect(page?.text.slice(passage?.start, passage?.end)).toBe(passage?.text);
  expect(corpus.page(99)).toBeNull();
  corpus.close();
});

test('a page that is replaced keeps its id', () => {
  const corpus = openCorpus(join(directory, 'id.sqlite'));
  const pageOf = (ids: number[]) => corpus.places(ids)[0]?.pageId;
  const pageId = pageOf(corpus.put(first.page, first.passages));
  expect(pageOf(corpus.put(second.page, second.passages))).toBe(pageId);
  expect(corpus.page(pageId ?? 0)?.text).toBe(second.page.text);
  corpus.close();
});

test('a shard that is full is followed by another, and pages stay whole', () => {
  const corpus = openCorpus(join(directory, 'shards.sqlite'), { shardPassages: 3 });
  const text = Array.from({ length: 30 }, (_, at) => `Sentence ${at} tells of the harbour and its boats.`).join('\n');
  const { page, passages } = aCorpusPage(text);
  for (const name of ['a', 'b', 'c']) corpus.put({ ...page, url: `${page.url}/${name}`, sourceKey: null }, passages);
  expect(passages).toHaveLength(3);
  expect(corpus.shards()).toEqual([
    { shard: 0, first: 1, last: 3 },
    { shard: 1, first: 4, last: 6 },
    { shard: 2, first: 7, last: null },
  ]);
  corpus.divide(2);
  expect(corpus.shards().map(({ first, last }) => [first, last])).toEqual([
    [1, 5],
    [6, null],
  ]);
  corpus.close();
});

test('a file of an earlier version is refused', () => {
  const path = join(directory, 'earlier.sqlite');
  const database = new Database(path);
  database.pragma('user_version = 1');
  database.close();
  expect(() => openCorpus(path)).toThrow(RefuseToStart);
});

test('two handles on one file see what the other stored', () => {
  const path = join(directory, 'shared.sqlite');
  const [one, other] = [openCorpus(path), openCorpus(path)];
  const ids = one.put(first.page, first.passages);
  expect(other.passages(ids)).toHaveLength(ids.length);
  expect(other.put(first.page, first.passages)).toEqual(ids);
  one.close();
  other.close();
});

test('a file of a newer version is refused', () => {
  const path = join(directory, 'newer.sqlite');
  openCorpus(path).close();
  const database = new Database(path);
  database.pragma('user_version = 99');
  database.close();
  expect(() => openCorpus(path)).toThrow(RefuseToStart);
});
