import type { Decision, DecisionReason, Verdict } from '../../../shared/citation.ts';
import { judgedKey } from '../../../workers/review/judged.ts';
import type { Person } from '../../../workers/review/leases.ts';
import { reasonsFor } from '../../../workers/review/reasons.ts';
import { aFinding } from '../../support/examples.ts';
import { ALL, aPerson, citing, failing, findingOf, openStore, revisionWith, type Store, searched } from './store.ts';

let store: Store;
let ada: Person;
let ben: Person;
beforeEach(async () => {
  store = await openStore();
  [ada, ben] = [await aPerson(store.db, 'Ada'), await aPerson(store.db, 'Ben')];
  await store.findings.record(aFinding);
});
afterEach(() => store.close());

const kept = () => store.db.selectFrom('decisions').selectAll().execute();

test.each<[Decision, Verdict, object]>([
  ['accept', 'not_supported', { state: 'accepted', closedBecause: null }],
  ['accept', 'unavailable', { state: 'accepted', closedBecause: null }],
  ['accept', 'supported', { state: 'closed', closedBecause: 'decided' }],
  ['reject', 'contradicted', { state: 'closed', closedBecause: 'decided' }],
  ['reject', 'uncheckable', { state: 'closed', closedBecause: 'decided' }],
  ['cant_tell', 'not_supported', { state: 'open', closedBecause: null }],
  ['skip', 'supported', { state: 'open', closedBecause: null }],
])('%s of %s leaves the finding as it should', async (decision, verdict, state) => {
  await store.findings.record({ ...aFinding, verdict });
  expect(await store.decide(1, { decision })).toMatchObject({ ...state, decision });
});

test('a decision is kept with who, why, when and what was decided on, and ends the lease', async () => {
  const now = Date.parse('2026-03-01T10:00:00.000Z');
  await store.decisions.take(1, ada);
  await store.decide(1, { decision: 'accept', reason: 'source_silent', comment: 'Page 3 too.' });
  expect(await kept()).toMatchObject([
    { decision: 'accept', reason: 'source_silent', comment: 'Page 3 too.', user_id: ada.id, undone_at: null },
  ]);
  const [decision] = await kept();
  expect(JSON.parse(decision?.judged ?? '')).toEqual(aFinding);
  expect(Date.parse(decision?.created_at ?? '')).toBeGreaterThan(now);
  expect(await store.decisions.holderOf(1)).toBeNull();
  const row = await store.db.selectFrom('findings').select('decided_by').executeTakeFirstOrThrow();
  expect(row.decided_by).toBe(ada.id);
  expect(await store.decisions.history(1)).toMatchObject([
    { by: 'Ada', decision: 'accept', reason: 'source_silent', comment: 'Page 3 too.', undoneAt: null, revision: 12 },
  ]);
});

test('without a lease nothing is decided, and it is said whose it is', async () => {
  await expect(store.decisions.decide(1, { decision: 'accept' }, ada)).rejects.toMatchObject({
    code: 'no_lease',
    message: expect.stringContaining('run out'),
  });
  await store.decisions.take(1, ben);
  await expect(store.decisions.decide(1, { decision: 'accept' }, ada)).rejects.toMatchObject({
    code: 'no_lease',
    message: expect.stringMatching(/^Ben looks at this finding until \d\d:\d\d UTC/),
  });
  expect(await kept()).toEqual([]);
});

test('who comes second is told who decided what and when', async () => {
  await store.decide(1, { decision: 'reject' });
  await expect(store.decisions.decide(1, { decision: 'accept' }, ben)).rejects.toMatchObject({
    code: 'decided',
    message: expect.stringMatching(/^Ada decided on this finding on \d{4}-\d\d-\d\d at \d\d:\d\d UTC\. .*is fine/),
  });
  await expect(store.decisions.take(1, ben)).rejects.toMatchObject({ code: 'decided' });
});

test('what the article has settled since is closed, with the reason', async () => {
  await store.decisions.take(1, ada);
  await store.findings.reconcile(revisionWith(13, citing(aFinding, 'https://new.example/')));
  await expect(store.decisions.decide(1, { decision: 'accept' }, ada)).rejects.toMatchObject({
    code: 'closed',
    message: expect.stringContaining('other citations'),
  });
});

