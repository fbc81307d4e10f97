/** Markup, scripts and formulas in what is stored, on the pages beside the finding and the list, in files and in feeds: all of it is text. */
import { parseHTML } from 'linkedom';
import type { Found } from '../../../shared/found.ts';
import { readAssets } from '../../../workers/review/assets.ts';
import type { Check } from '../../../workers/review/checks/check.ts';
import { checkPage } from '../../../workers/review/views/check.ts';
import { maintainPage } from '../../../workers/review/views/maintain.ts';
import { openPage, submitForm } from './opened.ts';
import { rich } from './rich.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { findingOf } from './store.ts';

const NASTY = `=1+1"'><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><b data-injected>b</b>`;
const SCRIPT = `javascript:window.hacked=3//${NASTY}`;
const evidence = { quote: NASTY, url: SCRIPT, title: NASTY, start: 0, end: 9, passage: NASTY };

const hostile = rich({
  page: { id: 7, title: NASTY },
  model: NASTY,
  evidence,
  mismatches: [],
  missing: [],
  claim: { ...rich().claim, text: `In 1931 ${NASTY}`, context: NASTY, section: [NASTY], title: NASTY },
  suggestion: { url: SCRIPT, title: NASTY, score: 0.9, evidence, reliability: null },
});

let served: Served;
let mia: SignedIn;
beforeAll(async () => {
  const other = findingOf(`In 1932 ${NASTY}`, { page: hostile.page, model: NASTY, score: 0.2 });
  served = await serve(hostile, other);
  mia = await served.signIn(NASTY, ['patroller', 'maintainer']);
  const at = { wiki: hostile.wiki, page_id: hostile.page.id };
  for (const kind of ['project', 'worklist', 'user'] as const) {
    await served.db
      .insertInto('page_groups')
      .values({ ...at, kind, name: NASTY })
      .execute();
  }
  await served.decide(1, { decision: 'accept', comment: NASTY });
});
afterAll(() => served.close());

/** What of a page would do something, were it not text. */
function harmIn(text: string): unknown[] {
  const { document } = parseHTML(text);
  const scripts = [...document.querySelectorAll('script')].filter(
    (script) => !script.getAttribute('src')?.startsWith('/static/') || script.textContent !== '',
  );
  const injected = [...document.querySelectorAll('[onerror], [data-injected], img[src=x]')];
  const links = [...document.querySelectorAll('[href], [action], [src]')].filter((element) =>
    ['href', 'action', 'src'].some((name) => /^\s*javascript:/i.test(element.getAttribute(name) ?? '')),
  );
  return [...scripts, ...injected, ...links].map(String);
}

async function harmAt(path: string): Promise<unknown[]> {
  const { status, text } = await openPage(served.origin, path, mia);
  return status === 200 ? harmIn(text) : [status];
}

test('on the pages of an account, its tokens and its saved filters', async () => {
  const own = (path: string, fields: Record<string, string>) =>
    submitForm(`${served.origin}${path}`, { ...fields, _csrf: mia.csrf }, mia.headers);
  const made = await own('/account/tokens', { name: NASTY });
  expect([made.status, harmIn(await made.text())]).toEqual([201, []]);
  const query = new URLSearchParams({ page: NASTY, project: NASTY, 'decided-by': NASTY });
  expect((await own(`/saved-filters?${query}`, { name: NASTY })).status).toBe(303);
  for (const path of ['/account', '/account/tokens', '/', `/?${query}`, '/?state=all&verdict=all']) {
    expect([path, await harmAt(path)]).toEqual([path, []]);
  }
  expect((await openPage(served.origin, '/account/tokens', mia)).text).toContain('&#60;b data-injected');
});

