import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RefuseToStart, RequestError } from '../../../../shared/errors.ts';
import { fillIndexes, indexPassages } from '../../../../workers/retrieval/corpus/index-passages.ts';
import { armsOf, type OpenGeneration } from '../../../../workers/retrieval/corpus/open-generation.ts';
import { encodeClaim } from '../../../../workers/retrieval/dense/encode.ts';
import { toWords, weigh } from '../../../../workers/retrieval/sparse/query.ts';
import { type Encoder, loadEncoder } from '../../../../workers/verification/encoder.ts';
import { aContext, aPage, type Installation, openInstallation } from '../installation.ts';

let encoder: Encoder;
let installed: Installation;
beforeAll(async () => {
  encoder = await loadEncoder('workers/models');
});
beforeEach(async () => {
  installed = await openInstallation(encoder);
});
afterEach(() => installed.remove());

const url = 'https://orrin.example/mill';
const mill = aPage(url, 'The mill', 'The stone mill at Orrin Bay ground its last sack in 1931.');
const newer = aPage(url, 'The mill', 'A museum of knitting has moved into the old building.');
const choir = aPage('https://orrin.example/choir', 'The choir', 'The parish choir sings on Sundays.');
const signal = new AbortController().signal;

async function current(): Promise<OpenGeneration> {
  const generation = await installed.generations.current();
  if (generation === null) throw new Error('no generation was begun');
  return generation;
}

/** URLs of what each arm finds for a claim, best first. */
async function find(text: string): Promise<{ sparse: string[]; dense: string[] }> {
  const generation = await current();
  const claim = { text, title: '' };
  const bySparse = await (await generation.sparse()).search(weigh(toWords(claim)), 10);
  const byDense = generation.held(0).search(await encodeClaim(encoder, claim), 10);
  const urls = (hits: { passageId: number }[]) =>
    generation.corpus.passages(hits.map((hit) => hit.passageId)).map((passage) => passage.url);
  return { sparse: urls(bySparse.hits), dense: urls(byDense) };
}

test('the first page begins a generation, and both arms find it, however often it was added', async () => {
  expect(await installed.generations.current()).toBeNull();
  await installed.add(choir);
  expect((await current()).manifest).toMatchObject({ generation: 'fetched', state: 'ready' });
  await installed.add(mill);
  await installed.add(mill);
  expect(await find('The mill stopped grinding.')).toEqual({ sparse: [url], dense: [url, choir.url] });
});

test('a page whose content changed is found by its new content only', async () => {
  await installed.add(mill);
  await installed.add(newer);
  const { corpus, held } = await current();
  expect(corpus.size()).toEqual({ pages: 1, passages: 1 });
  expect((await find('ground its last sack')).sparse).toEqual([]);
  expect(await find('museum of knitting')).toEqual({ sparse: [url], dense: [url] });
  expect(held(0).size).toBe(1);
});

test('a page with the words of another is left out', async () => {
  await installed.add(mill);
  await installed.add({ ...mill, url: 'https://copies.example/mill' });
  expect((await current()).corpus.size().pages).toBe(1);
});

test('a page that can no longer be read, or was never stored, leaves the corpus as it is', async () => {
  const sourceKey = await installed.add(mill);
  await installed.store.put({
    kind: 'unavailable',
    url,
    reason: 'dead',
    detail: 'HTTP 404',
    fetchedAt: mill.fetchedAt,
  });
  const input = { sourceKey, contentHash: mill.contentHash };
  expect(await installed.handle(input, aContext())).toEqual({ answer: null, next: [] });
  await installed.handle({ ...input, sourceKey: '0000000000000000' }, aContext());
  expect((await current()).corpus.size().pages).toBe(1);
});

test('a run that ended between the arms is repaired by the next', async () => {
  const sourceKey = await installed.add(mill);
  (await current()).dense(0).remove([1]);
  expect((await find('mill')).dense).toEqual([]);
  await installed.handle({ sourceKey, contentHash: mill.contentHash }, aContext());
  expect(await find('mill')).toEqual({ sparse: [url], dense: [url] });
});

test('an aborted run adds nothing to the dense arm and leaves the rest to the next', async () => {
  const sourceKey = await installed.store.put(mill);
  const input = { sourceKey, contentHash: mill.contentHash };
  const aborted = { ...aContext(), signal: AbortSignal.abort() };
  await expect(installed.handle(input, aborted)).rejects.toThrow();
  expect((await current()).held(0).size).toBe(0);
  await installed.handle(input, aContext());
  expect((await current()).held(0).size).toBe(1);
});

test('an index that was deleted is filled again from the corpus', async () => {
  await installed.add(mill);
  await installed.add(choir);
  await installed.close();
  for (const file of ['sparse.sqlite', 'dense-0.sqlite']) rmSync(join(installed.directory, 'corpus', 'fetched', file));
  installed = await openInstallation(encoder, installed.directory);
  expect((await (await current()).sparse()).search(weigh(['mill']), 10)).resolves.toMatchObject({ hits: [] });
  await fillIndexes(await armsOf(await current(), encoder), signal);
  expect(await find('mill')).toEqual({ sparse: [url], dense: [url, choir.url] });
});

test('ids that the corpus has not are not indexed', async () => {
  await installed.add(mill);
  await indexPassages(await armsOf(await current(), encoder), [99], signal);
  expect((await current()).held(0).size).toBe(1);
});

test('a growing generation is encoded again for another encoder', async () => {
  await installed.add(mill);
  const other = { ...encoder, version: 'another' };
  const generation = await installed.generations.grow(other);
  expect(generation.manifest.encoder.version).toBe('another');
  await fillIndexes(await armsOf(generation, other), signal);
  expect(generation.held(0).size).toBe(1);
});

test('a sealed generation is not grown by another encoder', async () => {
  await installed.add(mill);
  const manifest = (await current()).manifest;
  const files = [{ name: 'dense-0.faiss', bytes: 1, sha256: '0'.repeat(64) }];
  const sealed = { type: 'flat' as const, passages: 1, files };
  await installed.engine.generations.save({ ...manifest, shards: [{ shard: 0, sealed }] });
  await expect(installed.generations.grow({ ...encoder, version: 'another' })).rejects.toThrow(RefuseToStart);
});

test('a generation that is not there, and a shard that this host has not, are refused', async () => {
  await installed.add(mill);
  await expect(installed.generations.open('other')).rejects.toThrow(RequestError);
  const generation = await installed.generations.open('fetched');
  expect(() => generation.held(1)).toThrow(RefuseToStart);
});
