/** A patroller at the review page, with real keys and clicks. */
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { newContext, signedIn } from './persons.ts';
import { rich } from './rich.ts';
import { type Served, serve } from './served.ts';
import { failing, findingOf } from './store.ts';

const TEXTS = ['The quay is of granite.', 'The lamp was lit first.', 'Ferries ran daily.', 'Nobody lived there.'];
const FIVE = [aFinding, ...TEXTS.map((text, at) => findingOf(text, { score: 0.3 + at / 100 }))];

let browser: BrowserContext;
let served: Served;
let context: BrowserContext;
let page: Page;

/** The screen of a finding is there, and may be decided on. */
async function ready(text: string, at = page) {
  await at.locator('form.decide[data-step=ready]').waitFor();
  expect(await at.locator('.claim-text').textContent()).toContain(text);
}

async function open(id: number) {
  await page.goto(`${served.origin}/findings/${id}`);
  await page.locator('form.decide[data-step=ready]').waitFor();
}

/** What was decided, in order. */
function decided() {
  return served.db
    .selectFrom('decisions')
    .select(['finding_id as id', 'decision', 'reason', 'comment'])
    .where('undone_at', 'is', null)
    .orderBy('id')
    .execute();
}

describeWith(['chromium'], 'triage in a browser', () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    served = await serve(...FIVE);
    ({ context, page } = await signedIn(browser, served, 'Ada'));
  });
  afterEach(async () => {
    await context.close();
    await served.close();
  });
  describe('with keys', withKeys);
  describe('for everybody', forEverybody);
});

