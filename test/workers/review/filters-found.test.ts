/** What a list finds, beside the same filter said plainly in TypeScript, over a real database. */
import fc from 'fast-check';
import type { Finding, Verdict } from '../../../shared/citation.ts';
import { type Filter, SORTS } from '../../../workers/review/filter.ts';
import { DEFERRAL, isToMend } from '../../../workers/review/position.ts';
import type { Row } from '../../../workers/review/queue.ts';
import { ALL, findingOf, OPEN, openStore, type Store } from './store.ts';

let store: Store;
let rows: Row[];
const groups = new Map<number, Record<'project' | 'category' | 'worklist' | 'user', string[]>>();
const OPTED_OUT = 3;

beforeAll(async () => {
  store = await openStore();
  await fillPages();
  for (let index = 0; index < 60; index++) await store.findings.record(some(index));
  await settle();
  rows = await store.findings.list(ALL, { limit: 200 });
});
afterAll(() => store.close());

const VERDICTS: readonly Verdict[] = [
  'contradicted',
  'not_supported',
  'partially_supported',
  'unavailable',
  'supported',
];
const WIKIS = ['wiki.example:8143', 'other.example'];

/** Many have the same score and page, so that ties are met. */
function some(index: number): Finding {
  const verdict = VERDICTS[index % 5] ?? 'supported';
  const page = index % 7;
  return findingOf(`Claim ${index}.`, {
    wiki: WIKIS[page % 2] ?? '',
    page: { id: page, title: `Page ${page}` },
    verdict,
    score: verdict === 'unavailable' ? null : (index % 4) / 4,
    reason: verdict === 'unavailable' ? (index % 2 === 0 ? 'dead' : 'paywall') : null,
    suggestion: index % 3 === 0 && verdict !== 'supported' ? suggestion : null,
  });
}

const evidence = { quote: 'It shut.', url: 'https://b.example/', title: 'B', start: 0, end: 8, passage: 'It shut.' };
const suggestion = { url: evidence.url, title: 'B', score: 0.9, evidence, reliability: null };

async function fillPages(): Promise<void> {
  for (let page = 0; page < 7; page++) {
    const at = { wiki: WIKIS[page % 2] ?? '', page_id: page };
    const views = page === 0 ? null : page * 10;
    await store.db
      .insertInto('page_facts')
      .values({ ...at, views, read_at: new Date().toISOString() })
      .execute();
    const names = {
      project: [`p${page % 2}`],
      category: [`c${page % 3}`],
      worklist: [`w${page % 2}`],
      user: [`u${page % 3}`],
    };
    groups.set(page, names);
    for (const [kind, [name = '']] of Object.entries(names) as ['project', string[]][]) {
      await store.db
        .insertInto('page_groups')
        .values({ ...at, kind, name })
        .execute();
    }
  }
}

/** Some are decided, of other ages; one page opts out. */
async function settle(): Promise<void> {
  for (const [id, decision] of [
    [6, 'accept'],
    [8, 'reject'],
    [9, 'cant_tell'],
    [14, 'skip'],
    [7, 'accept'],
  ] as const) {
    await store.decide(id, { decision });
  }
  for (let id = 1; id <= 60; id++) {
    const created_at = new Date(Date.now() - (id % 10) * 86_400_000 - 3_600_000).toISOString();
    await store.db.updateTable('findings').set({ created_at }).where('id', '=', id).execute();
  }
  const { id } = await store.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const page = { wiki: WIKIS[OPTED_OUT % 2] ?? '', page_id: OPTED_OUT, page_title: 'Page 3' };
  await store.db
    .insertInto('opt_outs')
    .values({ ...page, user_id: id, created_at: new Date().toISOString() })
    .execute();
}

const isFound = (filter: Filter) => (row: Row) =>
  isOnPage(filter, row) && isInState(filter, row) && isJudged(filter, row) && isAmong(filter, row);

const is = <T>(wanted: T | undefined, given: T) => wanted === undefined || wanted === given;
const within = (value: number | null, least: number | undefined, most: number | undefined) =>
  (least === undefined && most === undefined) ||
  (value !== null && value >= (least ?? value) && value <= (most ?? value));

function isOnPage(filter: Filter, { finding: { wiki, page } }: Row): boolean {
  const of = groups.get(page.id);
  const kinds = ['project', 'category', 'worklist', 'user'] as const;
  return (
    is(filter.wiki, wiki) &&
    is(filter.page, page.title) &&
    kinds.every((kind) => is(filter[kind], of?.[kind][0] ?? '')) &&
    (filter.state === 'all' || page.id !== OPTED_OUT)
  );
}

function isInState(filter: Filter, { state, decision, decidedBy }: Row): boolean {
  const isState = filter.state === 'unmended' ? state !== 'closed' : filter.state === 'all' || state === filter.state;
  return isState && is(filter.decision, decision ?? undefined) && is(filter.decidedBy, decidedBy ?? undefined);
}

function isJudged(filter: Filter, { finding: { verdict, reason, suggestion } }: Row): boolean {
  const isVerdict = filter.verdict === undefined ? isToMend(verdict) : ['all', verdict].includes(filter.verdict);
  return isVerdict && is(filter.reason, reason ?? undefined) && is(filter.suggestion, suggestion !== null);
}

function isAmong(filter: Filter, { finding: { score }, views, createdAt }: Row): boolean {
  const days = (Date.now() - Date.parse(createdAt)) / 86_400_000;
  return (
    within(score, filter.scoreMin, filter.scoreMax) &&
    within(days, filter.minAge, filter.maxAge) &&
    within(views, filter.viewsMin, undefined)
  );
}

