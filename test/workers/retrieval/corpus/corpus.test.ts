import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillIndexes, indexPassages } from '../../../../workers/retrieval/corpus/index-passages.ts';
import { createDense } from '../../../../workers/retrieval/dense/retrieve.ts';
import { toWords } from '../../../../workers/retrieval/sparse/query.ts';
import { type Encoder, loadEncoder } from '../../../../workers/verification/encoder.ts';
import { aClaim } from '../../../support/examples.ts';
import { aContext, aPage, type Installation, openInstallation } from '../installation.ts';

let encoder: Encoder;
let installed: Installation;
beforeAll(async () => {
  encoder = await loadEncoder('workers/models');
});
beforeEach(() => {
  installed = openInstallation(encoder);
});
afterEach(() => installed.remove());

const url = 'https://orrin.example/mill';
const mill = aPage(url, 'The mill', 'The stone mill at Orrin Bay ground its last sack in 1931.');
const newer = aPage(url, 'The mill', 'A museum of knitting has moved into the old building.');
const choir = aPage('https://orrin.example/choir', 'The choir', 'The parish choir sings on Sundays.');
const signal = new AbortController().signal;

/** URLs of what each arm finds for a claim, best first. */
async function find(text: string): Promise<{ sparse: string[]; dense: string[] }> {
  const { corpus, sparse, dense } = installed;
  const claim = { ...aClaim, text, title: '' };
  const bySparse = await sparse.search(toWords(claim), 10);
  const input = { wiki: 'wiki.example', page: { id: 1, title: 'Orrin Bay' }, revision: 2, claim, shard: 0 };
  const { answer } = await createDense({ index: dense, encoder })(input, aContext());
  const urls = (hits: { passageId: number }[]) =>
    corpus.passages(hits.map((hit) => hit.passageId)).map((passage) => passage.url);
  return { sparse: urls(bySparse), dense: urls(answer.hits) };
}

test('a page is found by both arms, however often it was added', async () => {
  await installed.add(choir);
  await installed.add(mill);
  await installed.add(mill);
  expect(await find('The mill stopped grinding.')).toEqual({ sparse: [url], dense: [url, choir.url] });
});

test('a page whose content changed is found by its new content only', async () => {
  await installed.add(mill);
  await installed.add(newer);
  expect(installed.corpus.size()).toEqual({ pages: 1, passages: 1 });
  expect((await find('ground its last sack')).sparse).toEqual([]);
  expect(await find('museum of knitting')).toEqual({ sparse: [url], dense: [url] });
  expect(installed.dense.size).toBe(1);
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
  expect(installed.corpus.size().pages).toBe(1);
});

test('a run that ended between the arms is repaired by the next', async () => {
  const sourceKey = await installed.add(mill);
  installed.dense.remove([1]);
  expect((await find('mill')).dense).toEqual([]);
  await installed.handle({ sourceKey, contentHash: mill.contentHash }, aContext());
  expect(await find('mill')).toEqual({ sparse: [url], dense: [url] });
});

test('an aborted run adds nothing to the dense arm and leaves the rest to the next', async () => {
  const sourceKey = await installed.store.put(mill);
  const input = { sourceKey, contentHash: mill.contentHash };
  const aborted = { ...aContext(), signal: AbortSignal.abort() };
  await expect(installed.handle(input, aborted)).rejects.toThrow();
  expect(installed.dense.size).toBe(0);
  await installed.handle(input, aContext());
  expect(installed.dense.size).toBe(1);
});

test('an index that was deleted is filled again from the corpus', async () => {
  await installed.add(mill);
  await installed.add(choir);
  installed.close();
  for (const file of ['sparse.sqlite', 'dense-0.sqlite']) rmSync(join(installed.directory, file));
  installed = openInstallation(encoder, installed.directory);
  expect(await find('mill')).toEqual({ sparse: [], dense: [] });
  await fillIndexes(installed, signal);
  expect(await find('mill')).toEqual({ sparse: [url], dense: [url, choir.url] });
});

test('ids that the corpus has not are not indexed', async () => {
  await indexPassages(installed, [99], signal);
  expect(installed.dense.size).toBe(0);
});
