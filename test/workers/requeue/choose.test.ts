import type { Finding } from '../../../shared/citation.ts';
import { type Among, type Criteria, chooseArticles } from '../../../workers/requeue/choose.ts';
import { aFinding } from '../../support/examples.ts';
import { citing, findingOf, openStore, revisionWith, type Store } from '../review/store.ts';

const wiki = aFinding.wiki;
const source = 'https://harbour.example/fire';
const page = (id: number) => ({ id, title: `Harbour ${id}` });
const unread = (finding: Finding, reason: 'blocked' | 'paywall', id: number): Finding => ({
  ...citing(finding, `https://${reason}.example/`),
  citations: [
    ...finding.citations,
    ...citing(finding, `https://${reason}.example/`).citations.map((citation) => ({
      ...citation,
      reason,
      score: null,
    })),
  ],
  page: page(id),
});

let store: Store;
beforeAll(async () => {
  store = await openStore();
  const findings = [
    { ...citing(findingOf('The harbour burned in 1902.'), source), page: page(1) },
    unread(findingOf('It was rebuilt in brick.'), 'blocked', 2),
    unread(findingOf('It has nine berths.'), 'paywall', 3),
    { ...findingOf('It closed.', { model: 'test-2', verdict: 'contradicted' as const }), page: page(4) },
    { ...findingOf('It opened.'), page: page(4), searched: { shardsAsked: 10, shardsAnswered: 10, missing: [] } },
    {
      ...findingOf('It was moved.'),
      page: page(7),
      searched: { shardsAsked: 10, shardsAnswered: 9, missing: ['retrieval-dense-1'] },
    },
    { ...findingOf('Elsewhere.'), wiki: 'other.example', page: page(5) },
    { ...findingOf('It was sold.'), page: page(6) },
  ];
  for (const finding of findings) await store.findings.record(finding);
  await store.decide(2, { decision: 'accept' });
  await store.findings.reconcile({ ...revisionWith(20), page: page(6) });
});
afterAll(() => store.close());

async function chosen(criteria: Omit<Criteria, 'wiki'>, among: Among = {}) {
  const claims: string[] = [];
  for await (const articles of chooseArticles(store.db, { wiki, ...criteria }, among)) {
    for (const { id, chosen: anchors } of articles) claims.push(...anchors.map(() => `${id}`));
  }
  return claims.join(' ');
}

test('findings are chosen by each thing that is known of them, open and decided ones alike', async () => {
  const [cited] = citing(aFinding, source).citations;
  expect(await chosen({})).toBe('1 2 3 4 4 7');
  expect(await chosen({ citation: cited?.hash })).toBe('1');
  expect(await chosen({ reason: 'blocked' })).toBe('2');
  expect(await chosen({ verdict: 'contradicted' })).toBe('4');
  expect(await chosen({ model: { is: 'test-2' } })).toBe('4');
  expect(await chosen({ model: { not: 'test-2' } })).toBe('1 2 3 4 7');
  expect(await chosen({ searchedPartly: true })).toBe('7');
  expect(await chosen({}, { pages: [3, 4, 5, 6] })).toBe('3 4 4');
  expect(await chosen({}, { titles: ['Harbour 1', 'Harbour 3'] })).toBe('1 3');
});

test('all that is asked must hold, of a citation and its reason together', async () => {
  expect(await chosen({ verdict: 'contradicted', model: { not: 'test-2' } })).toBe('');
  expect(await chosen({ reason: 'blocked', citation: aFinding.citations[0]?.hash })).toBe('');
  expect(await chosen({ reason: 'blocked' }, { pages: [3] })).toBe('');
});

test('by age goes by when a finding was judged, whatever happened to it since', async () => {
  await store.db.updateTable('findings').set({ judged_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', 3).execute();
  expect(await chosen({ before: '2026-02-01T00:00:00.000Z' })).toBe('3');
  expect(await chosen({ before: '2025-02-01T00:00:00.000Z' })).toBe('');
});

test('articles come some at a time, each once, with all of its claims and its newest revision', async () => {
  const other = await openStore();
  for (let id = 120; id > 0; id -= 1) {
    await other.findings.record({ ...findingOf('It closed.'), page: page(id) });
    await other.findings.record({ ...findingOf('It opened.', { revision: 15 }), page: page(id) });
  }
  const steps: number[] = [];
  const ids: number[] = [];
  for await (const articles of chooseArticles(other.db, { wiki }, {})) {
    steps.push(articles.length);
    ids.push(...articles.map(({ id }) => id));
    expect(articles.every(({ revision, chosen: anchors }) => revision === 15 && anchors.length === 2)).toBe(true);
  }
  await other.close();
  expect(steps).toEqual([50, 50, 20]);
  expect(ids).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
});