test('in the comparison, the document and the feed', async () => {
  const { status, headers } = await submitForm(`${served.origin}/compare/next`, { _csrf: mia.csrf }, mia.headers);
  const item = headers.get('location') ?? '';
  expect([status, item]).toEqual([303, expect.stringMatching(/^\/compare\/\d+$/)]);
  for (const path of [item, '/compare', '/compare/results', '/docs']) {
    expect([path, await harmAt(path)]).toEqual([path, []]);
  }
  const feed = await (await fetch(`${served.origin}/feed.xml?state=all&page=${encodeURIComponent(NASTY)}`)).text();
  expect(feed).toContain('<item>');
  // also where a reader takes the text of a description for the HTML that it is
  const descriptions = parseHTML(feed).document.querySelectorAll('description');
  for (const description of descriptions) expect(harmIn(`<body>${description.textContent}</body>`)).toEqual([]);
  expect(harmIn(feed)).toEqual([]);
});

test('in figures: drawn, as tables and as files, of which no cell is a formula', async () => {
  expect(await harmAt('/insights')).toEqual([]);
  for (const figure of ['projects', 'hosts', 'models']) {
    const svg = await (await fetch(`${served.origin}/insights/${figure}.svg`)).text();
    expect([figure, harmIn(`<body>${svg}</body>`)]).toEqual([figure, []]);
    const csv = await (await fetch(`${served.origin}/insights/${figure}.csv`)).text();
    expect(csv).not.toMatch(/(^|[,\n])"?[=+@-]/);
  }
  expect(await (await fetch(`${served.origin}/insights/projects.csv`)).text()).toContain(`"'=1+1`);
});

const viewer = {
  actor: { id: 1, name: NASTY, roles: ['patroller'], via: 'session' },
  csrf: 'x',
  path: `/${NASTY}`,
  signIn: 'wiki',
} as const;

test('on the page of a check', () => {
  const at = { start: 0, end: 4 };
  const row = { ...evidence, domain: NASTY, support: 0.5, ...NO_DATES, ...DETAILS, ...at };
  const found: Found = {
    ...{ claim: NASTY, verdict: 'disputed', supports: [row], refutes: [row], other: [row] },
    ...{ noWordKnown: false, generation: NASTY, searched: { shardsAsked: 1, shardsAnswered: 1, missing: [] } },
  };
  const check: Check = {
    ...{ id: 'c123456789_0', kind: 'sentence', wiki: hostile.wiki, revision: 3, sentence: NASTY, state: 'running' },
    ...{ page: null, reason: null, idleSince: null, claims: null, etaSeconds: null, finishedAt: null, found },
    ...{ stages: [{ stage: NASTY, done: 0, failed: 0, total: 1 }], createdAt: '2026-11-20T10:00:00.000Z' },
  };
  const view = { assets: readAssets(), viewer, said: new Map(), mayCancel: true, shown: 1 };
  const findings = [1, 2].map((id) => ({ id, finding: hostile }));
  expect(harmIn(checkPage({ ...view, check, findings: [] }))).toEqual([]);
  const ofPage: Check = { ...check, kind: 'page', page: { id: 7, title: NASTY }, sentence: null, found: null };
  expect(harmIn(checkPage({ ...view, check: ofPage, findings }))).toEqual([]);
});

const NO_DATES = { publishedAt: null, crawledAt: null };
const DETAILS = { found: [], absent: [{ start: 0, end: 4, text: NASTY, kind: 'name' as const }], mismatches: [] };

test('on the maintainers’ page', () => {
  const at = '2026-11-20T10:00:00.000Z';
  const list = {
    id: 1,
    wiki: hostile.wiki,
    name: NASTY,
    source: { kind: 'search', query: NASTY },
    created: at,
  } as const;
  const run = { number: 1, state: 'failed', phase: 'collecting', everything: false, started: at, ended: at } as const;
  const text = maintainPage({
    ...{ assets: readAssets(), viewer, asked: null, said: { began: NASTY, cancelled: NASTY, jobs: 1 } },
    queues: { away: NASTY },
    worklists: {
      is: [
        {
          worklist: { ...list, paused: false, schedule: null },
          runs: [{ ...run, id: 1, worklist: 1, position: null, step: 0, waiting: null, reason: NASTY, detail: NASTY }],
          progress: null,
        },
      ],
    },
    optOuts: { is: [{ wiki: hostile.wiki, page: hostile.page, by: NASTY, comment: NASTY, createdAt: at }] },
  });
  expect(harmIn(text)).toEqual([]);
  expect(text).toContain('&#60;b data-injected');
});
