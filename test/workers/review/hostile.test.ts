/** Markup, scripts and addresses in every field of a finding, of people and of what they wrote: all of it is shown, none of it does anything. */
import type { BrowserContext } from 'playwright-core';
import type { Finding } from '../../../shared/citation.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aCitation } from '../../support/examples.ts';
import { openPage } from './opened.ts';
import { signedIn } from './persons.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { findingOf } from './store.ts';

const NASTY = `"'><script>window.hacked=1</script><img src=x onerror="window.hacked=2"><b data-injected>b</b>`;
const URL_OF_SCRIPT = `javascript:window.hacked=3//${NASTY}`;

const evidence = {
  quote: NASTY,
  url: URL_OF_SCRIPT,
  title: NASTY,
  start: 0,
  end: 9,
  passage: `in 1931 ${NASTY} after`,
};
const page = { url: URL_OF_SCRIPT, title: NASTY, quote: 'in 1931', start: 0, end: 7 };

const hostile: Finding = {
  ...findingOf(`In 1931 ${NASTY} Orrin Bay`),
  claim: {
    ...findingOf(`In 1931 ${NASTY} Orrin Bay`).claim,
    context: NASTY,
    section: [NASTY],
    title: NASTY,
    markerOffset: 4,
  },
  page: { id: 7, title: NASTY },
  model: NASTY,
  verdict: 'contradicted',
  citations: [
    {
      ...aCitation,
      url: URL_OF_SCRIPT,
      archiveUrl: URL_OF_SCRIPT,
      title: NASTY,
      text: NASTY,
      pages: NASTY,
      accessDate: '2026-05-03',
      score: 0.1,
      reason: 'dead',
      readUrl: URL_OF_SCRIPT,
      archivedAt: null,
      reliability: { status: 'mixed', wiki: 'wiki.example', list: NASTY, revision: 3, date: '2026-05-03' },
    },
  ],
  evidence,
  missing: [{ start: 2, end: 12 }],
  mismatches: [{ code: 'date', claim: { start: 3, end: 7 }, page }],
  secondOpinion: { answer: 'contradicted', model: NASTY, evidence: [evidence] },
  suggestion: { url: URL_OF_SCRIPT, title: NASTY, score: 0.9, evidence, reliability: null },
  searched: { shardsAsked: 1, shardsAnswered: 1, missing: [] },
};

let served: Served;
let ada: SignedIn;

async function serveHostile(): Promise<string[]> {
  served = await serve(hostile, findingOf('The quay is of granite.', { score: 0.3 }));
  ada = await served.signIn(NASTY);
  const said = { decision: 'skip', reason: undefined, comment: NASTY } as const;
  await served.decide(1, said);
  const at = { wiki: hostile.wiki, page_id: hostile.page.id };
  await served.db
    .insertInto('page_groups')
    .values({ ...at, kind: 'project', name: NASTY })
    .execute();
  const query = new URLSearchParams({ page: NASTY, wiki: NASTY, done: '1' });
  return [
    '/?done=1',
    '/findings/1?done=1',
    `/?${query}`,
    `/findings/1?${query}`,
    `/${encodeURIComponent(NASTY)}`,
    `/findings/${encodeURIComponent(NASTY)}`,
  ];
}

afterEach(() => served.close());

test('in what the service sends, it is text in every field', async () => {
  for (const path of await serveHostile()) {
    const { document, text } = await openPage(served.origin, path, ada);
    const scripts = [...document.querySelectorAll('script')].map((script) => script.getAttribute('src'));
    expect(scripts).toEqual([expect.stringMatching(/^\/static\//), expect.stringMatching(/^\/static\//)]);
    expect(document.querySelectorAll('[onerror], [data-injected], img:not([alt=""])')).toHaveLength(0);
    expect(text).not.toMatch(/href="javascript:/i);
  }
  const theirs = await openPage(served.origin, '/findings/1', await served.signIn('Bob'));
  expect(theirs.document.querySelector('.taken bdi')?.textContent).toBe(NASTY);
});

describeWith(['chromium'], 'in a browser', () => {
  let browser: BrowserContext;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test('it is read as it was written, and runs nowhere: on pages, on screens that were fetched ahead, in messages', async () => {
    const paths = await serveHostile();
    const { page: tab, context } = await signedIn(browser, served, NASTY);
    for (const path of paths) {
      await tab.goto(`${served.origin}${path}`);
      expect(await tab.evaluate('[window.hacked, document.querySelectorAll("[data-injected]").length]')).toEqual([
        undefined,
        0,
      ]);
    }
    await tab.goto(`${served.origin}/findings/1`);
    for (const where of ['h1', '.claim-text', '.work-title', 'blockquote', '.history-note', '.about']) {
      expect(await tab.locator(where).first().textContent()).toContain('<img src=x onerror="window.hacked=2">');
    }
    await tab.goto(`${served.origin}/findings/2`);
    await tab.locator('.decide[data-step=ready]').waitFor();
    await tab.keyboard.press('a');
    await tab.getByRole('status').getByText('Accepted:').waitFor();
    expect(await tab.locator('.claim-text').textContent()).toContain('<script>window.hacked=1</script>');
    expect(await tab.evaluate('[window.hacked, document.querySelectorAll("[data-injected]").length]')).toEqual([
      undefined,
      0,
    ]);
    await context.close();
  });
});
