/** People sign in with their account of a real MediaWiki, in a real browser. */
import { Mwn } from 'mwn';
import type { BrowserContext, Page } from 'playwright-core';
import { type Account, apiLogin } from '../../../deploy/wiki/accounts.ts';
import { OAUTH_CLIENTS } from '../../../deploy/wiki/oauth.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { type Served, type ServeOptions, serve } from './served.ts';

let wiki: TestWiki;
let admin: Mwn;
let first: BrowserContext;
let served: Served;

describeWith(['wiki', 'chromium'], 'signing in with the wiki', () => {
  beforeAll(async () => {
    wiki = await startWiki();
    const options = { userAgent: 'test', silent: true, suppressAPIWarnings: true };
    admin = await Mwn.init({ apiUrl: wiki.apiUrl, ...apiLogin(wiki.accounts.admin), ...options });
    first = await launchChromium();
  });
  afterAll(async () => {
    await first.close();
    await wiki.stop();
  });
  beforeEach(async () => {
    await first.clearCookies({ name: 'sidelight' });
    served = await serve(signIn(), aFinding);
  });
  afterEach(async () => {
    await Promise.all(first.pages().map((tab) => tab.close()));
    await served.close();
  });

  describe('comes back', ofComingBack);
  describe('fails', ofFailing);
  describe('ends', ofEnding);
  describe('is asked about again', ofStanding);
});

function signIn(
  changes: Partial<Required<ServeOptions>['signIn']> = {},
  client: Pick<(typeof OAUTH_CLIENTS)['review'], 'id' | 'secret'> = OAUTH_CLIENTS.review,
): ServeOptions {
  const { origin, apiUrl, restUrl } = wiki;
  const id = new URL(origin).host;
  return {
    wiki: { id, origin, apiUrl, restUrl, indexPath: '/w/index.php', userAgent: 'test' },
    signIn: {
      client,
      maintainers: [],
      maintainerGroups: ['sysop'],
      patrollerGroups: null,
      secret: 'x'.repeat(32),
      ...changes,
    },
  };
}

/** From the link on a page to the wiki's question; over its login form, unless this browser was there before. */
async function askFor(account: Account, { context = first, path = '/' } = {}): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${served.origin}${path}`);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  const [login, question] = [
    page.locator('#wpLoginAttempt'),
    page.getByText(`would like to know that you are ${account.name}`),
  ];
  await login.or(question).waitFor();
  if (await question.isVisible()) return page;
  await page.fill('#wpName1', account.name);
  await page.fill('#wpPassword1', account.password);
  await login.click();
  return page;
}

async function enter(account: Account, options: Parameters<typeof askFor>[1] = {}): Promise<Page> {
  const page = await askFor(account, options);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${served.origin}/**`);
  return page;
}

const signedInAs = (page: Page) => page.locator('.site-account').textContent();

/** Of another person, or of the same one elsewhere: it shares nothing with the first one. */
async function otherBrowser(): Promise<BrowserContext> {
  const context = await first.browser()?.newContext();
  if (context === undefined) throw new Error('this Chromium has one context only');
  return context;
}

