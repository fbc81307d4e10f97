/** The pages of maintainers and of people who write programs, in a real browser. */
import type { BrowserContext } from 'playwright-core';
import { seriousIn } from '../../support/axe.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { type Ground, type Maintained, openMaintained, startGround } from './maintained.ts';
import { newContext } from './persons.ts';

describeWith(['chromium', 'redis', 'wiki'], 'pages of the API and of maintainers', () => {
  let browser: BrowserContext;
  let ground: Ground;
  let is: Maintained;

  beforeAll(async () => {
    ground = await startGround();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await ground?.close();
  });
  beforeEach(async () => {
    is = await openMaintained(ground);
  });
  afterEach(() => is.close());

  async function open(path: string, options: object = {}) {
    const context = await newContext(browser, options);
    await context.addCookies(is.maintainer.cookies);
    const page = await context.newPage();
    await page.goto(`${is.origin}${path}`);
    return page;
  }

  test('findings are counted, checked again and cancelled by plain forms', async () => {
    const page = await open('/maintain', { javaScriptEnabled: false });
    await page.getByLabel('Articles, one a line').fill('Mill\nQuay');
    await page.getByLabel('Verdict').selectOption('not_supported');
    await page.getByRole('button', { name: 'Count first' }).click();
    expect(await page.getByRole('status').textContent()).toContain('2 findings on 2 articles would be checked again');
    expect(await page.getByLabel('Articles, one a line').inputValue()).toBe('Mill\nQuay');
    await page.getByRole('button', { name: 'Check them again' }).click();
    expect(await page.getByRole('status').textContent()).toMatch(/Requeue r\w+ has begun/);
    expect(await page.locator('#queues').textContent()).toContain('Nobody does this work');
    await page.getByRole('button', { name: /^Cancel r/ }).click();
    expect(await page.getByRole('status').textContent()).toContain('2 jobs taken out');
    expect(await page.locator('#queues').textContent()).toContain('Nothing waits');
    await page.context().close();
  });

  test('a list is added, run, paused and scheduled; a page opts out and in', async () => {
    const page = await open('/maintain');
    await page.getByLabel('Name of a new list').fill('<b>mills & quays');
    await page.getByLabel('Articles from').selectOption('titles');
    await page.getByLabel('Which').fill('Mill\nQuay');
    await page.getByRole('button', { name: 'Add the list' }).click();
    await page.getByRole('button', { name: 'Run <b>mills & quays' }).click();
    expect(await page.locator('#worklists').textContent()).toContain('Run 1 of');
    await page.getByRole('button', { name: /^Pause/ }).click();
    await page.getByLabel('Weekly').selectOption('Friday');
    await page.getByRole('button', { name: /^Set/ }).click();
    expect(await page.locator('#worklists').textContent()).toContain('Weekly, Friday 03:00 UTC');
    await page.getByRole('button', { name: /^Cancel the run/ }).click();
    expect(await page.locator('#worklists').textContent()).toContain('cancelled');
    await page.getByLabel('Page', { exact: true }).fill('Quay');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    expect(await page.locator('#opt-outs').textContent()).toContain('Mia');
    await page.getByRole('button', { name: 'Remove Quay' }).click();
    expect(await page.locator('#opt-outs td').count()).toBe(0);
    await page.context().close();
  });

  test('a token is shown once, works, and is revoked', async () => {
    const page = await open('/account/tokens');
    await page.getByLabel('Name of the new token').fill('<i>weekly');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const secret = (await page.locator('.service-secret').textContent()) ?? '';
    const asks = () => fetch(`${is.origin}/api/tokens`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await asks()).status).toBe(200);
    await page.goto(`${is.origin}/account/tokens`);
    expect(await page.textContent('main')).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke <i>weekly' }).click();
    expect((await asks()).status).toBe(401);
    await page.context().close();
  });

  test('a form that was forged, or is of a patroller, changes nothing', async () => {
    const send = (headers: Record<string, string>, csrf: string) =>
      fetch(`${is.origin}/maintain/opt-outs`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ _csrf: csrf, title: 'Quay' }),
      });
    const { 'x-csrf-token': token, ...cookie } = is.maintainer.headers;
    expect(token).toBeDefined();
    expect((await send(cookie, 'forged')).status).toBe(403);
    expect((await send({ ...is.patroller.headers }, is.patroller.csrf)).status).toBe(403);
    expect((await send({ ...is.maintainer.headers, 'sec-fetch-site': 'cross-site' }, '')).status).toBe(403);
    expect((await fetch(`${is.origin}/maintain`)).status).toBe(401);
    expect(await is.maintenance.optOuts()).toEqual([]);
  });

  for (const path of ['/docs', '/maintain', '/account/tokens']) {
    test(`${path} can be used by everybody, in the dark, on a phone, and from right to left`, async () => {
      await is.maintenance.requeue(
        { verdict: 'not_supported', depth: 0, readAgain: false },
        { dryRun: false, signal: AbortSignal.timeout(60_000) },
      );
      const page = await open(path);
      expect(await seriousIn(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await seriousIn(page, 'section, form')).toEqual([]);
      await page.evaluate("document.documentElement.dir = 'rtl'");
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.context().close();
    });
  }

  test('the API’s page names every route', async () => {
    const page = await open('/docs');
    const shown = await page.locator('.docs-route h3').allTextContents();
    expect(shown).toContain('DELETE /api/requeues/{request}');
    expect(shown).toContain('GET /feed.xml');
    await page.context().close();
  });
});
