import type { Finding } from '../../../shared/citation.ts';
import { aFinding } from '../../support/examples.ts';
import { ALL, citing, findingOf, OPEN, openStore, revisionWith, type Store } from './store.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

/** The example finding, judged on a text of this hash that says this. */
function judged(contentHash: string | null, quote: string, changes: Partial<Finding> = {}): Finding {
  const read = { score: 0.2, reason: null, readUrl: 'https://orrin.example/mill' };
  const unread = { score: null, reason: 'blocked' as const, readUrl: null };
  const citations = aFinding.citations.map((citation) => ({
    ...citation,
    ...(contentHash === null ? unread : { ...read, contentHash: contentHash.repeat(16) }),
  }));
  const at = { url: 'https://orrin.example/mill', title: 'The mill', start: 0, end: quote.length };
  return { ...aFinding, citations, evidence: { quote, ...at, passage: quote }, ...changes };
}
const holds = { verdict: 'supported', score: 0.9 } as const;
const shut1934 = judged('a', 'It shut in 1934.');

async function decideOn(finding: Finding, decision: 'accept' | 'reject') {
  await store.findings.record(finding);
  await store.decide(1, { decision, comment: 'I looked.' });
}
const open = async () =>
  (await store.findings.list({ ...OPEN, verdict: 'all' }, { limit: 9 })).map((row) => row.finding);

test('what was decided stays closed when any model judges the same texts again', async () => {
  await decideOn(shut1934, 'accept');
  await store.findings.record({ ...shut1934, ...holds, revision: 13 });
  await store.findings.record({ ...shut1934, ...holds, revision: 14, model: 'test-2' });
  await store.findings.record(judged('a', 'Another line.', { ...holds, model: 'test-3' }));
  expect(await open()).toEqual([]);
  expect((await store.findings.get(1)).finding.verdict).toBe('not_supported');
});

test('a page that shows another date or counter at every look opens nothing', async () => {
  await decideOn(shut1934, 'accept');
  await store.findings.record(judged('b', 'It shut in 1934.', { revision: 13 }));
  await store.findings.record(judged('c', 'Another line.', { revision: 14 }));
  await store.findings.record(judged('d', 'It shut in  1934.', { ...holds, revision: 15 }));
  await store.findings.record(judged('c', 'Another line.', { ...holds, revision: 16, model: 'test-2' }));
  expect(await open()).toEqual([]);
});

test('a source that says something else now opens the finding again, says so, and keeps the decision in its history', async () => {
  await decideOn(shut1934, 'accept');
  const corrected = judged('b', 'Correction: it shut in 1931.', { ...holds, revision: 13 });
  await store.findings.record(corrected);
  expect(await store.findings.get(1)).toMatchObject({
    state: 'open',
    closedBecause: null,
    decision: null,
    reopenedBecause: 'source_changed',
    finding: corrected,
  });
  expect(await store.findings.history(1)).toMatchObject([
    { decision: 'accept', comment: 'I looked.', verdict: 'not_supported', revision: 12, model: 'test-1' },
  ]);
  await store.decide(1, { decision: 'accept' });
  expect(await store.findings.get(1)).toMatchObject({ closedBecause: 'decided', reopenedBecause: null });
  expect(await store.findings.history(1)).toHaveLength(2);
});

test('so does one that another model judges, with the decisions on what the first model said', async () => {
  await decideOn(shut1934, 'accept');
  await store.findings.record(judged('b', 'Correction: it shut in 1931.', { ...holds, model: 'test-2' }));
  const rows = await store.findings.list(ALL, { limit: 9 });
  expect(rows.map((row) => [row.finding.model, row.state, row.closedBecause]).sort()).toEqual([
    ['test-1', 'closed', 'superseded'],
    ['test-2', 'open', null],
  ]);
  const reopened = rows.find((row) => row.state === 'open');
  expect(reopened?.reopenedBecause).toBe('source_changed');
  expect(await store.findings.history(reopened?.id ?? 0)).toMatchObject([{ decision: 'accept' }]);
});

test('a verdict that agrees with the person opens nothing', async () => {
  await decideOn(shut1934, 'reject');
  await store.findings.record(judged('b', 'Correction: it shut in 1931.', { ...holds, revision: 13 }));
  expect(await open()).toEqual([]);
  await store.findings.record(judged('c', 'Never shut.', { verdict: 'contradicted', revision: 14 }));
  expect(await open()).toMatchObject([{ verdict: 'contradicted' }]);
});

test('a source that can’t be read any more opens nothing; one that can be read now does', async () => {
  const unread = judged(null, '', { verdict: 'unavailable', score: null, reason: 'blocked', evidence: null });
  await decideOn(shut1934, 'accept');
  await store.findings.record({ ...unread, revision: 13 });
  expect(await open()).toEqual([]);
  const page = { id: 8, title: 'Orrin Head' };
  await store.findings.record({ ...unread, page });
  await store.decide(2, { decision: 'accept' });
  await store.findings.record({ ...shut1934, page });
  expect(await open()).toMatchObject([{ page, verdict: 'not_supported' }]);
});

test('a text of which a former version kept no hash is not said to have changed', async () => {
  await decideOn(aFinding, 'accept');
  await store.findings.record(judged('b', 'Correction: it shut in 1931.', { ...holds, revision: 13 }));
  expect(await open()).toEqual([]);
});

test('a source that changed opens nothing where the claim is gone', async () => {
  await decideOn(shut1934, 'accept');
  await store.findings.reconcile(revisionWith(20, citing(findingOf('Another claim.'), 'https://other.example/')));
  await store.findings.record(judged('b', 'Correction: it shut in 1931.', { ...holds, revision: 13 }));
  expect(await store.findings.get(1)).toMatchObject({ state: 'closed', closedBecause: 'removed', decision: 'accept' });
});

test('what was accepted is not opened by a judgement that comes before word of the revert', async () => {
  await store.findings.reconcile(revisionWith(12, shut1934));
  await decideOn(shut1934, 'accept');
  await store.findings.reconcile(revisionWith(13));
  await store.findings.record({ ...shut1934, revision: 14 });
  expect(await open()).toEqual([]);
  await store.findings.reconcile(revisionWith(14, shut1934));
  expect(await store.findings.get(1)).toMatchObject({ state: 'accepted', decision: 'accept' });
});
