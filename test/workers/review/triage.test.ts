import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, serve } from './served.ts';
import { failing, findingOf, searched } from './store.ts';

let browser: BrowserContext;
let served: Served;
let page: Page;
const second = findingOf('The quay is of granite.', { score: 0.3 });

describeWith(['chromium'], 'triage in a browser', () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    served = await serve(searched(aFinding), second);
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await served.close();
  });

  test('a patroller opens the list, opens a finding, accepts it with a key, and sees the next', async () => {
    await page.goto(served.origin);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Suggestion' }).waitFor();
    expect(await page.locator('.claim-text').textContent()).toContain(aFinding.claim.text);
    await page.keyboard.press('a');
    await page.getByRole('status').getByText('Accepted:').waitFor();
    expect(await page.locator('.claim-text').textContent()).toContain(second.claim.text);
    expect(await served.findings.get(1)).toMatchObject({ state: 'closed', decision: 'accept' });
  });

  test('j and k walk through the findings, u leads back to the list', async () => {
    await page.goto(`${served.origin}/findings/1`);
    await page.keyboard.press('j');
    await page.waitForURL(`${served.origin}/findings/2`);
    await page.keyboard.press('k');
    await page.waitForURL(`${served.origin}/findings/1`);
    await page.keyboard.press('u');
    await page.waitForURL(`${served.origin}/`);
  });

  test('keys that are typed into a note decide nothing', async () => {
    await page.goto(`${served.origin}/findings/1`);
    await page.getByText('Add a note').click();
    await page.getByLabel('Note, kept with your decision').focus();
    await page.keyboard.type('scarce');
    await page.getByRole('button', { name: /^Reject/ }).click();
    await page.getByRole('status').getByText('Rejected:').waitFor();
    expect(await served.findings.get(1)).toMatchObject({ decision: 'reject' });
  });

  test('deciding works without scripts', async () => {
    const plain = await browser.browser()?.newContext({ javaScriptEnabled: false });
    const tab = await plain?.newPage();
    await tab?.goto(`${served.origin}/findings/1`);
    await tab?.getByRole('button', { name: /^Accept/ }).click();
    await tab?.waitForURL(`${served.origin}/findings/2?done=1`);
    await plain?.close();
  });

  test('words that nothing supports carry a line, and a screen reader says that they are not supported', async () => {
    await served.findings.record(failing('partially_supported'));
    for (const [path, where] of [
      ['/?verdict=all', '.card-claim'],
      ['/findings/1', '.claim-text'],
    ] as const) {
      await page.goto(`${served.origin}${path}`);
      const claim = page.locator(where).filter({ has: page.locator('.missing') });
      expect(await claim.ariaSnapshot()).toMatch(/\[not supported: ?at Orrin Bay ?\]/);
      const line = await claim
        .locator('.missing')
        .first()
        .evaluate((mark) => {
          return mark.ownerDocument.defaultView?.getComputedStyle(mark).borderBottomStyle;
        });
      expect(line).toBe('dashed');
    }
  });

  test.each(['light', 'dark'] as const)('nothing is wider than a narrow screen (%s)', async (colorScheme) => {
    await served.findings.record(failing('contradicted'));
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/?verdict=all', '/findings/1']) {
      await page.goto(`${served.origin}${path}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
  });

  test('the browser finds nothing to complain about', async () => {
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    for (const path of ['/', '/findings/1', '/?verdict=supported']) await page.goto(`${served.origin}${path}`);
    expect(complaints).toEqual([]);
  });
});
