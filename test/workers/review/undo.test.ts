import type { Person } from '../../../workers/review/leases.ts';
import { aFinding } from '../../support/examples.ts';
import { aPerson, citing, decideAs, openStore, revisionWith, type Store } from './store.ts';

let store: Store;
let ada: Person;
beforeEach(async () => {
  store = await openStore();
  ada = await aPerson(store.db, 'Ada');
  await store.findings.record(aFinding);
});
afterEach(() => store.close());

const finding = () => store.db.selectFrom('findings').selectAll().executeTakeFirstOrThrow();

test.each(['accept', 'reject', 'cant_tell', 'skip'] as const)(
  '%s undone leaves the finding as it was',
  async (decision) => {
    const { updated_at: _, ...before } = await finding();
    await store.decide(1, { decision, comment: 'A slip.' });
    await store.decisions.undo(1, ada);
    expect(await finding()).toMatchObject(before);
    expect(await store.decisions.history(1)).toMatchObject([
      { decision, comment: 'A slip.', undoneAt: expect.any(String) },
    ]);
    expect(await store.decisions.holderOf(1)).toMatchObject({ name: 'Ada' });
  },
);

test('what stood before it stands again, another person’s too', async () => {
  await decideAs(store.db, 'Ben', 1, { decision: 'skip' });
  await store.decide(1, { decision: 'accept' });
  expect(await store.decisions.undo(1, ada)).toMatchObject({ state: 'open', decision: 'skip' });
  await expect(store.decisions.undo(1, ada)).rejects.toMatchObject({ code: 'not_yours' });
  await store.decide(1, { decision: 'reject' });
  expect(await store.decisions.history(1)).toHaveLength(3);
});

test('one that has opened again keeps why, when its new decision is undone', async () => {
  const on = (contentHash: string, quote: string) => {
    const citations = aFinding.citations.map((citation) => ({ ...citation, contentHash: contentHash.repeat(16) }));
    const at = { url: 'https://orrin.example/mill', title: 'The mill', start: 0, end: quote.length };
    return { ...aFinding, citations, evidence: { quote, ...at, passage: quote } };
  };
  await store.findings.record(on('a', 'It shut in 1934.'));
  await store.decide(1, { decision: 'reject' });
  await store.findings.record({ ...on('b', 'It never shut.'), verdict: 'contradicted' });
  await expect(store.decisions.undo(1, ada)).rejects.toMatchObject({ code: 'reopened' });
  await store.decide(1, { decision: 'accept' });
  expect(await store.decisions.undo(1, ada)).toMatchObject({ state: 'open', reopenedBecause: 'source_changed' });
});

test('what was judged anew since a skip keeps its new place, without the skip', async () => {
  await store.decide(1, { decision: 'skip' });
  await store.findings.record({ ...aFinding, revision: 13, score: 0.4 });
  await store.decisions.undo(1, ada);
  expect(await finding()).toMatchObject({ deferrals: 0, position: 2.4, revision: 13 });
});

test('what the article settled since can’t be undone, and nothing is changed', async () => {
  await store.findings.reconcile(revisionWith(12, aFinding));
  await store.decide(1, { decision: 'accept' });
  await store.findings.reconcile(revisionWith(13, citing(aFinding, 'https://new.example/')));
  const before = await finding();
  await expect(store.decisions.undo(1, ada)).rejects.toMatchObject({
    code: 'closed',
    message: expect.stringContaining('other citations'),
  });
  expect(await finding()).toEqual(before);
});

test('an accepted finding that is mended and comes back can be undone again', async () => {
  await store.findings.reconcile(revisionWith(12, aFinding));
  await store.decide(1, { decision: 'accept' });
  await store.findings.reconcile(revisionWith(13));
  await store.findings.reconcile(revisionWith(14, aFinding));
  expect(await store.decisions.undo(1, ada)).toMatchObject({ state: 'open', decision: null });
});

test('nothing is undone that nobody decided, that another person did, or that was undone', async () => {
  const ben = await aPerson(store.db, 'Ben');
  await expect(store.decisions.undo(1, ada)).rejects.toMatchObject({ code: 'nothing_to_undo' });
  await expect(store.decisions.undo(99, ada)).rejects.toMatchObject({ code: 'not_found' });
  await store.decide(1, { decision: 'accept' });
  await expect(store.decisions.undo(1, ben)).rejects.toMatchObject({
    code: 'not_yours',
    message: expect.stringContaining('Ada'),
  });
  await store.decisions.undo(1, ada);
  await expect(store.decisions.undo(1, ada)).rejects.toMatchObject({ code: 'nothing_to_undo' });
});

test('a decision of a version that kept no names or states is not undone', async () => {
  await store.decide(1, { decision: 'accept' });
  await store.db.updateTable('decisions').set({ user_id: null, undo_to: null, judged: null }).execute();
  await expect(store.decisions.undo(1, ada)).rejects.toMatchObject({ code: 'not_yours' });
  expect(await store.decisions.history(1)).toMatchObject([{ by: null, decision: 'accept' }]);
});
