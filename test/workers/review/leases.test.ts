import { createDecisions, type Decisions } from '../../../workers/review/decisions.ts';
import { MOST, type Person } from '../../../workers/review/leases.ts';
import { aFinding } from '../../support/examples.ts';
import { aPerson, findingOf, OPEN, openStore, type Store } from './store.ts';

const MINUTE = 60_000;
let store: Store;
let decisions: Decisions;
let now: number;
let ada: Person;
let ben: Person;
beforeEach(async () => {
  store = await openStore();
  now = Date.parse('2026-03-01T10:00:00.000Z');
  decisions = createDecisions(store.db, { leaseMs: 10 * MINUTE, now: () => now });
  [ada, ben] = [await aPerson(store.db, 'Ada'), await aPerson(store.db, 'Ben')];
});
afterEach(() => store.close());

async function fill(count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) {
    await store.findings.record(findingOf(`Claim ${at}.`, { score: at / 1000 }));
  }
}

test('a finding is one person’s until the time runs out, or until they give it back', async () => {
  await fill(1);
  expect(await decisions.take(1, ada)).toEqual({ userId: ada.id, name: 'Ada', until: '2026-03-01T10:10:00.000Z' });
  await expect(decisions.take(1, ben)).rejects.toMatchObject({
    code: 'leased',
    message: 'Ada looks at this finding until 10:10 UTC.',
  });
  await decisions.release(1, ben);
  expect(await decisions.holderOf(1)).toMatchObject({ name: 'Ada' });
  await decisions.release(1, ada);
  expect(await decisions.holderOf(1)).toBeNull();
  expect((await decisions.take(1, ben)).name).toBe('Ben');
});

test('to open it again renews it; one that ran out is taken over, and then the first can’t decide', async () => {
  await fill(1);
  await decisions.take(1, ada);
  now += 9 * MINUTE;
  expect((await decisions.take(1, ada)).until).toBe('2026-03-01T10:19:00.000Z');
  now += 10 * MINUTE;
  expect(await decisions.holderOf(1)).toBeNull();
  await expect(decisions.decide(1, { decision: 'accept' }, ada)).rejects.toMatchObject({ code: 'no_lease' });
  await decisions.take(1, ben);
  await expect(decisions.decide(1, { decision: 'accept' }, ada)).rejects.toMatchObject({ code: 'no_lease' });
  expect(await decisions.decide(1, { decision: 'accept' }, ben)).toMatchObject({ state: 'accepted' });
});

test('two people who ask at once never get the same finding', async () => {
  await fill(40);
  const people = await Promise.all(['Cleo', 'Dan', 'Eve'].map((name) => aPerson(store.db, name)));
  const asked = Array.from({ length: 33 }, (_, at) => people[at % 3] ?? ada);
  const rows = await Promise.all(asked.map((person) => decisions.takeNext(OPEN, person, 1)));
  const holders = await decisions.holdersOf(rows.map((row) => row?.id ?? 0));
  // each person was given their own one again until they decided on it: three people, three findings
  expect(new Set(rows.map((row) => row?.id)).size).toBe(3);
  expect(new Set([...holders.values()].map(({ name }) => name)).size).toBe(3);
});

test('whoever decides goes on to the next free one, in the place that the decided one had, and around', async () => {
  await fill(4);
  await decisions.take(2, ben);
  await decisions.take(1, ada);
  expect(await decisions.decideAndTakeNext(1, { decision: 'skip' }, ada, OPEN)).toMatchObject({ id: 3 });
  expect(await decisions.decideAndTakeNext(3, { decision: 'accept' }, ada, OPEN)).toMatchObject({ id: 4 });
  expect(await decisions.decideAndTakeNext(4, { decision: 'reject' }, ada, OPEN)).toMatchObject({ id: 1 });
  expect(await decisions.decideAndTakeNext(1, { decision: 'reject' }, ada, OPEN)).toBeNull();
  expect(await decisions.holderOf(2)).toMatchObject({ name: 'Ben' });
});

test('a refused decision takes no other finding', async () => {
  await fill(2);
  await expect(decisions.decideAndTakeNext(1, { decision: 'skip' }, ada, OPEN)).rejects.toMatchObject({
    code: 'no_lease',
  });
  expect(await store.db.selectFrom('leases').selectAll().execute()).toEqual([]);
});

test('with all others taken there is none, however long the list', async () => {
  await fill(25);
  for (let id = 1; id <= 20; id += 1) await decisions.take(id, ben);
  expect(await decisions.takeNext(OPEN, ada)).toMatchObject({ id: 21 });
  const cleo = await aPerson(store.db, 'Cleo');
  for (let id = 22; id <= 25; id += 1) await decisions.take(id, cleo);
  expect(await decisions.takeNext(OPEN, ada, 21)).toBeNull();
});

test('nobody keeps more than their share: the one that runs out first is given back', async () => {
  await fill(MOST + 1);
  for (let id = 1; id <= MOST + 1; id += 1) {
    now += 1;
    await decisions.take(id, ada);
  }
  expect(await decisions.holderOf(1)).toBeNull();
  expect(await decisions.holdersOf(Array.from({ length: MOST }, (_, at) => at + 2))).toHaveProperty('size', MOST);
});

test('at sign-out all are given back', async () => {
  await fill(3);
  for (const id of [1, 2]) await decisions.take(id, ada);
  await decisions.take(3, ben);
  await decisions.releaseAll(ada.id);
  expect([...(await decisions.holdersOf([1, 2, 3])).keys()]).toEqual([3]);
});

test('a filter is kept: a finding of another page is never handed out', async () => {
  const elsewhere = { page: { id: 9, title: 'Elsewhere' } };
  await store.findings.record(findingOf('Claim 1.', { score: 0.1 }));
  await store.findings.record(findingOf('Claim 2.', { score: 0.2, ...elsewhere }));
  await store.findings.record(findingOf('Claim 3.', { score: 0.3 }));
  const filter = { ...OPEN, page: aFinding.page.title };
  await decisions.take(1, ada);
  expect(await decisions.decideAndTakeNext(1, { decision: 'reject' }, ada, filter)).toMatchObject({ id: 3 });
});