/** A sign-in that this program begins in place of a browser. */
async function begin() {
  const answer = await fetch(`${served.origin}/sign-in`, { redirect: 'manual' });
  const asked = new URL(answer.headers.get('location') ?? '').searchParams;
  return { asked, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

async function comeBack(answer: Record<string, string>, cookie: string) {
  const url = `${served.origin}/oauth/callback?${new URLSearchParams(answer)}`;
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}

async function users(): Promise<number> {
  return (await served.db.selectFrom('users').selectAll().execute()).length;
}

function ofComingBack() {
  test('to the page where it began, with a name in its head', async () => {
    const page = await enter(wiki.accounts.reader, { path: '/?verdict=not_supported' });
    expect(page.url()).toBe(`${served.origin}/?verdict=not_supported`);
    expect(await signedInAs(page)).toBe('Bob');
    await page.goto(`${served.origin}/account`);
    expect(await page.textContent('main')).toMatch(/Decide on findings.*now, in this browser/s);
    expect(await page.textContent('main')).not.toContain('maintainer');
  });

  test('for a client that has no secret as well', async () => {
    await served.close();
    served = await serve(signIn({}, OAUTH_CLIENTS.public));
    expect(await signedInAs(await enter(wiki.accounts.reader))).toBe('Bob');
  });

  test('as a maintainer, by a group of the wiki or by a list of names', async () => {
    await first.clearCookies();
    const byGroup = await enter(wiki.accounts.admin);
    await byGroup.goto(`${served.origin}/account`);
    expect(await byGroup.textContent('main')).toContain('As a maintainer');
    await first.clearCookies(); // the wiki's too: another account
    await served.close();
    served = await serve(signIn({ maintainers: ['Alice'] }));
    const byName = await enter(wiki.accounts.editor);
    await byName.goto(`${served.origin}/account`);
    expect(await byName.textContent('main')).toContain('As a maintainer');
    await first.clearCookies();
  });

  test('with another session than the one that it began with', async () => {
    const page = await askFor(wiki.accounts.reader);
    const before = (await first.cookies(served.origin)).find(({ name }) => name === 'sidelight');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${served.origin}/**`);
    const after = (await first.cookies(served.origin)).find(({ name }) => name === 'sidelight');
    expect(before?.value).toEqual(expect.any(String));
    expect(after?.value).not.toBe(before?.value);
    const planted = await fetch(`${served.origin}/account`, { headers: { cookie: `sidelight=${before?.value}` } });
    expect(planted.status).toBe(401);
  });
}

function ofFailing() {
  test('where a person says no: nobody is signed in', async () => {
    const page = await askFor(wiki.accounts.reader);
    const [answer] = await Promise.all([
      page.waitForResponse(/oauth\/callback/),
      page.getByRole('button', { name: 'Cancel' }).click(),
    ]);
    expect(answer.status()).toBe(403);
    expect(await page.textContent('main')).toContain('you are not signed in');
    expect(await signedInAs(page)).toBe('Sign in');
    expect(await users()).toBe(0);
  });

  test('with a wrong state and with none', async () => {
    const { cookie } = await begin();
    for (const answer of [{ code: 'x', state: 'forged' }, { code: 'x' }, {}]) {
      expect(await comeBack(answer as Record<string, string>, cookie)).toMatchObject({
        status: 400,
        text: expect.stringContaining('not begun in this browser'),
      });
    }
    expect(await users()).toBe(0);
  });

  test('with the state of another browser', async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const answer = await comeBack({ code: 'x', state: theirs.asked.get('state') ?? '' }, mine.cookie);
    expect(answer.status).toBe(400);
  });

  test('with a code that the wiki does not take, and then its state is used up', async () => {
    const { asked, cookie } = await begin();
    const answer = { code: 'expired', state: asked.get('state') ?? '' };
    const once = await comeBack(answer, cookie);
    expect(once).toMatchObject({ status: 400, text: expect.stringContaining('it was used, or took too long') });
    expect((await comeBack(answer, cookie)).text).toContain('not begun in this browser');
  });

  test('when the way back is gone a second time', async () => {
    const page = await askFor(wiki.accounts.reader);
    const [answer] = await Promise.all([
      page.waitForResponse(/oauth\/callback/),
      page.getByRole('button', { name: 'Allow' }).click(),
    ]);
    await page.waitForURL(`${served.origin}/`);
    await first.clearCookies({ name: 'sidelight' });
    const again = await page.goto(answer.url());
    expect(again?.status()).toBe(400);
    expect(await signedInAs(page)).toBe('Sign in');
  });

  test('for an account that is blocked', async () => {
    await admin.request({ action: 'block', user: 'Bob', expiry: 'never', token: await admin.getCsrfToken() });
    const page = await askFor(wiki.accounts.reader);
    const [answer] = await Promise.all([
      page.waitForResponse(/oauth\/callback/),
      page.getByRole('button', { name: 'Allow' }).click(),
    ]);
    await admin.request({ action: 'unblock', user: 'Bob', token: await admin.getCsrfToken() });
    expect(answer.status()).toBe(403);
    expect(await page.textContent('main')).toContain('Bob is blocked on the wiki');
    expect(await users()).toBe(0);
  });

  test('while the wiki does not answer, or answers with something else', async () => {
    for (const [restUrl, status] of [
      ['http://127.0.0.1:9/rest.php', 503],
      [`${wiki.origin}/wiki/Main_Page?`, 502],
    ] as const) {
      await served.close();
      const options = signIn();
      served = await serve({ ...options, wiki: { ...options.wiki, restUrl } as ServeOptions['wiki'] & object });
      const { asked, cookie } = await begin();
      expect((await comeBack({ code: 'x', state: asked.get('state') ?? '' }, cookie)).status).toBe(status);
      expect(await users()).toBe(0);
    }
  });
}

function ofEnding() {
  test('here, and elsewhere it goes on; or everywhere at once', async () => {
    const second = await otherBrowser();
    const [here, there] = [await enter(wiki.accounts.reader), await enter(wiki.accounts.reader, { context: second })];
    await here.goto(`${served.origin}/account`);
    expect(await here.locator('.account-sessions tbody tr').count()).toBe(2);
    await here.getByRole('button', { name: 'Sign out here' }).click();
    await here.waitForURL(`${served.origin}/`);
    expect(await signedInAs(here)).toBe('Sign in');
    await there.reload();
    expect(await signedInAs(there)).toBe('Bob');

    const back = await first.newPage();
    await back.goto(`${served.origin}/sign-in?to=/account`);
    await back.getByRole('button', { name: 'Allow' }).click();
    await back.getByRole('button', { name: 'Sign out everywhere' }).click();
    await back.waitForURL(`${served.origin}/`);
    await there.reload();
    expect([await signedInAs(back), await signedInAs(there)]).toEqual(['Sign in', 'Sign in']);
    expect(await served.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    await second.close();
  }, 60_000);
}

function ofStanding() {
  test('when somebody decides: a block that came since then counts, and reading goes on', async () => {
    const bob = await served.signIn('Bob');
    await askedLongAgo();
    await admin.request({ action: 'block', user: 'Bob', expiry: 'never', token: await admin.getCsrfToken() });
    const refused = await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: bob.headers });
    await admin.request({ action: 'unblock', user: 'Bob', token: await admin.getCsrfToken() });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('blocked') });
    expect((await fetch(`${served.origin}/findings/1`, { headers: bob.headers })).status).toBe(200);

    const still = await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: bob.headers });
    expect(still.status).toBe(403); // asked a moment ago
    await askedLongAgo();
    const again = await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: bob.headers });
    expect(again.status).toBe(200);
  });

  test('an account that the wiki knows no more is signed out', async () => {
    const nobody = await served.signIn('Nobody of that name');
    await askedLongAgo();
    const answer = await fetch(`${served.origin}/api/findings/1/lease`, { method: 'POST', headers: nobody.headers });
    expect(answer.status).toBe(401);
    expect((await fetch(`${served.origin}/account`, { headers: nobody.headers })).status).toBe(401);
  });
}

async function askedLongAgo(): Promise<void> {
  await served.db.updateTable('users').set({ asked_at: 0 }).execute();
}
