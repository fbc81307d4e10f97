import type { Finding } from '../../../shared/citation.ts';
import { ALL, findingOf, OPEN, openStore, type Store } from './store.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
  for (const finding of findings) await store.findings.record(finding);
});
afterEach(() => store.close());

const findings: Finding[] = [
  findingOf('supported', { verdict: 'supported', score: 0.95 }),
  findingOf('unavailable', { verdict: 'unavailable', score: null, reason: 'dead' }),
  findingOf('unsourced', { verdict: 'unsourced', score: null, citations: [] }),
  findingOf('uncheckable', { verdict: 'uncheckable', uncheckable: 'opinion', score: null }),
  findingOf('foreign', { verdict: 'unsupported_language', score: null }),
  findingOf('otherwise', { verdict: 'contradicted', score: 0.3 }),
  findingOf('partly', { verdict: 'partially_supported', score: 0.4 }),
  findingOf('not', { score: 0.1 }),
  findingOf('also not', { score: 0.1, wiki: 'other.example', page: { id: 8, title: 'Elsewhere' } }),
];

const texts = async (filter = OPEN, slice: { limit: number; after?: number } = { limit: 100 }) =>
  (await store.findings.list(filter, slice)).map((row) => row.finding.claim.text);
const idOf = async (text: string): Promise<number> => {
  const row = (await store.findings.list(ALL, { limit: 100 })).find((one) => one.finding.claim.text === text);
  if (row === undefined) throw new Error(`no finding of ${text}`);
  return row.id;
};

test('what a page contradicts comes first, then the lowest score, unreadable sources last', async () => {
  expect(await texts()).toEqual(['otherwise', 'not', 'also not', 'partly', 'unsourced', 'unavailable']);
});

test('a verdict goes before a score: what supports nothing comes before what supports a part', async () => {
  await store.findings.record(findingOf('scarcely a part', { verdict: 'partially_supported', score: 0.02 }));
  expect((await texts()).slice(0, 4)).toEqual(['otherwise', 'not', 'also not', 'scarcely a part']);
});

test('supported, uncheckable and foreign claims are not to be triaged, and come last when they are asked for', async () => {
  expect(await texts({ state: 'open', verdict: 'supported' })).toEqual(['supported']);
  expect(await texts({ state: 'open', verdict: 'uncheckable' })).toEqual(['uncheckable']);
  expect(await texts({ state: 'open', verdict: 'unsupported_language' })).toEqual(['foreign']);
  expect((await texts({ state: 'open', verdict: 'all' })).slice(-4)).toEqual([
    'unavailable',
    'foreign',
    'uncheckable',
    'supported',
  ]);
});

test('a list goes on after its last row', async () => {
  const [first, second] = await store.findings.list(OPEN, { limit: 2 });
  expect(first?.finding.claim.text).toBe('otherwise');
  expect(await texts(OPEN, { limit: 2, after: second?.id ?? 0 })).toEqual(['also not', 'partly']);
});

test('a list is filtered by wiki, page and state, and counted by verdict', async () => {
  expect(await texts({ ...OPEN, wiki: 'other.example' })).toEqual(['also not']);
  expect(await texts({ ...OPEN, page: 'Elsewhere' })).toEqual(['also not']);
  expect(await texts({ state: 'closed' })).toEqual([]);
  expect(await store.findings.counts(OPEN)).toEqual({
    contradicted: 1,
    not_supported: 2,
    partially_supported: 1,
    supported: 1,
    unavailable: 1,
    uncheckable: 1,
    unsourced: 1,
    unsupported_language: 1,
  });
});

test('what is skipped or can not be told stays open, at the end', async () => {
  await store.decide(await idOf('also not'), { decision: 'cant_tell' });
  await store.decide(await idOf('not'), { decision: 'skip' });
  expect(await texts()).toEqual(['otherwise', 'partly', 'unsourced', 'unavailable', 'not', 'also not']);
  await store.decide(await idOf('not'), { decision: 'skip' });
  expect(await texts()).toEqual(['otherwise', 'partly', 'unsourced', 'unavailable', 'also not', 'not']);
});

test('every finding knows its neighbours, and the last one leads back to the first', async () => {
  const ids = (await store.findings.list(OPEN, { limit: 9 })).map((row) => row.id);
  expect(await store.findings.neighbours(ids[1] ?? 0, OPEN)).toEqual({ previous: ids[0], next: ids[2] });
  expect(await store.findings.neighbours(ids[5] ?? 0, OPEN)).toEqual({ previous: ids[4], next: ids[0] });
  expect(await store.findings.neighbours(await idOf('also not'), { ...OPEN, wiki: 'other.example' })).toEqual({
    previous: null,
    next: null,
  });
});
