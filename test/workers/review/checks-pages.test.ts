/** "Check a claim" in a browser, with real clicks: asked, followed live, cancelled, judged row by row. Workers are told what to find. */
import type { BrowserContext, Page } from 'playwright-core';
import type { Citation } from '../../../shared/citation.ts';
import type { Found, Row } from '../../../shared/found.ts';
import { hashCitations, hashClaim } from '../../../shared/hash.ts';
import type { Handlers, Next } from '../../../shared/pipeline.ts';
import type { Runner } from '../../../shared/runner.ts';
import { seriousIn } from '../../support/axe.ts';
import { launchChromium } from '../../support/chromium.ts';
import { type Deferred, deferred } from '../../support/deferred.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aCitation, aClaim, aFinding } from '../../support/examples.ts';
import { type CheckService, type Ground, startGround, startService } from './checked.ts';

const MILL = 'The mill at Orrin Bay closed in 1931 after 40 years.';
const HOSTILE = '</textarea><script>document.title = "taken"</script><img src=x onerror="document.title=1">';

function row(changes: Partial<Row> = {}): Row {
  const quote = 'The mill at Orrin Bay was closed in 1931.';
  return {
    ...{ url: 'https://mills.example/orrin', title: 'Mills of the bay', domain: 'mills.example', quote },
    ...{ start: 12, end: 12 + quote.length, passage: `Wages fell. ${quote} It had run for a while.` },
    ...{ support: 0.93, found: [], absent: [], mismatches: [], publishedAt: '2019-04-05', crawledAt: null },
    ...changes,
  };
}

const differing = row({
  ...{ url: 'https://annals.example/1934', title: 'Annals', domain: 'annals.example', support: 0.2 },
  ...{
    quote: 'The mill at Orrin Bay closed in 1934.',
    start: 0,
    end: 37,
    passage: 'The mill at Orrin Bay closed in 1934.',
  },
  mismatches: [
    {
      code: 'date',
      claim: { start: MILL.indexOf('1931'), end: MILL.indexOf('1931') + 4 },
      page: {
        quote: 'The mill at Orrin Bay closed in 1934.',
        url: 'https://annals.example/1934',
        title: 'Annals',
        start: 0,
        end: 37,
      },
    },
  ],
});
const others = Array.from({ length: 5 }, (_, at) =>
  row({
    url: `https://walks.example/${at}`,
    title: `Walk ${at + 1} by the bay`,
    domain: 'walks.example',
    support: 0.1,
    publishedAt: null,
  }),
);
const found: Found = {
  ...{ claim: MILL, verdict: 'disputed', supports: [row()], refutes: [differing], other: others },
  ...{
    noWordKnown: false,
    generation: 'second',
    searched: { shardsAsked: 3, shardsAnswered: 2, missing: ['retrieval-dense-1'] },
  },
};

