import { jobId, stages } from '../../../shared/pipeline.ts';
import { createReview } from '../../../workers/review/inbox.ts';
import { claimOf } from '../../../workers/review/page.ts';
import { recheck } from '../../../workers/review/recheck.ts';
import { aFinding } from '../../support/examples.ts';
import { ALL, citing, findingOf, OPEN, openStore, revisionWith, type Store, unsourced } from './store.ts';

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
  await store.decide(row?.id ?? 0, { decision: 'reject' });
  await send(revisionWith(13));
  await send(revisionWith(14, aFinding));
  expect((await store.findings.get(row?.id ?? 0)).closedBecause).toBe('decided');
});

test('an accepted finding waits to be mended, and is decided still when the mending is undone', async () => {
  await send(revisionWith(12, aFinding));
  await send({ kind: 'finding', finding: aFinding });
  const unmended = async () => (await store.findings.list({ ...ALL, state: 'unmended' }, { limit: 9 })).length;
  const [row] = await store.findings.list(ALL, { limit: 1 });
  await store.decide(row?.id ?? 0, { decision: 'accept' });
  expect(await unmended()).toBe(1);
  await send(revisionWith(13));
  expect(await unmended()).toBe(0);
  expect((await store.findings.get(row?.id ?? 0)).closedBecause).toBe('removed');
  await send(revisionWith(14, aFinding));
  expect(await unmended()).toBe(1);
  expect(await store.findings.get(row?.id ?? 0)).toMatchObject({ state: 'accepted', closedBecause: null });
});

