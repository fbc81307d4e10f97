/** Two people at once, turns that run out, and a service that is slow, away or restarted while somebody decides. */
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { type Person, signedIn } from './persons.ts';
import { type Served, serve, serveStore } from './served.ts';
import { type SlowProxy, slowProxyTo } from './slow-proxy.ts';
import { findingOf, openStore, type Store } from './store.ts';

const SECOND = 'The quay is of granite.';
const THIRD = 'The lamp was lit first.';
const THREE = [aFinding, findingOf(SECOND, { score: 0.3 }), findingOf(THIRD, { score: 0.35 })];
const NOTE = 'See page 4.';

let browser: BrowserContext;

async function ready(page: Page, text: string) {
  await page.locator('form.decide[data-step=ready]').waitFor();
  expect(await page.locator('.claim-text').textContent()).toContain(text);
}

function decided({ db }: Pick<Store, 'db'>) {
  return db.selectFrom('decisions').select(['finding_id as id', 'decision', 'comment']).orderBy('id').execute();
}

describeWith(['chromium'], 'triage by several people', () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  describe('at once', atOnce);
  describe('with a service that fails', failing);
});

function atOnce() {
  let served: Served;
  let ada: Person;
  beforeEach(async () => {
    served = await serve(...THREE);
    ada = await signedIn(browser, served, 'Ada');
    await ada.page.goto(`${served.origin}/findings/1`);
    await ready(ada.page, aFinding.claim.text);
  });
  afterEach(async () => {
    await ada.context.close();
    await served.close();
  });

  test('the second who opens a finding sees who looks at it, reads it, and goes on to a free one', async () => {
    const bob = await signedIn(browser, served, 'Bob');
    await bob.page.goto(`${served.origin}/findings/1`);
    await bob.page.getByText(/Ada looks at this until \d\d:\d\d UTC/).waitFor();
    expect(await bob.page.locator('.claim-text').textContent()).toContain(aFinding.claim.text);
    for (const key of ['a', 'r', 'c']) await bob.page.keyboard.press(key);
    await bob.page.keyboard.press('s');
    await ready(bob.page, SECOND);
    await ada.page.keyboard.press('a');
    await ready(ada.page, THIRD);
    await bob.page.keyboard.press('r');
    await bob.page.getByRole('status').getByText('Rejected:').waitFor();
    expect(await decided(served)).toEqual([
      { id: 1, decision: 'accept', comment: null },
      { id: 2, decision: 'reject', comment: null },
    ]);
    await bob.context.close();
  });

  test('whose turn was taken over is told before anything is decided', async () => {
    await ada.page.keyboard.press('n');
    await ada.page.keyboard.type(NOTE);
    await ada.page.keyboard.press('Escape');
    await served.db.deleteFrom('leases').execute();
    const bob = await signedIn(browser, served, 'Bob');
    await bob.page.goto(`${served.origin}/findings/1`);
    await ready(bob.page, aFinding.claim.text);
    await ada.page.keyboard.press('a');
    await ada.page.getByRole('status').getByText('Bob looks at this finding until').waitFor();
    expect(await decided(served)).toEqual([]);
    expect(await ada.page.locator('textarea[name=comment]').inputValue()).toBe(NOTE);
    await bob.context.close();
  });

  test('a turn that nobody else took is taken again in one click, with the note and the reason', async () => {
    await ada.page.keyboard.press('2');
    await ada.page.keyboard.press('n');
    await ada.page.keyboard.type(NOTE);
    await ada.page.keyboard.press('Escape');
    await served.db.deleteFrom('leases').execute();
    await ada.page.keyboard.press('a');
    await ada.page.getByRole('button', { name: 'Look at it again' }).click();
    await ready(ada.page, aFinding.claim.text);
    await ada.page.keyboard.press('a');
    await ready(ada.page, SECOND);
    const [only] = await served.findings.history(1);
    expect(only).toMatchObject({ decision: 'accept', reason: 'source_silent', comment: NOTE });
  });

  test('a claim that was judged anew meanwhile is looked at again before it is decided', async () => {
    await served.findings.record({ ...aFinding, verdict: 'contradicted', score: 0.05 });
    await ada.page.keyboard.press('a');
    await ada.page.getByRole('status').getByText('was judged anew since you saw it').waitFor();
    await ada.page.getByRole('button', { name: 'Look at it again' }).click();
    await ready(ada.page, aFinding.claim.text);
    expect(await ada.page.locator('.claim .badge').first().textContent()).toBe('Contradicted');
    expect(await decided(served)).toEqual([]);
  });

  test('while a screen is in use its turn goes on; left alone it ends, and says so', async () => {
    const { page } = ada;
    await page.clock.install();
    await page.goto(`${served.origin}/findings/1`);
    await page.clock.runFor(1000);
    await ready(page, aFinding.claim.text);
    await page.clock.fastForward('06:00');
    const renewed = page.waitForResponse(`${served.origin}/api/findings/1/lease`);
    await page.mouse.move(200, 200);
    expect((await renewed).status()).toBe(200);
    await page.clock.fastForward('09:00');
    await ready(page, aFinding.claim.text);
    await page.clock.fastForward('02:00');
    await page.getByRole('status').getByText('Your time for this finding has run out').waitFor();
    await page.keyboard.press('a');
    expect(await decided(served)).toEqual([]);
    await page.getByRole('button', { name: 'Look at it again' }).click();
    await page.locator('form.decide[data-step=opening]').waitFor();
    await page.keyboard.press('a');
    await page.getByText('This finding has only just opened').waitFor();
    expect(await decided(served)).toEqual([]);
    await page.clock.runFor(1000);
    await ready(page, aFinding.claim.text);
  });
}

