import { createReview } from '../../../workers/review/inbox.ts';
import { aFinding } from '../../support/examples.ts';
import { ALL, citing, findingOf, OPEN, openStore, revisionWith, type Store } from './store.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

const context = {
  gathered: { sources: [], retrieval: [], coverage: { shardsAsked: 0, shardsAnswered: 0, missing: [] } },
  signal: new AbortController().signal,
};
const send = (input: Parameters<ReturnType<typeof createReview>>[0]) =>
  createReview({ findings: store.findings })(input, context);
const open = async () => (await store.findings.list(OPEN, { limit: 100 })).map((row) => row.finding.claim.text);
const at = { wiki: aFinding.wiki, page: aFinding.page.title };
const kept = findingOf('The quay is of granite.');

test('a finding closes when its claim or its citations are gone, and opens when they come back', async () => {
  await send({ kind: 'finding', finding: aFinding });
  await send({ kind: 'finding', finding: kept });
  await send(revisionWith(13, kept, citing(aFinding, 'https://new.example/')));
  expect(await open()).toEqual([kept.claim.text]);
  await send(revisionWith(14, kept, aFinding));
  expect(new Set(await open())).toEqual(new Set([kept.claim.text, aFinding.claim.text]));
});

test('a revision older than the finding, or than the newest one known, closes nothing', async () => {
  await send({ kind: 'finding', finding: aFinding });
  await send(revisionWith(11));
  expect(await open()).toHaveLength(1);
  await send(revisionWith(13, aFinding));
  await send(revisionWith(12));
  expect(await open()).toHaveLength(1);
});

test('a rejected finding is not touched by an edit', async () => {
  await send({ kind: 'finding', finding: aFinding });
  const [row] = await store.findings.list(ALL, { limit: 1 });
  await store.findings.decide(row?.id ?? 0, { decision: 'reject' });
  await send(revisionWith(13));
  await send(revisionWith(14, aFinding));
  expect((await store.findings.get(row?.id ?? 0)).closedBecause).toBe('decided');
});

test('an accepted finding waits to be mended, and is decided still when the mending is undone', async () => {
  await send(revisionWith(12, aFinding));
  await send({ kind: 'finding', finding: aFinding });
  const unmended = async () => (await store.findings.list({ ...ALL, state: 'unmended' }, { limit: 9 })).length;
  const [row] = await store.findings.list(ALL, { limit: 1 });
  await store.findings.decide(row?.id ?? 0, { decision: 'accept' });
  expect(await unmended()).toBe(1);
  await send(revisionWith(13));
  expect(await unmended()).toBe(0);
  expect((await store.findings.get(row?.id ?? 0)).closedBecause).toBe('changed');
  await send(revisionWith(14, aFinding));
  expect(await unmended()).toBe(1);
  expect(await store.findings.get(row?.id ?? 0)).toMatchObject({ state: 'closed', closedBecause: 'decided' });
});

test('coverage counts the claims of the newest revision that have a finding', async () => {
  expect(await store.findings.coverage(at)).toBeNull();
  await send(revisionWith(12, aFinding, kept, findingOf('A third claim.')));
  expect(await store.findings.coverage(at)).toEqual({ claims: 3, checked: 0 });
  await send({ kind: 'finding', finding: aFinding });
  await send({ kind: 'finding', finding: { ...kept, verdict: 'unavailable', score: null, reason: 'paywall' } });
  expect(await store.findings.coverage(at)).toEqual({ claims: 3, checked: 2 });
  await send(revisionWith(13, kept));
  expect(await store.findings.coverage({})).toEqual({ claims: 1, checked: 1 });
});

test('a deleted page closes its findings, also those that come late, and they return once it is restored and edited', async () => {
  await send(revisionWith(12, aFinding, kept));
  await send({ kind: 'finding', finding: aFinding });
  await send({ kind: 'page_deleted', wiki: aFinding.wiki, page: aFinding.page, event: 'log-1' });
  await send({ kind: 'finding', finding: kept });
  const rows = await store.findings.list(ALL, { limit: 9 });
  expect(rows.map((row) => row.closedBecause)).toEqual(['page_deleted', 'page_deleted']);
  await send(revisionWith(13, aFinding, kept));
  expect(await open()).toHaveLength(2);
});

test('a revision that was being read while its page was deleted does not bring it back', async () => {
  await send({ kind: 'finding', finding: aFinding });
  await send(revisionWith(13, aFinding));
  await send({ kind: 'page_deleted', wiki: aFinding.wiki, page: aFinding.page, event: 'log-1' });
  for (const revision of [12, 13]) await send(revisionWith(revision, aFinding));
  expect(await open()).toEqual([]);
  expect(await store.findings.coverage(at)).toEqual({ claims: 0, checked: 0 });
});

test('a deletion is remembered of a page that was not known, until a revision of it comes', async () => {
  await send({ kind: 'page_deleted', wiki: aFinding.wiki, page: aFinding.page, event: 'log-1' });
  await send({ kind: 'finding', finding: aFinding });
  expect(await open()).toEqual([]);
  await send(revisionWith(aFinding.revision, aFinding));
  expect(await open()).toHaveLength(1);
});

test('findings follow a page that is moved', async () => {
  await send({ kind: 'finding', finding: aFinding });
  await send({ ...revisionWith(13, aFinding), page: { id: aFinding.page.id, title: 'Orrin Harbour' } });
  const rows = await store.findings.list({ ...OPEN, page: 'Orrin Harbour' }, { limit: 9 });
  expect(rows.map((row) => row.finding.page.title)).toEqual(['Orrin Harbour']);
});