function withKeys() {
  test('five findings are triaged by keys alone, with a reason and a note, down to the list', async () => {
    await page.goto(served.origin);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await ready(aFinding.claim.text);
    await page.keyboard.press('2');
    await page.keyboard.press('a');
    await ready(TEXTS[0] ?? '');
    await page.keyboard.press('r');
    await ready(TEXTS[1] ?? '');
    await page.keyboard.press('c');
    await ready(TEXTS[2] ?? '');
    await page.keyboard.press('n');
    await page.keyboard.type('Scarce: a new ferry?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    await page.keyboard.press('a');
    await ready(TEXTS[3] ?? '');
    await page.keyboard.press('s');
    await page.locator('form.decide[data-step=ready]').waitFor();
    await page.keyboard.press('f');
    await page.waitForURL(`${served.origin}/`);
    expect(await decided()).toEqual([
      { id: 1, decision: 'accept', reason: 'source_silent', comment: null },
      { id: 2, decision: 'reject', reason: null, comment: null },
      { id: 3, decision: 'cant_tell', reason: null, comment: null },
      { id: 4, decision: 'accept', reason: 'source_disagrees', comment: 'Scarce: a new ferry?' },
      { id: 5, decision: 'skip', reason: null, comment: null },
    ]);
  });

  test('the last decision of a list leads back to the list, which says what was decided', async () => {
    await page.goto(`${served.origin}/findings/2?page=Elsewhere`);
    await page.locator('form.decide[data-step=ready]').waitFor();
    await page.keyboard.press('a');
    await page.waitForURL(`${served.origin}/?page=Elsewhere&done=2`);
    await page.getByRole('status').getByText('Accepted:').waitFor();
  });

  test('u takes the last decision back, and leads to its finding', async () => {
    await open(1);
    await page.keyboard.press('r');
    await ready(TEXTS[0] ?? '');
    await page.keyboard.press('u');
    await ready(aFinding.claim.text);
    expect(await served.findings.get(1)).toMatchObject({ state: 'open', decision: null });
    expect(await page.locator('.history').textContent()).toContain('Undone');
  });

  test('j and k walk through the findings, f leads back to the list', async () => {
    await open(1);
    await page.keyboard.press('j');
    await page.waitForURL(`${served.origin}/findings/2`);
    await page.keyboard.press('k');
    await page.waitForURL(`${served.origin}/findings/1`);
    await page.keyboard.press('f');
    await page.waitForURL(`${served.origin}/`);
  });

  test('o opens what is cited and e the article, each beside the review page', async () => {
    await open(1);
    for (const [key, address] of [
      ['o', 'https://orrin.example/mill'],
      ['e', 'http://wiki.example:8143/mediawiki/index.php?title=Orrin_Bay&oldid=12'],
    ] as const) {
      const opening = context.waitForEvent('page');
      const asked = context.waitForEvent('request', (request) => request.url().startsWith(address));
      await page.keyboard.press(key);
      await asked;
      await (await opening).close();
    }
    expect(await page.locator('.claim-text').textContent()).toContain(aFinding.claim.text);
  });

  test('a key that is held, pressed twice, or pressed with another one decides no more than once', async () => {
    await open(1);
    for (const chord of ['Control+a', 'Alt+r', 'Meta+c']) await page.keyboard.press(chord);
    expect(await decided()).toEqual([]);
    await page.keyboard.down('a');
    await page.keyboard.down('a');
    await page.keyboard.up('a');
    await page.keyboard.press('a');
    await ready(TEXTS[0] ?? '');
    expect(await decided()).toHaveLength(1);
  });

  test('keys that are typed into a note decide nothing', async () => {
    await open(1);
    await page.getByText('Add a note').click();
    await page.getByLabel('Note, kept with your decision').focus();
    await page.keyboard.type('scarce');
    await page.getByRole('button', { name: /^Reject/ }).click();
    await ready(TEXTS[0] ?? '');
    expect(await decided()).toEqual([{ id: 1, decision: 'reject', reason: null, comment: 'scarce' }]);
  });

  test('a reason that does not go with a decision is said, a second press takes it back', async () => {
    await open(1);
    await page.keyboard.press('2');
    await page.keyboard.press('r');
    await page.getByRole('status').getByText('“Source silent” does not go with “Reject”').waitFor();
    expect(await decided()).toEqual([]);
    await page.keyboard.press('2');
    await page.keyboard.press('r');
    await ready(TEXTS[0] ?? '');
    expect(await decided()).toEqual([{ id: 1, decision: 'reject', reason: null, comment: null }]);
  });

  test('? shows all keys that there are; Esc leads back', async () => {
    await open(1);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.waitFor();
    const told = await help.locator('kbd').allTextContents();
    const there = await page.locator('#screen [data-key]').evaluateAll((all) => all.map((one) => one.dataset.key));
    expect(told).toEqual(expect.arrayContaining(there));
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    expect(await decided()).toEqual([]);
  });

  test('single keys can be switched off, in this browser for good, and back on', async () => {
    await open(1);
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByLabel('Single keys do something').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.locator('form.decide[data-step=ready]').waitFor();
    expect(await page.locator('.decide kbd').first().isVisible()).toBe(false);
    for (const key of ['a', 'r', 'j', '?']) await page.keyboard.press(key);
    expect(page.url()).toBe(`${served.origin}/findings/1`);
    expect(await decided()).toEqual([]);
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByLabel('Single keys do something').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await ready(TEXTS[0] ?? '');
  });
}

function forEverybody() {
  test('deciding, its reason, undoing and going on to a free one work without scripts', async () => {
    const bob = await signedIn(browser, served, 'Bob', { javaScriptEnabled: false });
    await bob.page.goto(`${served.origin}/findings/1`);
    await bob.page.getByLabel('Source silent').check();
    await bob.page.getByRole('button', { name: /^Accept/ }).click();
    await bob.page.waitForURL(`${served.origin}/findings/2?done=1`);
    expect(await decided()).toEqual([{ id: 1, decision: 'accept', reason: 'source_silent', comment: null }]);
    await bob.page.getByRole('button', { name: 'Undo' }).click();
    await bob.page.waitForURL(`${served.origin}/findings/1`);
    expect(await decided()).toEqual([]);
    await open(3);
    await bob.page.goto(`${served.origin}/findings/3`);
    await bob.page.getByText('Ada looks at this until').waitFor();
    await bob.page.getByRole('button', { name: 'Next free one' }).click();
    await bob.page.waitForURL(`${served.origin}/findings/1`);
    await bob.context.close();
  });

  test('words that nothing supports carry a line, and a screen reader says that they are not supported', async () => {
    await served.findings.record(failing('partially_supported'));
    await open(1);
    const claim = page.locator('.claim-text');
    // a name in those words has its own mark, which is read within
    expect(await claim.ariaSnapshot()).toMatch(/\[not supported: ?at/);
    const style = await claim
      .locator('.missing')
      .first()
      .evaluate((mark) => mark.ownerDocument.defaultView?.getComputedStyle(mark).borderBottomStyle);
    expect(style).toBe('dashed');
  });

  test('a screen reader is told of each detail whether it stands in the passage, with the number of its pair', async () => {
    await served.findings.record(rich());
    await open(6);
    const claim = await page.locator('.claim-text').ariaSnapshot();
    for (const told of ['[same 2: Edda Marsh ]', '[not there 1: Orrin Bay ]', '[differs 4: 40 tonnes ]']) {
      expect(claim).toContain(told);
    }
  });

  test('colours follow the system, and what a person chose before it', async () => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await open(1);
    const light = await background();
    await page.getByLabel('Colours').selectOption('Dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    expect(await background()).toBe(dark);
    await page.getByLabel('Colours').selectOption('As the system');
    expect(await background()).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background()).toBe(dark);
  });

  test('the browser finds nothing to complain about', async () => {
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    for (const path of ['/', '/?verdict=supported']) await page.goto(`${served.origin}${path}`);
    await open(1);
    await page.keyboard.press('a');
    await ready(TEXTS[0] ?? '');
    expect(complaints).toEqual([]);
  });

  test('who is not signed in sees no button that does nothing', async () => {
    const reader = await newContext(browser);
    const tab = await reader.newPage();
    await tab.goto(`${served.origin}/findings/1`);
    for (const key of ['a', 'r', 'u', '1']) await tab.keyboard.press(key);
    expect(await tab.locator('form.decide, form.undo').count()).toBe(0);
    expect(await decided()).toEqual([]);
    await reader.close();
  });
}
