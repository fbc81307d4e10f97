/** How the gadget looks and is reached in each skin: by keyboard, in the dark, from right to left, on small screens, and for those who don't see it. */
import type { Page } from 'playwright-core';
import { seriousIn } from '../support/axe.ts';
import { describeWith } from '../support/describe-with.ts';
import { type Article, articleUrl, type Site, startSite, suggestion } from './site.ts';
import { foundRow } from './workers.ts';

const ref = (name: string) => `<ref>{{cite web |url=https://pages.example/${name} |title=${name}}}</ref>`;

describeWith(['wiki', 'chromium', 'redis'], 'the gadget', () => {
  let site: Site;
  let article: Article;
  beforeAll(async () => {
    site = await startSite({ checks: true });
    article = await site.write('Orrin mill', `${LEAD}\n\n${'The bay is wide. '.repeat(200)}\n\n{{reflist}}`);
    const text = 'The mill closed in 1932.';
    const quote = { quote: 'in March 1934', url: 'https://pages.example/a', title: 'a', start: 9, end: 22 };
    await article.find('closed in 1932', {
      ...suggestion('https://better.example/mill', 'The mill closes'),
      verdict: 'contradicted',
      missing: [{ start: text.indexOf('in'), end: text.length - 1 }],
      mismatches: [
        { code: 'date', claim: { start: text.indexOf('1932'), end: text.indexOf('1932') + 4 }, page: quote },
      ],
      evidence: { ...quote, passage: 'It shut in March 1934.' },
    });
    await article.find('The inn', { verdict: 'unavailable', reason: 'paywall', score: null, failed: null });
  }, 60_000);
  afterAll(() => site?.stop());

  const LEAD = `The mill closed in 1932.${ref('a')} The inn stayed.${ref('b')}`;

  describe.each(['vector', 'vector-2022', 'minerva'])('in the skin %s', (skin) => {
    let page: Page;
    beforeAll(async () => {
      page = await site.browser.newPage();
    });
    afterAll(() => page?.close());

    test('is reached by keyboard from the first question to a finding and back, with nothing serious for axe', async () => {
      await page.goto(`${articleUrl(site.wiki, 'Orrin mill')}?useskin=${skin}`);
      await page.evaluate("localStorage.removeItem('sidelight-consent')");
      await page.reload();
      await openTool(page, skin);
      await isFine(page, 'Agree');
      await pressOn(page, 'Agree');
      await panel(page).getByText('2 of 2 claims checked').waitFor();
      await isFine(page, 'Check again');
      await pressOn(page, 'The mill closed in 1932.');
      await isFine(page, 'Use this source instead');
      expect(await seriousIn(page, '#mw-content-text')).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement.className')).toContain('sidelight-badge');
    });
  });

  test('lets the focus go on from the panel to the page, and takes none away', async () => {
    const page = await site.read('Orrin mill');
    await page.locator('.sidelight-badge').first().press('Enter');
    const visited: boolean[] = [];
    for (let presses = 0; presses < 14; presses++) {
      await page.keyboard.press('Tab');
      visited.push(Boolean(await page.evaluate("document.activeElement.closest('.sidelight-panel') !== null")));
    }
    expect(visited[0]).toBe(true);
    expect(visited).toContain(false);
    await page.close();
  });

  test('says how a check goes and what was found with nothing serious for axe, by day and by night', async () => {
    const page = await site.read('Orrin mill');
    await openTool(page, 'vector-2022');
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('#mw-content-text p'))");
    await pressOn(page, 'Check the selected sentence');
    const job = await site.workers.take('find');
    await panel(page).getByRole('button', { name: LEAD_TEXT }).click();
    await isFine(page, 'Cancel');
    const rows = { supports: [foundRow('The mill', 'It closed in 1932.', 0.93)], refutes: [], other: [] };
    const searched = { shardsAsked: 3, shardsAnswered: 2, missing: [] };
    const found = {
      claim: LEAD_TEXT,
      verdict: 'supported' as const,
      ...rows,
      noWordKnown: true,
      generation: 'g1',
      searched,
    };
    job.finish({ stage: 'review', input: { kind: 'found', request: job.input.request, found } });
    await isFine(page, 'Remove from this list');
    await page.evaluate(NIGHT);
    expect(await seriousIn(page, '.sidelight-panel')).toEqual([]);
    await page.close();
  });

  test('is dark where the reader chose so, and where the system is', async () => {
    const page = await site.read('Orrin mill');
    await page.locator('.sidelight-badge').first().click();
    const background = () =>
      page.evaluate("getComputedStyle(document.querySelector('.sidelight-panel')).backgroundColor");
    const day = await background();
    await page.evaluate(NIGHT);
    const night = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate(NIGHT.replace("'night'", "'os'"));
    expect([day, night, await background()]).toEqual(['rgb(255, 255, 255)', 'rgb(16, 20, 24)', 'rgb(16, 20, 24)']);
    expect(await seriousIn(page, '.sidelight-panel')).toEqual([]);
    await page.close();
  });

  test.each([
    ['ar', 'هل يدعم الاستشهاد هذا؟'],
    ['he', 'האם המקור תומך בכך?'],
  ])('reads from right to left in %s', async (language, heading) => {
    const page = await visit(`?uselang=${language}`);
    await page.locator('.sidelight-badge').first().click();
    await panel(page).getByRole('heading', { name: heading }).waitFor();
    const [close, title] = await Promise.all([
      panel(page).locator('.sidelight-close').boundingBox(),
      panel(page).locator('h2').boundingBox(),
    ]);
    expect(close?.x).toBeLessThan(title?.x ?? 0);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.sidelight-claim')).direction")).toBe('ltr');
    expect(await seriousIn(page, '.sidelight-panel')).toEqual([]);
    await page.close();
  });

  test.each([
    ['fr', 'La référence confirme-t-elle ceci ?'],
    ['es', '¿La referencia respalda esto?'],
    ['de-at', 'Stützt der Beleg dies?'],
    ['fi', 'Does the citation support this?'],
  ])('speaks to a reader of %s', async (language, heading) => {
    const page = await visit(`?uselang=${language}`);
    await page.locator('.sidelight-badge').first().click();
    await panel(page).getByRole('heading', { name: heading }).waitFor();
    await page.close();
  });

  test('fits a screen of 320 pixels, which is also one of 1280 at 400 %, and every button can be scrolled to', async () => {
    const page = await visit('?useskin=minerva');
    await page.setViewportSize({ width: 320, height: 256 });
    await page.locator('.sidelight-badge').first().click();
    const box = await panel(page).boundingBox();
    expect([box?.x, (box?.x ?? 0) + (box?.width ?? 0) <= 320]).toEqual([0, true]);
    for (const control of await panel(page).locator('button, a').all()) {
      await control.scrollIntoViewIfNeeded();
      const at = await control.boundingBox();
      expect([at?.y, (at?.y ?? 0) + (at?.height ?? 0) <= 257]).toEqual([expect.any(Number), true]);
    }
    await page.close();
  });

  test('stands below the title where a skin has no tools', async () => {
    const page = await site.browser.newPage();
    await page.addInitScript("addEventListener('DOMContentLoaded', () => document.getElementById('p-tb').remove())");
    await page.goto(articleUrl(site.wiki, 'Orrin mill'));
    await page.getByRole('link', { name: 'Sidelight' }).click();
    await panel(page).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('t-sidelight');
    await page.close();
  });

  async function visit(query: string): Promise<Page> {
    const page = await site.browser.newPage();
    await page.addInitScript(`localStorage.setItem('sidelight-consent', '${site.service}')`);
    await page.goto(`${articleUrl(site.wiki, 'Orrin mill')}${query}`);
    await page.locator('.sidelight-badge').first().waitFor();
    return page;
  }
});

const LEAD_TEXT = 'The mill closed in 1932. The inn stayed.';
const NIGHT =
  "document.documentElement.className = document.documentElement.className.replace(/skin-theme-clientpref\\S+/, '') + ' skin-theme-clientpref-' + 'night'";

/** What opens the tools. */
const MENUS: Record<string, string | undefined> = {
  'vector-2022': '#vector-page-tools-dropdown-checkbox',
  minerva: '#page-actions-overflow-checkbox',
};

function panel(page: Page) {
  return page.getByRole('dialog');
}

/** As a person does who has no mouse. */
async function openTool(page: Page, skin: string): Promise<void> {
  const menu = MENUS[skin];
  if (menu !== undefined) await page.locator(menu).press('Space');
  await page.locator('#t-sidelight a, a#t-sidelight').press('Enter');
  await panel(page).waitFor();
}

async function pressOn(page: Page, name: string): Promise<void> {
  await panel(page).getByRole('button', { name, exact: true }).press('Enter');
}

/** The panel shows this button, and axe finds nothing serious. */
async function isFine(page: Page, name: string): Promise<void> {
  await panel(page).getByRole('button', { name, exact: true }).waitFor();
  expect(await seriousIn(page, '.sidelight-panel')).toEqual([]);
}
