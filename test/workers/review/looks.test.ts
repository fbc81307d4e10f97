/** Every state of the triage screen as it looks: read by axe, no wider than the window, and drawn in light, dark, narrow, right to left. */
import type { BrowserContext, Page } from 'playwright-core';
import { seriousIn } from '../../support/axe.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { signedIn } from './persons.ts';
import { rich, rightToLeft } from './rich.ts';
import { type Served, serve } from './served.ts';
import { findingOf, revisionWith } from './store.ts';

const LONG = 'Vindarmyllunnarbakkavatnsdalshreppur '.repeat(12).trim();

function long() {
  const { suggestion, evidence, citations, claim, ...others } = rich();
  const passage = `${LONG}. ${LONG.replaceAll(' ', '')}. ${LONG}`;
  const quote = LONG.slice(0, 300);
  return {
    ...others,
    page: { id: 9, title: LONG.slice(0, 250) },
    claim: { ...claim, ...findingOf(`${LONG} in 1931.`).claim, context: LONG.repeat(3), section: [LONG, LONG] },
    missing: [],
    mismatches: [],
    citations: citations.map((citation) => ({
      ...citation,
      title: LONG,
      url: `https://orrin.example/${'a'.repeat(900)}`,
    })),
    evidence: evidence && { ...evidence, quote, passage },
    suggestion: suggestion && { ...suggestion, title: LONG, evidence: { ...suggestion.evidence, quote, passage } },
  };
}

const unread = findingOf('Ferries ran daily.', {
  verdict: 'unavailable',
  score: null,
  reason: 'paywall',
  citations: aFinding.citations.map((citation) => ({ ...citation, score: null, reason: 'paywall', readUrl: null })),
});

let browser: BrowserContext;
let served: Served;
let context: BrowserContext;
let page: Page;

async function open(id: number) {
  await page.goto(`${served.origin}/findings/${id}`);
  await page.locator('form.decide[data-step=ready]').waitFor();
}

/** Nothing serious, nothing beyond the window, and a picture can be made of it. */
async function looksWell() {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await seriousIn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect((await page.screenshot({ fullPage: true })).subarray(1, 4).toString()).toBe('PNG');
  }
}

describeWith(['chromium'], 'the triage screen', () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    served = await serve(rich(), rightToLeft(), long(), unread);
    await served.findings.reconcile(revisionWith(12, rich(), unread));
    ({ context, page } = await signedIn(browser, served, 'Ada'));
  });
  afterEach(async () => {
    await context.close();
    await served.close();
  });

  test('with a claim that is contradicted, its passage and a suggestion', async () => {
    await open(1);
    await looksWell();
    const { bottom } = await page.evaluate<{ bottom: number }>(
      'document.querySelector(".columns .passage blockquote").getBoundingClientRect().toJSON()',
    );
    expect(bottom).toBeGreaterThan(0);
  });

  test('claim, passage and suggestion begin above the decision on the first screen of a laptop', async () => {
    await open(1);
    await page.setViewportSize({ width: 1280, height: 800 });
    const top = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => one.getBoundingClientRect().top);
    const decision = await top('#deciding');
    for (const part of [
      '.claim-text',
      '[aria-labelledby=cited] blockquote',
      '[aria-labelledby=suggestion] blockquote',
    ]) {
      expect(await top(part)).toBeLessThan(decision - 40);
    }
  });

  test('with a claim and a page that run from right to left', async () => {
    await open(2);
    const direction = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).direction);
    for (const part of ['.claim-text', '[aria-labelledby=cited] blockquote', '.work-title bdi']) {
      expect(await direction(part)).toBe('rtl');
    }
    expect(await direction('[aria-labelledby=suggestion] blockquote')).toBe('ltr');
    await looksWell();
    await page.evaluate('document.documentElement.dir = "rtl"');
    await looksWell();
  });

  test('with names and quotes that are too long', async () => {
    await open(3);
    await looksWell();
  });

  test('with a source that was not read, a reason, a note, and what was decided before', async () => {
    await served.decide(4, { decision: 'cant_tell', reason: 'source_unreadable', comment: LONG });
    await open(4);
    await page.keyboard.press('4');
    await page.keyboard.press('n');
    await looksWell();
  });

  test('after a decision, with the way back; and of a finding that is settled', async () => {
    await open(1);
    await page.keyboard.press('a');
    await page.getByRole('status').getByText('Accepted:').waitFor();
    await page.locator('form.decide[data-step=ready]').waitFor();
    await looksWell();
    await page.goto(`${served.origin}/findings/1`);
    await page.getByText('A person accepted it').waitFor();
    await looksWell();
  });

  test('with the keys, with single keys switched off, and with what went wrong', async () => {
    await open(1);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Single keys do something').uncheck();
    await looksWell();
    await page.keyboard.press('Escape');
    await served.db.deleteFrom('leases').execute();
    await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByRole('button', { name: 'Look at it again' }).waitFor();
    await looksWell();
  });

  test('for who is not signed in, who is blocked, and who comes second', async () => {
    await open(1);
    for (const roles of [['patroller'], []] as const) {
      const other = await signedIn(browser, served, `Bob ${roles.length}`, { roles });
      await other.page.goto(`${served.origin}/findings/1`);
      expect(await seriousIn(other.page)).toEqual([]);
      await other.context.close();
    }
    await context.clearCookies();
    await page.goto(`${served.origin}/findings/1`);
    await page.getByText('Deciding needs an account').waitFor();
    await looksWell();
  });

  test('of what can’t be shown', async () => {
    await page.goto(`${served.origin}/findings/99`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await looksWell();
  });
});