test('the same form sent twice is done once; by another person, or with another answer, it is refused', async () => {
  const form = { decision: 'accept', reason: 'partly', comment: 'Half of it.', judged: judgedKey(aFinding) } as const;
  await store.decisions.take(1, ada);
  const [first, second] = await Promise.all([
    store.decisions.decide(1, form, ada),
    store.decisions.decide(1, form, ada),
  ]);
  expect(second).toEqual(first);
  await expect(store.decisions.decide(1, form, ben)).rejects.toMatchObject({ code: 'decided' });
  await expect(store.decisions.decide(1, { ...form, comment: 'All.' }, ada)).rejects.toMatchObject({ code: 'decided' });
  expect(await kept()).toHaveLength(1);
});

test('a skip sent twice puts off once; who opens the finding anew puts it off anew', async () => {
  const deferrals = async () => (await store.db.selectFrom('findings').select('deferrals').execute())[0]?.deferrals;
  await store.decide(1, { decision: 'skip' });
  await store.decisions.decide(1, { decision: 'skip' }, ada);
  expect(await deferrals()).toBe(1);
  await store.decide(1, { decision: 'skip' });
  expect(await deferrals()).toBe(2);
});

test('a decision on what was judged anew since is stale; another look that found the same is not', async () => {
  const form = { decision: 'accept', judged: judgedKey(aFinding) } as const;
  await store.decisions.take(1, ada);
  await store.findings.record({ ...aFinding, verdict: 'contradicted' });
  await expect(store.decisions.decide(1, form, ada)).rejects.toMatchObject({ code: 'stale' });
  expect(await kept()).toEqual([]);
  await store.findings.record({ ...searched(aFinding), revision: 13 });
  expect(await store.decisions.decide(1, form, ada)).toMatchObject({ state: 'accepted' });
});

test('what a finding says changes with its verdict, quote, missing words and details', () => {
  const findings = [aFinding, failing('not_supported'), failing('contradicted'), { ...aFinding, model: 'test-2' }];
  const evidence = { quote: 'It shut.', url: 'https://a.example/', title: '', start: 0, end: 8, passage: 'It shut.' };
  expect(new Set([...findings, { ...aFinding, evidence }].map(judgedKey)).size).toBe(5);
});

test.each<[Decision, Verdict, DecisionReason]>([
  ['accept', 'contradicted', 'claim_reworded'],
  ['reject', 'not_supported', 'source_silent'],
  ['skip', 'not_supported', 'partly'],
  ['accept', 'unavailable', 'source_disagrees'],
  ['accept', 'unsourced', 'source_silent'],
])('%s of %s has no reason %s', async (decision, verdict, reason) => {
  await store.findings.record({ ...aFinding, verdict });
  await expect(store.decide(1, { decision, reason })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^reason: /),
  });
  expect(await kept()).toEqual([]);
});

test('every reason that is offered is taken', async () => {
  const verdicts = ['not_supported', 'supported', 'unavailable', 'unsourced'] as const;
  for (const verdict of verdicts) {
    for (const decision of ['accept', 'reject', 'cant_tell'] as const) {
      for (const reason of reasonsFor(decision, verdict)) {
        await store.findings.record(findingOf(`${decision} ${verdict} ${reason}.`, { verdict }));
        const [row] = await store.findings.list({ ...ALL, state: 'open', verdict }, { limit: 1 });
        expect(await store.decide(row?.id ?? 0, { decision, reason })).toMatchObject({ decision });
      }
    }
  }
});

test('an unknown finding is not found', async () => {
  await expect(store.decisions.decide(99, { decision: 'accept' }, ada)).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.decisions.take(99, ada)).rejects.toMatchObject({ code: 'not_found' });
});

test('an accepted finding is found again by a requeue and by a source that can be read again', async () => {
  const citations = aFinding.citations.map((citation) => ({ ...citation, reason: 'blocked' as const, score: null }));
  const unread = { ...aFinding, citations, verdict: 'unavailable', score: null, reason: 'blocked' } as const;
  await store.findings.record({ ...unread, revision: 13 });
  await store.findings.reconcile(revisionWith(13, aFinding));
  await store.decide(1, { decision: 'accept', reason: 'source_unreadable' });
  const back = { kind: 'source_back', citation: citations[0]?.hash ?? '', contentHash: 'a'.repeat(16) } as const;
  expect(await store.findings.sourceBack(back)).toHaveLength(1);
});