describe('a finding is closed by what happened to its claim:', () => {
  const reworded = findingOf('In 1931 the mill at Orrin Bay was closed for good.');
  const other = findingOf('Its last owner was a fisherman.');
  const closed = async (finding = aFinding) => {
    const rows = await store.findings.list(ALL, { limit: 100 });
    return rows.find((row) => row.finding.claim.hash === finding.claim.hash)?.closedBecause;
  };
  const chosen = ({ next }: Awaited<ReturnType<typeof send>>) =>
    next.map((job) => (job.stage === 'articles' ? job.input : null));
  /** As the job says that checks some of its claims. */
  const checking = (revision: ReturnType<typeof revisionWith>) => ({
    ...revision,
    anchors: revision.anchors.map((anchor) => ({ ...anchor, checking: true as const })),
  });
  beforeEach(async () => {
    await send(revisionWith(12, aFinding, kept));
    await send({ kind: 'finding', finding: aFinding });
  });

  test('other citations behind it, or none, fixed it', async () => {
    await send(revisionWith(13, kept, citing(aFinding, 'https://new.example/')));
    expect(await closed()).toBe('fixed');
    await send(revisionWith(14, aFinding));
    await send(revisionWith(15, unsourced(aFinding)));
    expect(await closed()).toBe('fixed');
  });

  test('other citations that nobody checks, as after the edit of a robot, are checked', async () => {
    const replaced = citing(aFinding, 'https://new.example/');
    const next = chosen(await send(revisionWith(13, kept, replaced)));
    const { claim, citations } = claimOf(replaced);
    expect(next).toMatchObject([{ scope: 'chosen', chosen: [{ claim, citations }] }]);
    await send(revisionWith(14, aFinding));
    expect(chosen(await send(checking(revisionWith(15, replaced))))).toEqual([]);
  });

  test('an accepted one whose citation is replaced is fixed too', async () => {
    await store.decide(1, { decision: 'accept' });
    await send(revisionWith(13, citing(aFinding, 'https://new.example/')));
    expect(await store.findings.get(1)).toMatchObject({ closedBecause: 'fixed', decision: 'accept' });
  });

  test('the same words that stood elsewhere before, with other citations, fixed nothing', async () => {
    const elsewhere = citing(aFinding, 'https://lead.example/');
    await send(revisionWith(13, aFinding, elsewhere));
    await send(revisionWith(14, elsewhere));
    expect(await closed()).toBe('removed');
  });

  test('a revert undid what an edit had brought', async () => {
    await send({ ...revisionWith(13, kept), reverts: true });
    expect(await closed()).toBe('reverted');
    await send(revisionWith(14, aFinding));
    await send({ ...revisionWith(15, citing(aFinding, 'https://old.example/')), reverts: true });
    expect(await closed()).toBe('reverted');
  });

  test('of several edits that are told as one, a revert among them, those that mended are told by what they left', async () => {
    await send({ kind: 'finding', finding: kept });
    await send({ ...checking(revisionWith(13, citing(aFinding, 'https://new.example/'))), reverts: true });
    expect(await closed()).toBe('fixed');
    expect(await closed(kept)).toBe('reverted');
  });

  test('a revert gives back what an edit had taken', async () => {
    await send(revisionWith(13, kept));
    await send({ ...revisionWith(14, kept, aFinding), reverts: true });
    expect(await open()).toEqual([aFinding.claim.text]);
  });

  test('its citations behind other words reworded it: these are checked once', async () => {
    const outcome = await send(revisionWith(13, kept, reworded));
    expect(await closed()).toBe('reworded');
    const anchor = revisionWith(13, reworded).anchors.map(({ claim, citations }) => ({ claim, citations }));
    const { wiki, page } = aFinding;
    expect(chosen(outcome)).toEqual([{ wiki, page, revision: 13, previous: null, scope: 'chosen', chosen: anchor }]);
    expect(chosen(await send(revisionWith(13, kept, reworded)))).toEqual([]);
    expect(chosen(await send(revisionWith(14, kept, reworded)))).toEqual([]);
  });

  test('other words that are being checked, or that have a finding, are not checked again', async () => {
    expect(chosen(await send(checking(revisionWith(13, reworded))))).toEqual([]);
    expect(await closed()).toBe('reworded');
    await send({ kind: 'finding', finding: { ...reworded, revision: 13 } });
    await send(revisionWith(14, aFinding));
    expect(chosen(await send(revisionWith(15, reworded)))).toEqual([]);
  });

  test('a list that gets one more column is checked row by row', async () => {
    const list = (words: string) =>
      Array.from({ length: 40 }, (_, at) => findingOf(`Boat ${at} of the fleet at Orrin Bay was ${words}.`));
    for (const finding of list('lost')) await send({ kind: 'finding', finding });
    await send(revisionWith(13, ...list('lost')));
    const [job, ...others] = chosen(await send(revisionWith(14, ...list('lost at sea'))));
    expect(new Set(job?.chosen?.map(({ claim }) => claim)).size).toBe(40);
    expect(others).toEqual([]);
  });

  test('more claims than a job takes are checked by several', async () => {
    const claims = Array.from({ length: 1002 }, (_, at) => claimOf(findingOf(`Claim ${at}.`)));
    const jobs = await recheck(store.db, { ...aFinding, revision: 13 }, claims);
    expect(chosen({ answer: null, next: jobs }).map((job) => job?.chosen?.length)).toEqual([1000, 2]);
    expect(new Set(jobs.map(jobId)).size).toBe(2);
    for (const job of jobs) expect(stages.articles.input.safeParse(job.input).error).toBeUndefined();
  });

  test('quite other words are the claim where its source stands behind nothing else', async () => {
    const source = 'https://alone.example/';
    const [old, fresh] = [citing(aFinding, source), citing(other, source)];
    await send(revisionWith(13, old, kept));
    await send({ kind: 'finding', finding: { ...old, revision: 13 } });
    await send(revisionWith(14, fresh, kept));
    expect((await store.findings.get(2)).closedBecause).toBe('reworded');
  });

  test('a new claim behind a source that others cite is not the old one in other words', async () => {
    expect(chosen(await send(revisionWith(13, kept, other)))).toEqual([]);
    expect(await closed()).toBe('removed');
  });

  test('of two claims behind one source, the one of which no words are left was removed', async () => {
    await send({ kind: 'finding', finding: kept });
    await send(revisionWith(13, reworded));
    expect(await closed()).toBe('reworded');
    expect(await closed(kept)).toBe('removed');
  });

  test('a claim without a source that is put in other words is reworded', async () => {
    await send(revisionWith(13, unsourced(aFinding)));
    await send({ kind: 'finding', finding: { ...unsourced(aFinding), revision: 13 } });
    expect(chosen(await send(revisionWith(14, unsourced(reworded))))).toHaveLength(1);
  });

  test('a finding that comes late is closed by what had happened meanwhile, and its new words are checked', async () => {
    const late = { ...kept, revision: 12 };
    await send({ ...revisionWith(13, aFinding), reverts: true });
    await send(revisionWith(14, aFinding));
    expect(chosen(await send({ kind: 'finding', finding: late }))).toEqual([]);
    expect(await closed(kept)).toBe('reverted');
    const anew = findingOf('Of granite is the quay.');
    await send(revisionWith(15, kept));
    await send(revisionWith(16, anew));
    const [late15] = chosen(await send({ kind: 'finding', finding: { ...kept, model: 'test-2', revision: 15 } }));
    expect(late15).toMatchObject({ revision: 16, scope: 'chosen', chosen: [{ claim: anew.claim.hash }] });
  });

  test('of a page that was not known before, by the claims that it has now', async () => {
    const page = { id: 99, title: 'Elsewhere' };
    for (const finding of [aFinding, kept]) await send({ kind: 'finding', finding: { ...finding, page } });
    await send({ ...revisionWith(13, reworded, citing(kept, 'https://new.example/')), page });
    const rows = await store.findings.list({ ...ALL, page: page.title }, { limit: 9 });
    expect(rows.map((row) => row.closedBecause).sort()).toEqual(['fixed', 'reworded']);
  });
});