function failing() {
  let store: Store;
  let server: Awaited<ReturnType<typeof serveStore>>;
  let proxy: SlowProxy;
  let ada: Person;
  let page: Page;
  beforeEach(async () => {
    store = await openStore();
    for (const finding of THREE) await store.findings.record(finding);
    server = await serveStore(store);
    proxy = await slowProxyTo(server.origin);
    ada = await signedIn(browser, server, 'Ada');
    page = ada.page;
    await page.goto(`${proxy.origin}/findings/1`);
    await ready(page, aFinding.claim.text);
  });
  afterEach(async () => {
    await ada.context.close();
    await proxy.close();
    await server.close();
    await store.close();
  });

  /** The next screens were fetched ahead. */
  async function screensAhead() {
    await page.waitForFunction('performance.getEntriesByName(location.origin + "/findings/2").length > 0');
  }

  async function write(note: string) {
    await page.keyboard.press('n');
    await page.keyboard.type(note);
    await page.keyboard.press('Escape');
  }

  test('while it is slow the next screen is there at once, says what is being saved, and decides nothing yet', async () => {
    await screensAhead();
    const release = proxy.hold();
    await page.keyboard.press('a');
    await page.getByText('Saving “Accept” for the finding before…').waitFor();
    expect(await page.locator('.claim-text').textContent()).toContain(SECOND);
    await page.keyboard.press('r');
    await page.getByText('Still saving the last decision.').waitFor();
    expect(await decided(store)).toEqual([]);
    release();
    await page.getByRole('status').getByText('Accepted:').waitFor();
    await ready(page, SECOND);
    expect(page.url()).toBe(`${proxy.origin}/findings/2?done=1`);
    expect(await decided(store)).toEqual([{ id: 1, decision: 'accept', comment: null }]);
    expect(proxy.decisions()).toBe(1);
  });

  test('while it is away nothing is lost: once it is back, the same decision is sent again and made once', async () => {
    await screensAhead();
    await write(NOTE);
    const { port } = server;
    await server.close();
    await page.keyboard.press('r');
    await page.getByText('The service did not answer.').waitFor();
    await page.locator('form.decide[data-step=failed]').waitFor();
    expect(await page.locator('.claim-text').textContent()).toContain(aFinding.claim.text);
    expect(await page.locator('textarea[name=comment]').inputValue()).toBe(NOTE);
    server = await serveStore(store, {}, port);
    await page.getByRole('button', { name: 'Try again' }).click();
    await ready(page, SECOND);
    expect(await decided(store)).toEqual([{ id: 1, decision: 'reject', comment: NOTE }]);
  });

  test.each([
    ['accept', 'a'],
    ['skip', 's'],
  ])('restarted before its answer arrived, it has the decision once: %s', async (decision, key) => {
    const { port } = server;
    const answerAgain = proxy.loseAnswers();
    await page.keyboard.press(key);
    await page.getByText('The service did not answer.').waitFor();
    expect(await decided(store)).toHaveLength(1);
    await server.close();
    server = await serveStore(store, {}, port);
    answerAgain();
    await page.getByRole('button', { name: 'Try again' }).click();
    await ready(page, SECOND);
    // a browser may send it again by itself, too
    expect(proxy.decisions()).toBeGreaterThan(1);
    expect(await decided(store)).toEqual([{ id: 1, decision, comment: null }]);
  });

  test('a decision that was saved can be taken back after a restart', async () => {
    await page.keyboard.press('a');
    await ready(page, SECOND);
    const { port } = server;
    await server.close();
    await page.keyboard.press('u');
    await page.getByText('The service did not answer.').waitFor();
    server = await serveStore(store, {}, port);
    await page.getByRole('button', { name: 'Try again' }).click();
    await ready(page, aFinding.claim.text);
    expect(await store.findings.get(1)).toMatchObject({ state: 'open', decision: null });
  });
}
