import type { CheckedCitation } from '../../../shared/citation.ts';
import { hashCitations } from '../../../shared/hash.ts';
import { jobId, stages } from '../../../shared/pipeline.ts';
import { aCitation, aFinding } from '../../support/examples.ts';
import { findingOf, openStore, revisionWith, type Store } from './store.ts';

const contentHash = 'feedfeedfeedfeed';
const unread: CheckedCitation = {
  ...aCitation,
  score: null,
  reason: 'blocked',
  readUrl: null,
  archivedAt: null,
  reliability: null,
};
const citation = aCitation.hash;

let store: Store;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

const lost = (text: string) =>
  findingOf(text, { verdict: 'unavailable', score: null, reason: 'blocked', citations: [unread] });

test('open claims that a page could not be read for are checked again, at the newest revision of their article', async () => {
  const [one, two, read] = [lost('The mill burned.'), lost('The mill was sold.'), findingOf('The mill closed.')];
  for (const finding of [one, two, read]) await store.findings.record(finding);
  await store.findings.reconcile(revisionWith(20, one, two, read));
  const next = await store.findings.sourceBack({ kind: 'source_back', citation, contentHash });
  const chosen = [one, two].map(({ claim, citations }) => ({ claim: claim.hash, citations: hashCitations(citations) }));
  expect(next).toEqual([
    {
      stage: 'articles',
      input: {
        wiki: aFinding.wiki,
        page: aFinding.page,
        revision: 20,
        previous: null,
        scope: 'chosen',
        chosen,
        request: `b${contentHash}`,
      },
    },
  ]);
  for (const job of next) {
    expect(stages[job.stage].input.safeParse(job.input).error).toBeUndefined();
    expect(jobId(job)).not.toContain(':');
  }
});

test('what is closed, or cites another page, is left alone', async () => {
  const finding = lost('The mill burned.');
  await store.findings.record(finding);
  await store.findings.reconcile(revisionWith(20, finding));
  expect(await store.findings.sourceBack({ kind: 'source_back', citation: '0'.repeat(16), contentHash })).toEqual([]);
  await store.decide(1, { decision: 'reject' });
  expect(await store.findings.sourceBack({ kind: 'source_back', citation, contentHash })).toEqual([]);
});