describeWith(['redis', 'chromium'], 'checks in a browser', () => {
  let ground: Ground;
  let service: CheckService;
  let browser: BrowserContext;
  let page: Page;
  let runner: Runner | null = null;
  const latest = async (title: string) => (title === 'Nowhere' ? null : { page: { id: 7, title }, revision: 12 });

  beforeAll(async () => {
    [ground, browser] = await Promise.all([startGround(), launchChromium()]);
    service = await startService(ground, latest);
  });
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await browser.clearCookies();
    await runner?.stop(100);
    runner = null;
    await ground.redis.flushall();
    await ground.store.db
      .updateTable('checks')
      .set({ state: 'cancelled' })
      .where('state', 'in', ['waiting', 'running'])
      .execute();
  });
  afterAll(async () => {
    await service?.close();
    await Promise.all([browser?.close(), ground?.close()]);
  });

  /** Workers that find this; held until `go`. */
  const finding = (what: Found, go?: Deferred<void>) =>
    drain({
      async find({ claim, request }) {
        await go?.promise;
        const told: Found = { ...what, claim: claim.text };
        return { answer: null, next: [{ stage: 'review', input: { kind: 'found', request, found: told } }] };
      },
    });
  const drain = (handlers: Handlers) => {
    runner = ground.drain(handlers);
  };
  const askFor = async (text: string) => {
    await page.goto(`${service.origin}/check`);
    await page.getByLabel('Sentence').fill(text);
    await page.getByRole('button', { name: 'Check this sentence' }).click();
    await page.waitForURL(/\/checks\/c/);
  };

  test('a visitor pastes a sentence, sees how far it is, and then what supports it, what refutes it, and what else there is', async () => {
    const go = deferred<void>();
    await askFor(MILL);
    await page.getByRole('status').getByText('Waiting for its turn.').waitFor();
    finding(found, go);
    go.resolve();
    await page.getByRole('heading', { name: 'Disputed' }).waitFor();
    expect(await page.locator('.found-verdict').textContent()).toMatch(
      /some pages support it, others say otherwise.*2 of 3 index parts/is,
    );
    for (const [name, count] of [
      ['Supports', 1],
      ['Refutes', 1],
      ['Other', 5],
    ] as const) {
      const column = page.getByRole('region', { name });
      expect(await column.locator('.found-row').count()).toBe(count);
    }
    expect(await page.getByRole('region', { name: 'Refutes' }).textContent()).toContain('differs');
    expect(await page.getByRole('button', { name: 'Yes' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  });

  test('the service is restarted in the middle, and the page goes on by itself', async () => {
    const go = deferred<void>();
    await askFor(MILL);
    await page.getByRole('status').getByText('Waiting').waitFor();
    const { port } = service;
    await service.close();
    service = await startService(ground, latest, { port });
    finding(found, go);
    go.resolve();
    await page.getByRole('heading', { name: 'Disputed' }).waitFor();
  });

  test('who asked cancels', async () => {
    await askFor(MILL);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled.').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    const stranger = await browser.browser()?.newContext();
    const tab = await stranger?.newPage();
    await askFor('Another sentence that somebody asked for.');
    await tab?.goto(page.url());
    expect(await tab?.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await stranger?.close();
  });

  test('a patroller says what is right and relevant, thinks again, and finds it so when coming back', async () => {
    const ada = await service.signIn('Ada');
    await browser.addCookies(ada.cookies);
    finding(found);
    await askFor(MILL);
    const label = page.locator('#supports-1').getByRole('form', { name: /^Correct label/ });
    await label.getByRole('button', { name: 'Yes' }).click();
    await label.getByRole('button', { name: 'Yes', pressed: true }).waitFor();
    await label.getByRole('button', { name: 'No' }).click();
    await label.getByRole('button', { name: 'No', pressed: true }).waitFor();
    const relevant = page.locator('#other-5').getByRole('form', { name: /^Relevant/ });
    await relevant.getByRole('button', { name: 'No' }).click();
    await relevant.getByRole('button', { name: 'No', pressed: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#other-5');
    const kept = await ground.store.db.selectFrom('feedback').select(['url', 'question', 'answer']).execute();
    expect(kept).toEqual([
      { url: 'https://mills.example/orrin', question: 'label', answer: 'no' },
      { url: 'https://walks.example/4', question: 'relevance', answer: 'no' },
    ]);
  });

  test('a whole article: its findings come as they are judged, and the queue has them all', async () => {
    const second = deferred<void>();
    const claims = ['The quay is of granite.', 'The mill closed in 1931.'].map((text) => ({
      ...aClaim,
      text,
      hash: hashClaim(text),
    }));
    const citations: Citation[] = [aCitation];
    drain({
      async articles({ wiki, page: on, revision, request }) {
        const at = { wiki, page: on, revision, ...(request !== undefined && { request }) };
        const anchors = claims.map((claim) => ({
          claim: claim.hash,
          citations: hashCitations(citations),
          sources: [],
          words: '',
        }));
        const review: Next = { stage: 'review', input: { kind: 'revision', ...at, anchors, claims: 2, checking: 2 } };
        const judged = claims.map(
          (claim): Next => ({
            stage: 'verification',
            input: { ...at, claim, citations, article: [], suggest: 'below_threshold' },
          }),
        );
        return { answer: null, next: [review, ...judged] };
      },
      async verification({ wiki, page: on, revision, claim, request }) {
        if (claim.hash === claims[1]?.hash) await second.promise;
        const asked = request === undefined ? {} : { request };
        const judged = { ...aFinding, wiki, page: on, revision, claim };
        return { answer: null, next: [{ stage: 'review', input: { kind: 'finding', finding: judged, ...asked } }] };
      },
    });
    await page.goto(`${service.origin}/check`);
    await page.getByLabel('Article', { exact: true }).fill('Orrin Bay');
    await page.getByRole('button', { name: 'Check this article' }).click();
    await page.getByRole('link', { name: 'The quay is of granite.' }).waitFor();
    await page.getByText('1 of 2 claims checked').waitFor();
    expect(await page.getByRole('link', { name: 'The mill closed in 1931.' }).count()).toBe(0);
    second.resolve();
    await page.getByText('Done.').waitFor();
    await page.getByRole('link', { name: 'The mill closed in 1931.' }).waitFor();
    await page.getByRole('link', { name: 'Orrin Bay in the queue' }).click();
    await page.waitForURL(/page=Orrin/);
  });

  test('without scripts the page comes again by itself, and all of it works', async () => {
    const plain = await browser.browser()?.newContext({ javaScriptEnabled: false });
    const tab = await plain?.newPage();
    if (tab === undefined) throw new Error('no browser');
    await tab.goto(`${service.origin}/check`);
    await tab.getByLabel('Sentence').fill(MILL);
    await tab.getByRole('button', { name: 'Check this sentence' }).click();
    await tab.getByText('Waiting for its turn.').waitFor();
    expect(await tab.locator('meta[http-equiv="refresh"]').count()).toBe(1);
    finding(found);
    await tab.getByRole('heading', { name: 'Disputed' }).waitFor();
    expect(await tab.locator('meta[http-equiv="refresh"]').count()).toBe(0);
    await plain?.close();
  }, 15_000);

  test('a page that is not there is said to be not there; an address without a check too', async () => {
    await page.goto(`${service.origin}/check`);
    await page.getByLabel('Article', { exact: true }).fill('Nowhere');
    await page.getByRole('button', { name: 'Check this article' }).click();
    await page.getByText('the wiki has no page of this title').waitFor();
    expect((await page.goto(`${service.origin}/checks/c123`))?.status()).toBe(404);
    expect((await page.goto(`${service.origin}/checks/%3Cscript%3E`))?.status()).toBe(400);
  });

  test('hostile sentences, titles, addresses and quotes are text', async () => {
    const bad = row({
      url: 'javascript:document.title=1',
      title: HOSTILE,
      domain: HOSTILE,
      quote: HOSTILE,
      passage: `${HOSTILE} and on`,
    });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    finding({ ...found, verdict: 'supported', supports: [bad], refutes: [], generation: HOSTILE });
    await browser.addCookies((await service.signIn(HOSTILE)).cookies);
    await askFor(HOSTILE);
    await page.getByRole('heading', { name: 'Supported' }).waitFor();
    expect(await page.title()).toContain('Sidelight');
    expect(await page.locator('#supports-1 h3').textContent()).toBe(HOSTILE);
    expect(await page.locator('.claim-text').textContent()).toBe(HOSTILE);
    expect(await page.locator('main script, main img, main a[href^="javascript"]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['light', 'ltr', 1280],
    ['dark', 'rtl', 360],
  ] as const)(
    'nobody is kept out, and nothing is wider than the screen (%s, %s, %i)',
    async (colorScheme, dir, width) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await browser.addCookies((await service.signIn('Ada')).cookies);
      const look = async () => {
        await page.evaluate(`document.documentElement.dir = '${dir}'`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await seriousIn(page)).toEqual([]);
      };
      await page.goto(`${service.origin}/check`);
      await look();
      await askFor(MILL);
      await look();
      finding(found);
      await page.getByRole('heading', { name: 'Disputed' }).waitFor();
      await look();
    },
  );
});
