/** Figures of what was found and decided, from a real database: as tables, as files, and as pictures in a browser. */
import type { Finding } from '../../../shared/citation.ts';
import { FIGURES, type FigureId } from '../../../workers/review/insights/figure.ts';
import { createInsights } from '../../../workers/review/insights/insights.ts';
import { seriousIn } from '../../support/axe.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aCitation } from '../../support/examples.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { failing, findingOf, OPEN } from './store.ts';

let served: Served;
let ada: SignedIn;

beforeEach(async () => {
  served = await serve();
  ada = await served.signIn('Ada');
});
afterEach(() => served.close());

test('the funnel narrows from claims that were seen to findings that were accepted', async () => {
  await recordAll();
  await decide('The mill closed in 1931.', 'accept');
  expect(await rowsOf('funnel')).toEqual([
    ['seen', 4],
    ['fetched', 3],
    ['verified', 3],
    ['flagged', 2],
    ['accepted', 1],
  ]);
});

test('why sources could not be read, and at which hosts', async () => {
  await recordAll();
  expect(await rowsOf('unread')).toEqual([['paywall', 1]]);
  expect(await rowsOf('hosts')).toEqual([['walled.example', 1, 1]]);
});

test('a decision counts on its day, until it is taken back', async () => {
  await recordAll();
  const id = await decide('The mill closed in 1931.', 'accept');
  const today = new Date().toISOString().slice(0, 10);
  expect(await rowsOf('decisions')).toEqual([[today, 'accept', 1]]);
  await served.decisions.undo(id, ada);
  expect(await rowsOf('decisions')).toEqual([]);
});

test('an article of two projects counts for both', async () => {
  await recordAll();
  for (const name of ['Mills', 'Coast']) await inProject(name);
  await decide('The mill closed in 1931.', 'reject');
  expect(await rowsOf('projects')).toEqual([
    ['Coast', 'reject', 1],
    ['Mills', 'reject', 1],
  ]);
});

test('of a version’s flagged findings, the share that people confirmed', async () => {
  await recordAll();
  await decide('The mill closed in 1931.', 'accept');
  await decide('The mill burned.', 'reject');
  const [row, ...others] = await rowsOf('models');
  expect(others).toEqual([]);
  expect(row?.slice(1, 7)).toEqual([4, expect.any(Number), 2, 2, 1, 0.5]);
});

test('precision stands beside what was published for the same model', async () => {
  await served.findings.record({ ...failed('The mill closed in 1931.'), model: 'verifier-2' });
  await decide('The mill closed in 1931.', 'accept');
  const rows = await rowsOf('precision');
  expect(rows.filter(([source]) => source === 'decided here')).toHaveLength(1);
  expect(rows.filter(([source]) => source === 'published').length).toBeGreaterThan(5);
});

test('every figure downloads as CSV, and no cell begins a formula', async () => {
  await recordAll();
  await inProject('=HYPERLINK("https://evil.example")');
  await decide('The mill closed in 1931.', 'reject');
  for (const id of FIGURES) {
    const answer = await fetch(`${served.origin}/insights/${id}.csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [heads, first] = (await answer.text()).split('\n');
    expect(heads?.split(',').length).toBeGreaterThan(1);
    if (id === 'projects') expect(first).toBe(`"'=HYPERLINK(""https://evil.example"")",reject,1`);
  }
  expect((await fetch(`${served.origin}/insights/passwords.csv`)).status).toBe(404);
});

describeWith(['chromium'], 'in the browser', () => {
  test('every figure is drawn, in the dark too', async () => {
    await recordAll();
    await inProject('<b>Mills');
    await decide('The mill closed in 1931.', 'accept');
    const browser = await launchChromium();
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage();
        await page.emulateMedia({ colorScheme });
        await page.goto(`${served.origin}/insights`);
        for (const figure of await page.locator('img.figure').all()) await figure.scrollIntoViewIfNeeded();
        await page.waitForFunction(`[...document.querySelectorAll('img.figure')].every((img) => img.naturalWidth > 0)`);
        expect(await page.locator('img.figure').count()).toBe(FIGURES.length);
        expect(await seriousIn(page)).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});

/** One of each: failed twice, supported, unread. */
async function recordAll(): Promise<void> {
  await served.findings.record(failed('The mill closed in 1931.'));
  await served.findings.record(failed('The mill burned.'));
  await served.findings.record({ ...failed('The bay is deep.'), verdict: 'supported', score: 0.9 });
  const walled = { ...checked(), url: 'https://www.walled.example/a', reason: 'paywall' as const, score: null };
  const unread = { verdict: 'unavailable', score: null, failed: null, reason: 'paywall' } as const;
  await served.findings.record({ ...failed('The tower is tall.'), ...unread, citations: [walled] });
}

async function inProject(name: string): Promise<void> {
  const { wiki, page } = findingOf('x');
  await served.db.insertInto('page_groups').values({ wiki, page_id: page.id, kind: 'project', name }).execute();
}

function failed(text: string): Finding {
  return { ...failing('not_supported'), claim: findingOf(text).claim, citations: [checked()] };
}

function checked() {
  return { ...aCitation, score: 0.2, reason: null, readUrl: aCitation.url, archivedAt: null, reliability: null };
}

async function decide(text: string, decision: 'accept' | 'reject'): Promise<number> {
  const rows = await served.findings.list({ ...OPEN, verdict: 'all' }, { limit: 50 });
  const row = rows.find(({ finding }) => finding.claim.text === text);
  if (row === undefined) throw new Error(`no finding of “${text}”`);
  await served.decisions.take(row.id, ada);
  await served.decisions.decide(row.id, { decision }, ada);
  return row.id;
}

async function rowsOf(id: FigureId) {
  return (await createInsights(served.db).figure(id)).rows;
}