describe('a page that is restored', () => {
  const { wiki, page } = aFinding;
  const deleted = (log: number) => ({ kind: 'page_deleted', wiki, page, event: `log-${log}` }) as const;
  const restored = (log: number, revision = 12) => ({ ...revisionWith(revision, aFinding), restored: `log-${log}` });
  beforeEach(async () => {
    await send(revisionWith(12, aFinding));
    await send({ kind: 'finding', finding: aFinding });
  });

  test('without an edit has its findings again', async () => {
    await send(deleted(1));
    await send(restored(2));
    expect(await open()).toEqual([aFinding.claim.text]);
  });

  test('without its newest revision has those that an older one carries', async () => {
    await send(deleted(1));
    await send(restored(2, 10));
    expect(await open()).toEqual([aFinding.claim.text]);
  });

  test('and deleted once more stays deleted, in whatever order that is told', async () => {
    await send(deleted(1));
    await send(deleted(3));
    await send(restored(2));
    expect(await open()).toEqual([]);
    await send(restored(4));
    await send(deleted(3));
    expect(await open()).toHaveLength(1);
  });

  test('keeps what a person accepted', async () => {
    await store.decide(1, { decision: 'accept' });
    await send(deleted(1));
    expect((await store.findings.get(1)).closedBecause).toBe('page_deleted');
    await send(restored(2));
    expect(await store.findings.get(1)).toMatchObject({ state: 'accepted', closedBecause: null });
  });
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

test('of a project, a category or a list, coverage is that of its articles alone', async () => {
  await send(revisionWith(12, aFinding, kept));
  await send({ kind: 'finding', finding: aFinding });
  const group = { wiki: aFinding.wiki, kind: 'project', name: 'Mills' } as const;
  await store.db
    .insertInto('page_groups')
    .values({ ...group, page_id: aFinding.page.id })
    .execute();
  expect(await store.findings.coverage({ project: 'Mills' })).toEqual({ claims: 2, checked: 1 });
  expect(await store.findings.coverage({ project: 'Coast' })).toBeNull();
  expect(await store.findings.coverage({ user: 'Mills' })).toBeNull();
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
