import type { Row } from '../../../workers/review/queue.ts';
import { aFinding } from '../../support/examples.ts';
import { ALL, citing, findingOf, OPEN, openStore, revisionWith, type Store, searched } from './store.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

const rows = () => store.findings.list(ALL, { limit: 100 });
const only = async (): Promise<Row> => {
  const [row, ...more] = await rows();
  if (row === undefined || more.length > 0) throw new Error('not exactly one row');
  return row;
};

test('recording twice keeps one row', async () => {
  await store.findings.record(aFinding);
  await store.findings.record(aFinding);
  expect(await only()).toMatchObject({ state: 'open', decision: null, closedBecause: null, finding: aFinding });
});

test('a suggestion is kept, whichever record comes last', async () => {
  await store.findings.record(aFinding);
  await store.findings.record(searched(aFinding));
  expect((await only()).finding).toEqual(searched(aFinding));
  await store.findings.record(aFinding);
  expect((await only()).finding).toEqual(searched(aFinding));
});

test('a suggestion for an older revision, or another verdict, is not shown with a newer one', async () => {
  await store.findings.record(searched(aFinding));
  await store.findings.record({ ...aFinding, verdict: 'supported', score: 0.9 });
  expect((await only()).finding).toMatchObject({ verdict: 'supported', suggestion: null, searched: null });
  await store.findings.record(searched(aFinding));
  await store.findings.record({ ...aFinding, revision: 13 });
  expect((await only()).finding).toMatchObject({ revision: 13, suggestion: null, searched: null });
});

test('a late finding of an older revision takes the title that its page has now', async () => {
  const page = { ...aFinding.page, title: 'Orrin Harbour' };
  await store.findings.reconcile({ ...revisionWith(13, aFinding), page });
  await store.findings.record(aFinding);
  expect(
    (await store.findings.list({ ...OPEN, page: page.title }, { limit: 9 })).map((row) => row.finding.page),
  ).toEqual([page]);
});

test('an older revision never overwrites a newer one', async () => {
  await store.findings.record({ ...aFinding, revision: 14, score: 0.1 });
  await store.findings.record({ ...aFinding, revision: 13, score: 0.9 });
  expect((await only()).finding).toMatchObject({ revision: 14, score: 0.1 });
});

test('another citation behind the same claim is another finding', async () => {
  await store.findings.record(aFinding);
  await store.findings.record(citing(aFinding, 'https://other.example/'));
  expect(await rows()).toHaveLength(2);
});

test('a newer model supersedes the open finding of an older one, and a replay of the older changes nothing', async () => {
  await store.findings.record(aFinding);
  await store.findings.record({ ...aFinding, model: 'test-2', score: 0.3 });
  await store.findings.record(aFinding);
  const open = await store.findings.list(OPEN, { limit: 9 });
  expect(open.map((row) => row.finding.model)).toEqual(['test-2']);
  expect((await rows()).map((row) => row.closedBecause).sort()).toEqual([null, 'superseded'].sort());
});

test('a model that is put back takes over again at the next revision', async () => {
  await store.findings.record(aFinding);
  await store.findings.record({ ...aFinding, model: 'test-2' });
  await store.findings.record({ ...aFinding, revision: 13 });
  const open = await store.findings.list(OPEN, { limit: 9 });
  expect(open.map((row) => row.finding.model)).toEqual(['test-1']);
});

test('what a person decided stays decided, for every model', async () => {
  await store.findings.record(aFinding);
  await store.decide((await only()).id, { decision: 'reject' });
  await store.findings.record({ ...aFinding, revision: 15 });
  await store.findings.record({ ...aFinding, revision: 16, model: 'test-2' });
  expect(await only()).toMatchObject({ state: 'closed', closedBecause: 'decided', decision: 'reject' });
});

test('a finding of an older revision whose claim is gone by now is never opened', async () => {
  await store.findings.reconcile(revisionWith(20, citing(findingOf('Another claim.'), 'https://other.example/')));
  await store.findings.record(aFinding);
  expect(await only()).toMatchObject({ state: 'closed', closedBecause: 'removed' });
});

test('a late search of a claim that is gone by now does not reopen it', async () => {
  await store.findings.record(aFinding);
  await store.findings.reconcile(revisionWith(20));
  await store.findings.record(searched(aFinding));
  const row = await only();
  expect(row).toMatchObject({ state: 'closed', closedBecause: 'removed' });
  expect(row.finding.suggestion).not.toBeNull();
});

test('of two models that judged a claim while it was gone, one is open once it is back', async () => {
  await store.findings.record(aFinding);
  await store.findings.reconcile(revisionWith(20));
  await store.findings.record({ ...aFinding, model: 'test-2' });
  await store.findings.reconcile(revisionWith(21, aFinding));
  const open = await store.findings.list(OPEN, { limit: 9 });
  expect(open.map((row) => row.finding.model)).toEqual(['test-2']);
});

test('a finding of a version that did not know missing words, mismatches and second opinions is read without them', async () => {
  await store.findings.record(searched(aFinding));
  const { failed, missing, mismatches, uncheckable, secondOpinion, ...old } = searched(aFinding);
  await store.db
    .updateTable('findings')
    .set({ finding: JSON.stringify(old) })
    .execute();
  const unknown = { failed: null, missing: [], mismatches: [], uncheckable: null, secondOpinion: null };
  expect((await only()).finding).toEqual({ ...old, ...unknown });
  await store.findings.record(aFinding);
  expect((await only()).finding).toEqual(searched(aFinding));
});
