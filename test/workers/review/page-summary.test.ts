/** What a talk page is told of its article. */
import { summarizePage } from '../../../workers/review/page-summary.ts';
import { failing, findingOf, OPEN, openStore, revisionWith, type Store } from './store.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

test('what a person accepted and nobody mended still counts, as it does in the list', async () => {
  const finding = failing('not_supported');
  await store.findings.record(finding);
  await store.findings.reconcile(revisionWith(finding.revision, finding, findingOf('The mill burned.')));
  const [row] = await store.findings.list(OPEN, { limit: 1 });
  await store.decide(row?.id ?? 0, { decision: 'accept' });
  const summary = await summarizePage(store.db, finding.wiki, finding.page.title);
  expect(summary.counts).toEqual({ not_supported: 1 });
  expect(summary.coverage).toEqual({ checked: 1, claims: 2 });
});

test('of a page that nobody has read nothing is said', async () => {
  const summary = await summarizePage(store.db, 'wiki.example', 'Nowhere');
  expect(summary).toEqual({ page: null, coverage: null, counts: {}, optedOut: false, checkedAt: null });
});
