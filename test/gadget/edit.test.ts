/** "Use this source" in a real browser on a real wiki: the edit that it makes, and what it says where it can't. */
import { Mwn } from 'mwn';
import type { Page } from 'playwright-core';
import { ACCOUNTS } from '../../deploy/wiki/accounts.ts';
import type { Finding } from '../../shared/citation.ts';
import { describeWith } from '../support/describe-with.ts';
import { QUIET, type Site, signInBrowser, startSite, suggestion } from './site.ts';

const cite = (name: string) => `{{cite web |url=https://pages.example/${name} |title=${name}}}`;
const ref = (name: string) => `<ref>${cite(name)}</ref>`;
const BETTER = suggestion('https://better.example/mill', 'The mill closes');
const TODAY = new Date().toISOString().slice(0, 10);
const NEW = `<ref>{{cite web |url=https://better.example/mill |title=The mill closes |access-date=${TODAY}}}</ref>`;

describeWith(['wiki', 'chromium'], '“Use this source”', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  }, 60_000);
  afterAll(() => site?.stop());

  test('without signing in makes no edit, and says so', async () => {
    await write('Anonymous', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
    const { page, status } = await use('Anonymous');
    await status.getByText('Sign in to the wiki first').waitFor();
    expect((await latest('Anonymous')).user).toBe('Admin');
    await page.close();
  });

  describe('signed in', () => {
    beforeAll(() => signInBrowser(site, ACCOUNTS.reader));

    const named = `<ref name="a">${cite('a')}</ref>`;
    const book = '{{cite book |last=Tull |year=1998 |title=Mills |url=https://pages.example/tull}}';
    const table = '{| class="wikitable"\n! Mill !! Closed\n|-\n| Orrin || 1940\n|-\n| The mill || 1931@\n|}';

    test.each([
      ['A reference', `The mill closed in 1931.${ref('a')}`, `The mill closed in 1931.${NEW}`],
      [
        'A named reference, which moves to its next use',
        `The mill closed in 1931.${named} The inn stayed.<ref name="a" />`,
        `The mill closed in 1931.${NEW} The inn stayed.${named}`,
      ],
      [
        'A short footnote',
        `The mill closed in 1931.{{sfn|Tull|1998|p=4}} End.\n\n* ${book}`,
        `The mill closed in 1931.${NEW} End.\n\n* ${book}`,
      ],
      ['A tag', 'The mill closed in 1931.{{citation needed|date=May 2026}}', `The mill closed in 1931.${NEW}`],
      ['A reference in a table', table.replace('@', ref('a')), table.replace('@', NEW)],
    ])('%s is replaced under the reader’s name', async (title, before, after) => {
      await write(title, before, 'mill');
      const { page, status } = await use(title);
      await status.getByText('Saved.').waitFor();
      const edit = await latest(title);
      expect([edit.text, edit.user]).toEqual([after, ACCOUNTS.reader.name]);
      expect(edit.comment).toMatch(/better\.example \(found with Sidelight\)$/);
      await page.close();
    });

    test('is done when the bot has seen the new revision: the finding closes and its badge goes', async () => {
      await write('Closing', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
      const { page, status } = await use('Closing');
      await status.getByText('Saved.').waitFor();
      await site.write('Closing', `${(await latest('Closing')).text} It was sold.`);
      await status.getByText('This finding is closed.').waitFor();
      expect(await page.locator('.sidelight-badge').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'See the change' }).getAttribute('href')).toContain('diff=');
      await page.close();
    });

    test('keeps what somebody else wrote meanwhile', async () => {
      await write('Busy', `The mill closed in 1931.${ref('a')} It was old.`, 'The mill closed');
      const { page, status } = await use('Busy', async (attempt) => {
        if (attempt === 1) await site.admin.save('Busy', `The mill closed in 1931.${ref('a')} It was very old.`);
      });
      await status.getByText('Saved.').waitFor();
      expect((await latest('Busy')).text).toBe(`The mill closed in 1931.${NEW} It was very old.`);
      await page.close();
    });

    test('gives way to whoever keeps editing', async () => {
      await write('Busier', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
      const { page, status } = await use('Busier', async (attempt) => {
        await site.admin.save('Busier', `The mill closed in 1931.${ref('a')} It was ${attempt}.`);
      });
      await status.getByText('Somebody else keeps editing the page.').waitFor();
      expect((await latest('Busier')).text).toBe(`The mill closed in 1931.${ref('a')} It was 2.`);
      await page.close();
    });

    test('makes no edit where the claim is gone', async () => {
      await write('Gone', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
      const page = await site.read('Gone');
      await site.admin.save('Gone', `The mill is open.${ref('a')}`);
      const { status } = await useOn(page);
      await status.getByText('was not found in the text').waitFor();
      expect((await latest('Gone')).user).toBe('Admin');
      await page.close();
    });

    test('says what the wiki says of a page that is protected', async () => {
      await write('Protected', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
      await site.admin.request({
        action: 'protect',
        title: 'Protected',
        protections: 'edit=sysop',
        token: site.admin.csrfToken,
      });
      const { page, status } = await use('Protected');
      await status.getByText(/The wiki refused the edit; nothing was changed\. It says: .*protected/).waitFor();
      await page.close();
    });

    test('says what the wiki says to somebody who is blocked', async () => {
      await write('Blocked', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
      const page = await site.read('Blocked');
      await block(true);
      const { status } = await useOn(page);
      await status.getByText(/The wiki refused the edit; nothing was changed\. It says: .*blocked/).waitFor();
      await block(false);
      await page.close();
    });

    test('can be tried again after the wiki could not be reached', async () => {
      await write('Offline', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
      const page = await site.read('Offline');
      await site.browser.setOffline(true);
      const { status, button } = await useOn(page);
      await status.getByText('The wiki could not be reached.').waitFor();
      expect(await button.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
      await site.browser.setOffline(false);
      await button.click();
      await status.getByText('Saved.').waitFor();
      await page.close();
    });

    test('makes no edit for a session that has ended', async () => {
      await write('Ended', `The mill closed in 1931.${ref('a')}`, 'The mill closed');
      const page = await site.read('Ended');
      await site.browser.clearCookies();
      const { status } = await useOn(page);
      await status.getByText('Sign in to the wiki first').waitFor();
      expect((await latest('Ended')).user).toBe('Admin');
      await page.close();
    });
  });

  async function write(title: string, wikitext: string, words: string): Promise<Finding> {
    const article = await site.write(title, wikitext);
    return article.find(words, BETTER);
  }

  /** Opens the article, its badge, and presses the button. `meanwhile`: just before the wiki gets the edit. */
  async function use(title: string, meanwhile: (attempt: number) => Promise<void> = async () => undefined) {
    const page = await site.read(title);
    let attempts = 0;
    await page.route('**/api.php', async (route) => {
      if (route.request().postData()?.includes('action=edit')) await meanwhile(++attempts);
      await route.continue();
    });
    return useOn(page);
  }

  async function useOn(page: Page) {
    await page.locator('.sidelight-badge').first().click();
    const panel = page.getByRole('dialog');
    const button = panel.getByRole('button', { name: 'Use this source' });
    await button.click();
    return { page, status: panel.getByRole('status'), button };
  }

  /** With the password of people: that of programs has no right to block. */
  async function block(isBlocked: boolean): Promise<void> {
    const { apiUrl, accounts } = site.wiki;
    const { name, password } = accounts.admin;
    const admin = await Mwn.init({ apiUrl, username: name, password, ...QUIET });
    const action = isBlocked ? 'block' : 'unblock';
    await admin.request({ action, user: ACCOUNTS.reader.name, token: admin.csrfToken });
  }

  async function latest(title: string): Promise<{ text: string; user: string; comment: string }> {
    const page = await site.admin.read(title, { rvprop: ['content', 'user', 'comment'] });
    const { content = '', user = '', comment = '' } = page.revisions?.[0] ?? {};
    return { text: content, user, comment };
  }
});
