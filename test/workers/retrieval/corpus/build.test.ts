import { appendFileSync, mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { RefuseToStart } from '../../../../shared/errors.ts';
import { Database } from '../../../../shared/sql/better-sqlite3.ts';
import { addToGeneration, type BuildOptions, buildGeneration } from '../../../../workers/retrieval/corpus/build.ts';
import { explainDiskError } from '../../../../workers/retrieval/corpus/build-disk.ts';
import { lockGeneration } from '../../../../workers/retrieval/corpus/build-lock.ts';
import { openInput } from '../../../../workers/retrieval/corpus/inputs/open-input.ts';
import { openGeneration } from '../../../../workers/retrieval/corpus/open-generation.ts';
import { createOpenGenerations } from '../../../../workers/retrieval/corpus/open-generations.ts';
import { readStats } from '../../../../workers/retrieval/corpus/stats.ts';
import { verifyGeneration } from '../../../../workers/retrieval/corpus/verify.ts';
import { openSourceStore, type SourceStore } from '../../../../workers/source/store.ts';
import { aPage } from '../installation.ts';
import { aLine, type Line } from './isle.ts';
import { wordEncoder } from './word-encoder.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const signal = new AbortController().signal;
let workshop: Workshop;
let store: SourceStore;
beforeEach(async () => {
  workshop = openWorkshop();
  mkdirSync(workshop.dependencies.dataDir);
  store = await openSourceStore(join(workshop.dependencies.dataDir, 'sources.sqlite'));
});
afterEach(async () => {
  await store.close();
  workshop.remove();
});

async function build(generation: string, what: string[], options: Partial<BuildOptions> = {}) {
  const inputs = await Promise.all(what.map((path) => openInput(path, store)));
  return buildGeneration(workshop.dependencies, { generation, inputs, ...options }, signal);
}

async function add(generation: string, ...what: string[]) {
  const inputs = await Promise.all(what.map((path) => openInput(path, store)));
  return addToGeneration(workshop.dependencies, { generation, inputs }, signal);
}

async function open(generation: string) {
  const { dependencies } = workshop;
  const manifest = await dependencies.engine.generations.get(generation);
  if (manifest === null) throw new Error(`${generation} is not there`);
  return openGeneration({ ...dependencies, manifest });
}

async function verify(generation: string, encoder = wordEncoder.version): Promise<string[]> {
  const { manifest, close } = await open(generation);
  await close();
  const problems = await verifyGeneration({ ...workshop.dependencies, manifest, encoder }, signal);
  return problems.map(({ code, detail }) => `${code}: ${detail}`);
}

/** A file of the pages with these numbers. */
function lines(name: string, ...numbers: number[]): string {
  return workshop.jsonl(name, numbers.map(aLine));
}

/** Titles of the pages that both arms of the generation that is searched give first. */
async function search(generations: ReturnType<typeof createOpenGenerations>, text: string): Promise<string[]> {
  const generation = await generations.current();
  if (generation === null) throw new Error('nothing is searched');
  const words = text.toLowerCase().match(/\w+/g) ?? [];
  const sparse = await (await generation.sparse()).search(
    words.map((word) => ({ word, weight: 1 })),
    1,
  );
  const dense = generation.held(0).search(await wordEncoder.encode([text]), 1);
  return generation.corpus
    .places([...sparse.hits, ...dense].map(({ passageId }) => passageId))
    .map(({ title }) => title);
}

describe('a generation is built', () => {
  test('of files and folders: what is broken is named, copies are left out, both arms have the rest', async () => {
    const copy: Line = { ...aLine(1), url: 'https://copies.example/1' };
    const nearly: Line = { ...aLine(2), url: 'https://nearly.example/2', text: `${aLine(2).text}\nPrint` };
    const { url, ...homeless } = aLine(9);
    const again: Line = { ...aLine(3), url: `${aLine(3).url}/?utm_source=feed#top` };
    const file = workshop.jsonl('isle.jsonl', [aLine(1), homeless, aLine(2), 'no JSON', copy, nearly, aLine(3), again]);
    const saved = aLine(20).text.replaceAll('\n', '</p><p>');
    const folder = workshop.folder('saved', {
      'pier.html': `<title>The pier</title><link rel="canonical" href="https://saved.example/pier"><article><p>${saved}</article>`,
    });
    const { manifest, broken, duplicates } = await build('isle', [file, folder]);
    expect(broken).toMatchObject({ count: 2, byCode: { no_url: 1, not_json: 1 } });
    expect(broken.first.map(({ input, position, code }) => ({ input, position, code }))).toEqual([
      { input: file, position: 2, code: 'no_url' },
      { input: file, position: 4, code: 'not_json' },
    ]);
    expect(duplicates).toEqual({ url: 1, content: 1, near: 1 });
    expect(manifest).toMatchObject({ state: 'ready', pages: 4, encoder: { version: 'words-64', dimensions: 64 } });
    expect(manifest.shards).toMatchObject([{ shard: 0, sealed: { type: 'flat', passages: manifest.passages } }]);
    expect(await verify('isle')).toEqual([]);
  });

  test('and tells how far it is, step by step', async () => {
    await build('isle', [lines('isle.jsonl', 1, 2, 3)]);
    const { progress } = workshop;
    expect([...new Set(progress.map(({ step }) => step))]).toEqual(['reading', 'indexing', 'sealing']);
    expect(progress.at(-1)).toEqual({ step: 'sealing', share: 1, pages: 3, passages: 6 });
  });

  test('with a shard for every so many passages, or with so many shards', async () => {
    const file = lines('isle.jsonl', 1, 2, 3, 4, 5);
    const sealed = (await build('wide', [file], { shardPassages: 4 })).manifest.shards.map((shard) => shard.sealed);
    expect(sealed.map((shard) => shard?.passages)).toEqual([4, 4, 2]);
    const parted = (await build('parted', [file], { shards: 2, type: 'hnsw-sq8' })).manifest.shards;
    expect(parted.map((shard) => shard.sealed?.type)).toEqual(['hnsw-sq8', 'hnsw-sq8']);
    expect([...(await verify('wide')), ...(await verify('parted'))]).toEqual([]);
  });

  test('of what was fetched', async () => {
    const key = await store.put(aPage('https://orrin.example/mill', 'The mill', aLine(1).text));
    await build('isle', ['fetched']);
    const opened = await open('isle');
    expect(opened.corpus.passages([1])).toMatchObject([{ sourceKey: key, domain: 'orrin.example', position: 0 }]);
    await opened.close();
  });

  test('only once, by one process, and of something', async () => {
    const file = lines('isle.jsonl', 1);
    await expect(build('none', [workshop.jsonl('none.jsonl', ['no JSON'])])).rejects.toMatchObject({
      code: 'no_pages',
    });
    await build('isle', [file]);
    await expect(build('isle', [file])).rejects.toMatchObject({ code: 'is_built' });
    const lock = lockGeneration(join(workshop.dependencies.dataDir, 'corpus', 'isle'), 'isle');
    await expect(add('isle', file)).rejects.toMatchObject({ code: 'busy' });
    lock.release();
    await expect(add('other', file)).rejects.toMatchObject({ code: 'no_such_generation' });
  });

  test('and a disk that is full or can not be written is said in one line', async () => {
    const path = join(workshop.directory, 'full.sqlite');
    const database = new Database(path);
    database.exec('CREATE TABLE texts (text TEXT)');
    const write = () => database.prepare('INSERT INTO texts VALUES (?)').run('x'.repeat(100_000));
    const explain = (run: () => unknown) => {
      try {
        return run();
      } catch (error) {
        return explainDiskError(error, workshop.directory);
      }
    };
    database.pragma('max_page_count = 3');
    expect(await explain(write)).toMatchObject({ code: 'disk_full' });
    database.pragma('query_only = ON');
    expect(await explain(write)).toMatchObject({ code: 'read_only' });
    database.close();
  });
});

describe('a generation is added to', () => {
  test('while it is searched: a process that has it open finds what is new', async () => {
    await build('isle', [lines('isle.jsonl', 1, 2)]);
    await workshop.dependencies.engine.generations.switchTo('isle');
    const generations = createOpenGenerations(workshop.dependencies);
    expect(await search(generations, 'Keeper31 rowed')).toEqual(['Island 1', 'Island 1']);
    const { manifest } = await add('isle', lines('more.jsonl', 2, 7));
    expect(manifest).toMatchObject({ pages: 3, passages: 6 });
    expect(await search(generations, aLine(7).text)).toEqual(['Island 7', 'Island 7']);
    await generations.close();
    expect(await verify('isle')).toEqual([]);
  });

  test('with the same input again, nothing changes', async () => {
    const file = lines('isle.jsonl', 1, 2);
    const before = await build('isle', [file]);
    expect(await add('isle', file)).toEqual(before);
  });

  test('with an input that has grown, what is new is taken', async () => {
    const file = lines('isle.jsonl', 1, 2);
    await build('isle', [file]);
    appendFileSync(file, `${JSON.stringify(aLine(3))}\n`);
    expect((await add('isle', file)).manifest.pages).toBe(3);
  });

  test('with a page that was fetched again, its new words are found and the old ones are not', async () => {
    const page = aPage('https://orrin.example/mill', 'The mill', aLine(1).text);
    await store.put(page);
    await build('isle', ['fetched']);
    await store.put(aPage(page.url, 'The mill', aLine(2).text));
    expect((await add('isle', 'fetched')).manifest).toMatchObject({ pages: 1, passages: 2 });
    expect(await verify('isle')).toEqual([]);
  });

  test('where the last shard is full, in a new one that is sealed', async () => {
    await build('isle', [lines('isle.jsonl', 1, 2)], { shardPassages: 4 });
    const { manifest } = await add('isle', lines('more.jsonl', 3, 4));
    expect(manifest.shards.map(({ sealed }) => sealed?.passages)).toEqual([4, 4]);
    expect(await verify('isle')).toEqual([]);
  });

  test('not with another encoder', async () => {
    await build('isle', [lines('isle.jsonl', 1)]);
    workshop.dependencies.encoder = { ...wordEncoder, version: 'words-65' };
    await expect(add('isle', lines('more.jsonl', 2))).rejects.toThrow(RefuseToStart);
  });
});

describe('generations are switched', () => {
  test('under a process that searches: its next search is answered by both arms of the new one', async () => {
    const { engine } = workshop.dependencies;
    await build('one', [lines('one.jsonl', 1)]);
    await build('two', [lines('two.jsonl', 2)]);
    await engine.generations.switchTo('one');
    const generations = createOpenGenerations(workshop.dependencies);
    expect(await search(generations, 'the island')).toEqual(['Island 1', 'Island 1']);
    await engine.generations.switchTo('two');
    expect(await search(generations, 'the island')).toEqual(['Island 2', 'Island 2']);
    await generations.close();
  });

  test('and the one that is searched is not dropped', async () => {
    const { generations } = workshop.dependencies.engine;
    await build('one', [lines('one.jsonl', 1)]);
    await build('two', [lines('two.jsonl', 2)]);
    await generations.switchTo('two');
    await expect(generations.drop('two')).rejects.toMatchObject({ code: 'is_current' });
    await generations.drop('one');
    expect((await generations.list()).map(({ generation }) => generation)).toEqual(['two']);
  });
});

describe('verify finds', () => {
  beforeEach(() => build('isle', [lines('isle.jsonl', 1, 2)]));
  const fileOf = (name: string) => join(workshop.dependencies.dataDir, 'corpus', 'isle', name);

  test('a shard file that is cut short', async () => {
    truncateSync(fileOf('dense-0.faiss'), 100);
    expect(await verify('isle')).toEqual(['damaged_file: dense-0.faiss: is not as long as the manifest says']);
  });

  test('a passage that an arm lacks', async () => {
    const opened = await open('isle');
    await (await opened.sparse()).remove([2]);
    opened.dense(0).remove([3, 4]);
    await opened.close();
    expect(await verify('isle')).toEqual([
      'not_in_sparse: 1 passages are not in the sparse arm: 2',
      'not_in_dense: 2 passages are not in the dense arm: 3, 4',
    ]);
  });

  test('a passage that the corpus lacks, and that the arms still have', async () => {
    const { corpus, close } = await open('isle');
    corpus.database.exec('DELETE FROM passages WHERE id = 1');
    await close();
    expect(await verify('isle')).toEqual([
      `missing_passage: ${aLine(1).url} has 1 passages, the last at place 2`,
      'too_many: the sparse arm has 1 passages too many',
      'too_many: the dense arm has 1 passages too many',
    ]);
  });

  test('another encoder', async () => {
    expect(await verify('isle', 'words-65')).toEqual([
      'other_encoder: its vectors are of words-64, installed is words-65',
    ]);
  });
});

test('stats count pages by language and site, and name what was left out', async () => {
  await build('isle', [workshop.jsonl('isle.jsonl', [...[1, 2, 5, 8].map(aLine), 'no JSON'])]);
  await workshop.dependencies.engine.generations.switchTo('isle');
  const [stats] = await readStats(workshop.dependencies.engine, workshop.dependencies.dataDir);
  expect(stats).toMatchObject({ generation: 'isle', current: true, state: 'ready', pages: 4, passages: 8 });
  expect(stats?.shards).toMatchObject([{ shard: 0, type: 'flat' }]);
  expect(stats?.details).toMatchObject({
    languages: [
      { name: 'en', pages: 3, passages: 6 },
      { name: 'de', pages: 1, passages: 2 },
    ],
    broken: { count: 1, byCode: { not_json: 1 } },
  });
  expect(stats?.details?.domains[0]).toEqual({ name: 'isle-1.example', pages: 2, passages: 4 });
});
