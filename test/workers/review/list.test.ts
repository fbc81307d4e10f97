/** The list of findings as people use it: over HTTP, and in a browser. */
import { parseHTML } from 'linkedom';
import type { BrowserContext, Page } from 'playwright-core';
import { verdictChips } from '../../../workers/review/views/filters.ts';
import { seriousIn } from '../../support/axe.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, type SignedIn, serve } from './served.ts';
import { failing, findingOf, revisionWith, searched } from './store.ts';

let served: Served;
let ada: SignedIn;
const HOSTILE = '<img src=x onerror=alert(1)>&"\'';
const quay = findingOf('The quay is of granite.', { score: 0.3, page: { id: 8, title: 'Elm Quay' } });

beforeEach(async () => {
  served = await serve(searched(aFinding), quay, {
    ...failing('partially_supported'),
    page: { id: 9, title: 'ميناء أورين' },
  });
  const { wiki } = aFinding;
  const group = { wiki, page_id: 8, kind: 'project', name: 'Harbours' } as const;
  await served.db.insertInto('page_groups').values(group).execute();
  await served.db.updateTable('findings').set({ views: 1200, by_views: 1200 }).where('page_id', '=', 8).execute();
  ada = await served.signIn('Ada');
});
afterEach(() => served.close());

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${served.origin}${path}`, { headers, redirect: 'manual' });
  const text = await response.text();
  const { document } = parseHTML(text);
  const textOf = (selector: string) => document.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim();
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  return { status: response.status, location: response.headers.get('location'), text, textOf, all };
}

test('a row says score, verdict, article, project, age, views and the better source', async () => {
  const page = await open('/?page=Elm_Quay');
  expect(page.textOf('.card')).toMatch(/30 % .*Not supported .*Elm Quay .*Harbours .*1,200 views a day .*today/);
  expect((await open('/?suggestion=yes')).textOf('.card')).toContain('Better source found');
});

test('a row says who looks at it, and who decided', async () => {
  await served.decisions.take(1, ada);
  expect((await open('/')).textOf('.badge-held')).toBe('Ada looks at it');
  await served.decisions.decide(1, { decision: 'accept' }, ada);
  expect((await open('/?state=accepted')).textOf('.card')).toContain('Accepted by Ada');
});

test('each filter in use is shown with a way to take it away; what it leaves is counted by verdict', async () => {
  const page = await open('/?project=Harbours&score-max=0.5&sort=gain');
  expect(page.all('.active-one').map((one) => one.textContent.trim())).toEqual([
    'WikiProject: Harbours ×',
    'Score to 0.5 ×',
  ]);
  expect(page.all('.active-one a').map((one) => one.getAttribute('href'))).toEqual([
    '/?score-max=0.5&sort=gain',
    '/?project=Harbours&sort=gain',
  ]);
  expect(
    page
      .all('.chip')
      .slice(0, 3)
      .map((one) => one.textContent.trim()),
  ).toEqual(['To review 1', 'Contradicted 0', 'Not supported 1']);
  expect(page.textOf('.sorts [aria-current]')).toBe('Expected gain');
});

test('what a form leaves empty is not kept in the address, and its pages are as long as they were', async () => {
  const sent = await open('/?page=Elm_Quay&project=&score-min=&state=&limit=1');
  expect([sent.status, sent.location]).toEqual([302, '/?page=Elm+Quay&limit=1']);
  const more = (await open('/?limit=1&sort=score')).all('.more a')[0]?.getAttribute('href');
  expect(more).toMatch(/^\/\?sort=score&limit=1&after=\d+$/);
});

test('more than a thousand of one verdict are said to be more', () => {
  const chips = verdictChips({ state: 'open' }, { contradicted: 999, not_supported: 1001, supported: 1000 });
  const texts = [...parseHTML(`<nav>${chips}</nav>`).document.querySelectorAll('.chip')].map(
    (chip) => chip.textContent,
  );
  expect(texts).toEqual(
    expect.arrayContaining(['To review 1,999+', 'Contradicted 999', 'Not supported 1,000+', 'Supported 1,000']),
  );
});

test('a wrong filter is answered with what is asked for', async () => {
  const page = await open('/?score-min=2');
  expect(page.status).toBe(400);
  expect(page.textOf('main')).toContain('score-min: a number of at most four decimals from 0 to 1');
});

test('markup in every field of a filter and of a row is text', async () => {
  const title = `Bay ${HOSTILE}`;
  const claim = { ...aFinding.claim, text: HOSTILE, section: [HOSTILE], markerOffset: 0 };
  await served.findings.record({ ...findingOf('x', { page: { id: 20, title } }), claim });
  const group = { wiki: aFinding.wiki, page_id: 20, kind: 'project', name: HOSTILE } as const;
  await served.db.insertInto('page_groups').values(group).execute();
  const query = ['page', 'wiki', 'project', 'category', 'worklist', 'user', 'decided-by'].map(
    (name) => `${name}=${encodeURIComponent(HOSTILE)}`,
  );
  for (const path of [`/?page=${encodeURIComponent(title)}`, `/?${query.join('&')}`]) {
    const page = await open(path, ada.headers);
    expect(page.status).toBe(200);
    expect(page.all('img[onerror]')).toHaveLength(0);
    expect(page.text).not.toContain('<img src=x');
  }
  expect((await open(`/?page=${encodeURIComponent(title)}`)).textOf('.card-claim')).toBe(HOSTILE);
});

test('SQL in a filter is text, and finds nothing', async () => {
  for (const name of ['page', 'project', 'category', 'decided-by']) {
    const page = await open(`/?${name}=${encodeURIComponent("x' OR 1=1; DROP TABLE findings; --")}`);
    expect(page.textOf('main')).toContain('No finding matches these filters.');
  }
  expect((await open('/')).all('.card')).toHaveLength(3);
});

test('who is not signed in reads, and is told where to sign in; who is blocked gets no button', async () => {
  const page = await open('/?project=Harbours');
  const signIn = page.all('.page-head a').map((link) => link.getAttribute('href'));
  expect(signIn).toEqual([`/sign-in?to=${encodeURIComponent('/?project=Harbours')}`]);
  const blocked = await served.signIn('Bo', []);
  expect((await open('/', blocked.headers)).all('.page-head form, .page-head a, .saved')).toHaveLength(0);
});

test('the API answers with the same rows', async () => {
  const answer = await fetch(`${served.origin}/api/findings?project=Harbours&sort=gain`);
  expect(await answer.json()).toMatchObject({
    findings: [{ views: 1200, decidedBy: null, lease: null, finding: { page: { title: 'Elm Quay' } } }],
  });
  const refused = await fetch(`${served.origin}/api/findings?sort=best`);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: 'invalid', message: 'sort: one of queue, gain, score, newest, views, once' },
  ]);
});

describeWith(['chromium'], 'the list in a browser', () => {
  let browser: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    await browser.clearCookies();
    await browser.addCookies(ada.cookies);
    page = await browser.newPage();
    await page.goto(served.origin);
  });
  afterEach(() => page.close());
  const claims = () => page.locator('.card-claim').allTextContents();
  const addressIs = (path: string) => page.waitForURL(`${served.origin}${path}`);

  test('a filter is chosen by clicking; the address holds it, reload keeps it, back takes it away', async () => {
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('WikiProject').fill('Harbours');
    await page.getByRole('button', { name: 'Show' }).click();
    await addressIs('/?project=Harbours');
    expect(await claims()).toEqual([quay.claim.text]);
    await page.reload();
    expect(await claims()).toEqual([quay.claim.text]);
    await page.goBack();
    await addressIs('/');
    expect(await claims()).toHaveLength(3);
    await page.goForward();
    await page.getByRole('link', { name: 'Remove: WikiProject: Harbours' }).click();
    await addressIs('/');
  });

  test('one click sorts, and the finding that is opened from there leads on in that order', async () => {
    await page.getByRole('link', { name: 'Views', exact: true }).click();
    await addressIs('/?sort=views');
    expect((await claims())[0]).toBe(quay.claim.text);
    await page.getByRole('link', { name: quay.claim.text }).click();
    await addressIs('/findings/2?sort=views');
  });

  test('a filter is saved under a name, found again as a tab, and deleted', async () => {
    await page.goto(`${served.origin}/?project=Harbours&sort=gain`);
    await page.getByText('Saved filters').click();
    await page.getByLabel('Save this filter as').fill('My harbours');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Whole queue' }).click();
    await addressIs('/');
    await page.getByRole('link', { name: 'My harbours' }).click();
    await addressIs('/?project=Harbours&sort=gain');
    await page.getByText('Saved filters').click();
    await page.getByRole('button', { name: 'Delete: My harbours' }).click();
    await page.getByRole('link', { name: 'My harbours' }).waitFor({ state: 'detached' });
  });

  test('triage starts with the first finding of the filter that nobody else looks at', async () => {
    const bo = await served.signIn('Bo');
    await served.decisions.take(1, bo);
    await page.getByRole('button', { name: 'Start triage' }).click();
    await page.getByRole('heading', { name: 'Claim' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/findings/2');
    expect((await served.decisions.holderOf(2))?.name).toBe('Ada');
  });

  test('nothing keeps people from reading or using it: light, dark, narrow, right to left', async () => {
    await served.findings.reconcile(revisionWith(12, aFinding));
    await page.goto(`${served.origin}/?score-max=0.9&state=unmended`);
    await page.getByText('Filter', { exact: true }).click();
    await page.getByText('Saved filters').click();
    const looks = [
      [{ colorScheme: 'light' }, 1280, 'ltr'],
      [{ colorScheme: 'dark' }, 1280, 'ltr'],
      [{ colorScheme: 'light' }, 360, 'ltr'],
      [{ colorScheme: 'light' }, 800, 'rtl'],
    ] as const;
    for (const [media, width, dir] of looks) {
      await page.emulateMedia(media);
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(`document.documentElement.dir = '${dir}'`);
      expect(await seriousIn(page)).toEqual([]);
      const [inner, outer] = ['scrollWidth', 'clientWidth'].map((side) =>
        page.evaluate(`document.documentElement.${side}`),
      );
      expect(await inner).toBe(await outer);
    }
  });
});
