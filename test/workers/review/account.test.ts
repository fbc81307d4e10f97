/** Signing in on this machine, and a person's own page, in a real browser. */
import type { BrowserContext, Page } from 'playwright-core';
import { seriousIn } from '../../support/axe.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, serve } from './served.ts';

let browser: BrowserContext;
let served: Served;
let page: Page;

describeWith(['chromium'], 'the account page', () => {
  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    served = await serve(aFinding);
  });
  afterEach(() => served.close());

  test('one press signs the person of this machine in, and out again', async () => {
    await page.goto(`${served.origin}/?verdict=not_supported`);
    await page.locator('.site-account').click();
    await page.getByRole('button', { name: 'Sign in on this machine' }).click();
    await page.waitForURL(`${served.origin}/?verdict=not_supported`);
    await page.getByRole('link', { name: 'local' }).click();
    expect(await page.textContent('main')).toContain('As a maintainer');
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.waitForURL(`${served.origin}/`);
    expect(await page.locator('.site-account').textContent()).toBe('Sign in');
  });

  test('an account whose name is hostile or long breaks nothing, on a phone and from right to left too', async () => {
    const name = `<img src=x onerror=alert(1)>"'&${'ולדימיר'.repeat(12)}`;
    await browser.addCookies((await served.signIn(name)).cookies);
    await page.setViewportSize({ width: 360, height: 740 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [path, dir] of [
        ['/account', 'ltr'],
        ['/account', 'rtl'],
        ['/nowhere', 'ltr'],
      ] as const) {
        await page.goto(`${served.origin}${path}`);
        await page.evaluate(`document.documentElement.dir = '${dir}'`);
        expect(await page.locator('.site-account').textContent()).toBe(name);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        expect(await seriousIn(page)).toEqual([]);
      }
    }
    await browser.clearCookies();
  });

  test.each(['light', 'dark'] as const)('nothing keeps anybody from signing in (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${served.origin}/sign-in`);
    expect(await seriousIn(page)).toEqual([]);
    await page.goto(`${served.origin}/account`);
    expect(await page.textContent('main')).toContain('Nobody is signed in in this browser');
    expect(await seriousIn(page)).toEqual([]);
  });
});