const RANKS: readonly Verdict[] = [...VERDICTS];
const ORDERS: Record<string, (row: Row) => number> = {
  queue: ({ finding, decision }) =>
    (decision === 'cant_tell' || decision === 'skip' ? 10 * DEFERRAL : 0) +
    2 * RANKS.indexOf(finding.verdict) +
    (finding.score ?? 0),
  gain: ({ gain }) => -gain,
  score: ({ finding }) => finding.score ?? 2,
  newest: ({ createdAt }) => -Date.parse(createdAt),
  views: ({ views }) => -(views ?? -1),
};

function expected(filter: Filter): number[] {
  const key = ORDERS[filter.sort ?? 'queue'] ?? (() => 0);
  const ties = filter.sort === undefined || filter.sort === 'score' ? 1 : -1;
  return rows
    .filter(isFound(filter))
    .sort((a, b) => key(a) - key(b) || (a.id - b.id) * ties)
    .map(({ id }) => id);
}

/** Of what there is in the database, so that most combinations find something. */
const filters: fc.Arbitrary<Filter> = fc.record(
  {
    wiki: fc.constantFrom(...WIKIS),
    page: fc.nat(7).map((page) => `Page ${page}`),
    project: fc.constantFrom('p0', 'p1', 'none'),
    category: fc.constantFrom('c0', 'c1'),
    worklist: fc.constantFrom('w0', 'w1'),
    user: fc.constantFrom('u0', 'u1'),
    state: fc.constantFrom('open', 'accepted', 'closed', 'unmended', 'all'),
    verdict: fc.constantFrom(...VERDICTS, 'all'),
    reason: fc.constantFrom('dead', 'paywall'),
    decision: fc.constantFrom('accept', 'reject', 'cant_tell', 'skip'),
    scoreMin: fc.constantFrom(0, 0.25, 0.5),
    scoreMax: fc.constantFrom(0.5, 0.75, 1),
    minAge: fc.nat(4),
    maxAge: fc.integer({ min: 4, max: 9 }),
    viewsMin: fc.constantFrom(0, 20, 50),
    suggestion: fc.boolean(),
    decidedBy: fc.constantFrom('Ada', 'Nobody'),
    sort: fc.constantFrom(...SORTS),
  },
  { requiredKeys: ['state'] },
);
/** Few at a time: with all of them nothing is left to find. */
const some3 = fc.tuple(filters, fc.uniqueArray(fc.nat(16), { maxLength: 3 })).map(([filter, kept]): Filter => {
  const { state, sort, ...others } = filter;
  const entries = Object.entries(others).filter((_, index) => kept.includes(index));
  return { state, ...(sort && { sort }), ...Object.fromEntries(entries) };
});

test('every filter finds what it says, in its order, however it is cut into pages, and neighbours follow that order', async () => {
  await fc.assert(
    fc.asyncProperty(some3, fc.integer({ min: 1, max: 20 }), async (filter, limit) => {
      const ids = expected(filter);
      expect((await store.findings.list(filter, { limit: 200 })).map(({ id }) => id)).toEqual(ids);
      expect(await paged(filter, limit)).toEqual(ids);
      const at = Math.floor(ids.length / 2);
      const [id] = ids.slice(at);
      if (id === undefined) return;
      const next = ids[at + 1] ?? ids[0] ?? null;
      const around = { previous: ids[at - 1] ?? null, next: next === id ? null : next };
      expect(await store.findings.neighbours(id, filter)).toEqual(around);
    }),
    { numRuns: 80 },
  );
});

test('counts are of all that the filter finds, by verdict', async () => {
  await fc.assert(
    fc.asyncProperty(some3, async (filter) => {
      const counted = await store.findings.counts(filter);
      const found = rows.filter(isFound({ ...filter, verdict: 'all' }));
      const of = (verdict: Verdict) => found.filter((row) => row.finding.verdict === verdict).length;
      expect(counted).toEqual(Object.fromEntries(VERDICTS.flatMap((one) => (of(one) === 0 ? [] : [[one, of(one)]]))));
    }),
    { numRuns: 40 },
  );
});

test('the test finds something: no filter above is tried in vain', () => {
  for (const sort of SORTS) expect(expected({ state: 'open', sort }).length).toBeGreaterThan(20);
  expect(expected({ state: 'accepted' })).toHaveLength(2);
  expect(expected({ state: 'all', verdict: 'all', decidedBy: 'Ada' })).toHaveLength(5);
});

async function paged(filter: Filter, limit: number): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const after = ids.at(-1);
    const page = await store.findings.list(filter, { limit, ...(after !== undefined && { after }) });
    ids.push(...page.map(({ id }) => id));
    if (page.length < limit) return ids;
  }
}

test('pages that opted out are shown where all is asked for, and nowhere else', async () => {
  const pages = async (filter: Filter) =>
    new Set((await store.findings.list(filter, { limit: 200 })).map((row) => row.finding.page.id));
  expect((await pages(OPEN)).has(OPTED_OUT)).toBe(false);
  expect((await pages({ state: 'unmended', page: 'Page 3' })).size).toBe(0);
  expect((await pages({ state: 'all', page: 'Page 3' })).has(OPTED_OUT)).toBe(true);
});

test('a row says how often its article is read, who decided, and who looks at it until when', async () => {
  const [row] = await store.findings.list({ state: 'closed', decision: 'reject' }, { limit: 1 });
  expect(row).toMatchObject({ decidedBy: 'Ada', lease: null });
  const [free] = await store.findings.list({ state: 'open', page: 'Page 2' }, { limit: 1 });
  const [person] = await store.db.selectFrom('users').select(['id', 'name']).execute();
  if (free === undefined || person === undefined) throw new Error('nothing to look at');
  const { until } = await store.decisions.take(free.id, person);
  expect(await store.findings.get(free.id)).toMatchObject({ views: 20, lease: { name: 'Ada', until } });
});
