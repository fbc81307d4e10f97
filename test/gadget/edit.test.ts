/** Edits in a real browser on a real wiki: what their preview shows, what the page's history has afterwards, and what is said otherwise. */
import { type ApiRevision, Mwn } from 'mwn';
import type { Locator, Page } from 'playwright-core';
import { ACCOUNTS } from '../../deploy/wiki/accounts.ts';
import type { Finding } from '../../shared/citation.ts';
import { seriousIn } from '../support/axe.ts';
import { describeWith } from '../support/describe-with.ts';
import { QUIET, type Site, signInBrowser, startSite, suggestion } from './site.ts';

const URL_OF = (name: string) => `https://pages.example/${name}`;
const cite = (name: string) => `{{cite web |url=${URL_OF(name)} |title=${name}}}`;
const ref = (name: string) => `<ref>${cite(name)}</ref>`;
const BETTER = suggestion('https://better.example/mill', 'The mill closes');
const NOW = new Date();
const TODAY = NOW.toISOString().slice(0, 10);
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(NOW);
const CITED = `{{cite web |url=https://better.example/mill |title=The mill closes |access-date=${TODAY}}}`;
const NEW = `<ref>${CITED}</ref>`;
const TAG = `{{failed verification|date=${MONTH}|reason=the source does not say this}}`;

const REPLACE = 'Use this source instead';
const ADD = 'Add this source beside it';
const SET_TAG = 'Tag as failed verification';
const UNTAG = 'Remove the tag';

describeWith(['wiki', 'chromium'], 'an edit', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  }, 60_000);
  afterAll(() => site?.stop());

  test('without signing in is not made, and the panel says so', async () => {
    await write('Anonymous', `The mill closed in 1931.${ref('a')}`);
    const { page, status } = await choose('Anonymous', REPLACE);
    await status.getByText('Sign in to the wiki first').waitFor();
    expect((await latest('Anonymous')).user).toBe('Admin');
    await page.close();
  });

  describe('signed in', () => {
    beforeAll(() => signInBrowser(site, ACCOUNTS.reader));

    const named = `<ref name="a">${cite('a')}</ref>`;
    const news = `<ref name="n">{{cite news\n | url = ${URL_OF('a')}\n | title = A\n | last = Tull\n}}</ref>`;
    const newsNow = `<ref name="n">{{cite news\n | url = https://better.example/mill\n | title = The mill closes\n | access-date = ${TODAY}\n}}</ref>`;
    const table = '{| class="wikitable"\n! Mill !! Closed\n|-\n| Orrin || 1940\n|-\n| The mill || 1931@\n|}';
    const CASES: [string, string, string, string, RegExp][] = [
      [
        'Replaced',
        REPLACE,
        `The mill closed in 1931.${news}`,
        `The mill closed in 1931.${newsNow}`,
        /with better\.example \(Sidelight finding \d+\)$/,
      ],
      [
        'Moved',
        REPLACE,
        `The mill closed in 1931.${named} The inn stayed.<ref name="a" />`,
        `The mill closed in 1931.${NEW} The inn stayed.${named}`,
        /^Replace/,
      ],
      [
        'Unsourced',
        REPLACE,
        'The mill closed in 1931.{{citation needed|date=May 2026}}',
        `The mill closed in 1931.${NEW}`,
        /^Replace/,
      ],
      ['Row', REPLACE, table.replace('@', ref('a')), table.replace('@', NEW), /^Replace/],
      [
        'Added',
        ADD,
        `The mill closed in 1931.${ref('a')} End.`,
        `The mill closed in 1931.${ref('a')}${NEW} End.`,
        /^Cite better\.example beside/,
      ],
      [
        'Tagged',
        SET_TAG,
        `The mill closed in 1931.${ref('a')} End.`,
        `The mill closed in 1931.${ref('a')}${TAG} End.`,
        /^Tag a citation .* \(Sidelight finding \d+\)$/,
      ],
      [
        'Untagged',
        UNTAG,
        `The mill closed in 1931.${ref('a')}{{failed verification|date=May 2026}} End.`,
        `The mill closed in 1931.${ref('a')} End.`,
        /^Remove a tag/,
      ],
    ];

    test.each(CASES)(
      '%s: shown as the wiki’s own difference first, then saved under the reader’s name',
      async (title, kind, before, after, summary) => {
        await write(title, before, 'mill');
        const { page, panel, status, diff } = await choose(title, kind);
        await diff.waitFor();
        expect((await latest(title)).text).toBe(before);
        const sides = await diff.locator('.sidelight-diff-del, .sidelight-diff-ins').allTextContents();
        expect(sides.sort()).toEqual(changedLines(before, after));
        await panel.getByRole('button', { name: 'Save' }).click();
        await status.getByText('Saved.').waitFor();
        const edit = await latest(title);
        expect([edit.text, edit.user, edit.minor]).toEqual([after, ACCOUNTS.reader.name, false]);
        expect(edit.comment).toMatch(summary);
        await page.close();
      },
    );

    test('says how the new reference will read, and takes the reader’s own summary', async () => {
      await write('Summary', `The mill closed in 1931.${ref('a')}`);
      const { page, panel, status, diff } = await choose('Summary', REPLACE);
      await diff.waitFor();
      expect(await panel.locator('.sidelight-reads').textContent()).toBe(`"The mill closes". Retrieved ${TODAY}.`);
      await panel.getByRole('textbox', { name: 'Edit summary' }).fill('Better source');
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText('Saved.').waitFor();
      expect((await latest('Summary')).comment).toBe('Better source');
      await page.close();
    });

    test('has a preview in which axe finds nothing serious, by day and by night, and long lines are cut at words', async () => {
      const long = `It ${'was very '.repeat(40)}old. The mill closed in 1931.${ref('a')} It ${'stood empty '.repeat(40)}for years.`;
      await write('Long', long);
      const { page, diff } = await choose('Long', REPLACE);
      await diff.waitFor();
      const [removed = ''] = await diff.locator('.sidelight-diff-del').allTextContents();
      expect(removed).toMatch(/^Removed: … (was |very )+old\. The mill closed.* (stood |empty )+…$/);
      expect(await seriousIn(page, '.sidelight-panel')).toEqual([]);
      await page.evaluate(
        `document.documentElement.classList.replace('skin-theme-clientpref-day', 'skin-theme-clientpref-night')`,
      );
      expect(await seriousIn(page, '.sidelight-panel')).toEqual([]);
      await page.close();
    });

    test('is not made by going back', async () => {
      await write('Back', `The mill closed in 1931.${ref('a')}`);
      const { page, panel, diff } = await choose('Back', REPLACE);
      await diff.waitFor();
      await panel.getByRole('button', { name: 'Back' }).click();
      await panel.getByRole('button', { name: REPLACE }).waitFor();
      expect((await latest('Back')).user).toBe('Admin');
      await page.close();
    });

    test('is done when the bot has seen the new revision: the finding closes and its badge goes', async () => {
      await write('Closing', `The mill closed in 1931.${ref('a')}`);
      const { page, status } = await choose('Closing', REPLACE, SAVE);
      await status.getByText('Saved.').waitFor();
      await site.write('Closing', `${(await latest('Closing')).text} It was sold.`);
      await status.getByText('closed').waitFor();
      expect(await page.locator('.sidelight-badge').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'See the change' }).getAttribute('href')).toContain('diff=');
      await page.close();
    });

    test('that meets another one is shown anew, and saved only when it was seen', async () => {
      await write('Busy', `The mill closed in 1931.${ref('a')} It was old.`);
      const { page, panel, status, diff } = await choose('Busy', REPLACE);
      await diff.waitFor();
      await panel.getByRole('textbox', { name: 'Edit summary' }).fill('Mine');
      const theirs = `The mill closed in 1931.${ref('a')} It was very old.`;
      await site.admin.save('Busy', theirs);
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText('Somebody else edited the page meanwhile.').waitFor();
      expect((await latest('Busy')).text).toBe(theirs);
      await diff.getByText('very old').first().waitFor();
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText('Saved.').waitFor();
      const edit = await latest('Busy');
      expect([edit.text, edit.comment]).toEqual([`The mill closed in 1931.${NEW} It was very old.`, 'Mine']);
      await page.close();
    });

    test('is not made where the claim went in the meantime', async () => {
      await write('Gone', `The mill closed in 1931.${ref('a')}`);
      const { page, panel, status, diff } = await choose('Gone', REPLACE);
      await diff.waitFor();
      await site.admin.save('Gone', `The mill is open.${ref('a')}`);
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText('was not found in the text').waitFor();
      expect((await latest('Gone')).user).toBe('Admin');
      await page.close();
    });

    test('says what the wiki says of a page that is protected', async () => {
      await write('Protected', `The mill closed in 1931.${ref('a')}`);
      const token = site.admin.csrfToken;
      await site.admin.request({ action: 'protect', title: 'Protected', protections: 'edit=sysop', token });
      const { page, status, diff } = await choose('Protected', SET_TAG);
      await status.getByText(/The page is protected\. Nothing was changed\. The wiki says: .*protected/).waitFor();
      expect([(await latest('Protected')).user, await diff.count()]).toEqual(['Admin', 0]);
      await page.close();
    });

    test('says so too where the page is protected while the preview is looked at', async () => {
      await write('Shut', `The mill closed in 1931.${ref('a')}`);
      const { page, panel, status, diff } = await choose('Shut', SET_TAG);
      await diff.waitFor();
      const token = site.admin.csrfToken;
      await site.admin.request({ action: 'protect', title: 'Shut', protections: 'edit=sysop', token });
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText(/The page is protected\. Nothing was changed\. The wiki says: .*protected/).waitFor();
      expect((await latest('Shut')).user).toBe('Admin');
      await page.close();
    });

    test('says what the wiki says to somebody who is blocked', async () => {
      await write('Blocked', `The mill closed in 1931.${ref('a')}`);
      await block(true);
      const { page, status, diff } = await choose('Blocked', SET_TAG);
      await status.getByText(/You are blocked .*The wiki says: .*blocked/).waitFor();
      expect(await diff.count()).toBe(0);
      await block(false);
      await page.close();
    });

    test('can be tried again after the wiki could not be reached', async () => {
      await write('Offline', `The mill closed in 1931.${ref('a')}`);
      const { page, panel, status, diff } = await choose('Offline', REPLACE);
      await diff.waitFor();
      await site.browser.setOffline(true);
      const save = panel.getByRole('button', { name: 'Save' });
      await save.click();
      await status.getByText('The wiki could not be reached.').waitFor();
      expect(await save.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
      await site.browser.setOffline(false);
      await save.click();
      await status.getByText('Saved.').waitFor();
      await page.close();
    });

    test.each([
      ['captcha', { edit: { result: 'Failure', captcha: { type: 'image' } } }, 'asks for a captcha'],
      [
        'spam',
        { errors: [{ code: 'spamblacklist', text: 'better.example is listed.' }] },
        /address be linked.*better\.example is listed/,
      ],
      ['readonly', { errors: [{ code: 'readonly', text: 'Being moved.' }] }, /read-only.*Being moved/],
      ['lag', { errors: [{ code: 'maxlag', text: 'Waiting' }] }, 'The wiki is busy'],
      ['rate', { errors: [{ code: 'ratelimited', text: 'Too many.' }] }, /pause between edits.*Too many/],
      [
        'html',
        { errors: [{ code: 'hookaborted', text: '<b onclick="x">No</b>&nbsp;way' }] },
        /refused the edit.*says: No way/,
      ],
    ])('that the wiki answers with %s is not made, and can be seen still', async (name, answer, said) => {
      const title = `Answer ${name}`;
      await write(title, `The mill closed in 1931.${ref('a')}`);
      const { page, panel, status, diff } = await choose(title, REPLACE);
      await diff.waitFor();
      await page.route('**/api.php', (route) =>
        route.request().postData()?.includes('action=edit') ? route.fulfill({ json: answer }) : route.continue(),
      );
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText(said).waitFor();
      expect(await diff.isVisible()).toBe(true);
      await page.close();
    });

    describe('where edit filters look at it', () => {
      beforeAll(async () => {
        await site.browser.clearCookies();
        await signInBrowser(site, ACCOUNTS.admin);
        await filterEdits('Filtered', 'Warn');
        await filterEdits('Stopped', 'Disallow');
        await site.browser.clearCookies();
        await signInBrowser(site, ACCOUNTS.reader);
      }, 60_000);

      test('can be saved all the same after a warning', async () => {
        await write('Filtered', `The mill closed in 1931.${ref('a')}`);
        const { page, panel, status, diff } = await choose('Filtered', REPLACE);
        await diff.waitFor();
        await panel.getByRole('button', { name: 'Save' }).click();
        await status.getByText('An edit filter of the wiki has a warning.').waitFor();
        expect((await latest('Filtered')).user).toBe('Admin');
        await panel.getByRole('button', { name: 'Save anyway' }).click();
        await status.getByText('Saved.').waitFor();
        expect((await latest('Filtered')).text).toContain('better.example');
        await page.close();
      });

      test('that is stopped can’t', async () => {
        await write('Stopped', `The mill closed in 1931.${ref('a')}`);
        const { page, panel, status } = await choose('Stopped', SET_TAG, SAVE);
        await status.getByText(/does not let this edit through.*The wiki says/).waitFor();
        expect(await panel.getByRole('button', { name: 'Save anyway' }).count()).toBe(0);
        expect((await latest('Stopped')).user).toBe('Admin');
        await page.close();
      });
    });

    test('asks the wiki’s own Citoid what it knows of the source', async () => {
      const found = {
        itemType: 'newspaperArticle',
        title: 'Mill | closes',
        publicationTitle: 'Orrin Gazette',
        date: '2024-03-05',
        author: [['Ann', 'Pell'], 'odd', [1, 2]],
        url: 'https://elsewhere.example/',
      };
      const asked: string[] = [];
      await site.browser.route('**/api/rest_v1/data/citation/**', (route) => {
        asked.push(route.request().url());
        return route.fulfill({ json: [found] });
      });
      await write('Citoid', `The mill closed in 1931.${ref('a')}`);
      const { page, status } = await choose('Citoid', ADD, SAVE);
      await status.getByText('Saved.').waitFor();
      expect(asked).toEqual([
        `${site.wiki.origin}/api/rest_v1/data/citation/mediawiki/https%3A%2F%2Fbetter.example%2Fmill`,
      ]);
      expect((await latest('Citoid')).text).toContain(
        `<ref>{{cite news |last=Pell |first=Ann |url=https://better.example/mill |title=Mill &#x7C; closes |website=Orrin Gazette |date=2024-03-05 |access-date=${TODAY}}}</ref>`,
      );
      await site.browser.unroute('**/api/rest_v1/data/citation/**');
      await page.close();
    });

    test('goes on with what the suggestion says where Citoid does not answer in five seconds', async () => {
      await write('Slow', `The mill closed in 1931.${ref('a')}`);
      const page = await site.read('Slow');
      await page.locator('.sidelight-badge').first().click();
      await page.clock.install();
      await page.route('**/api/rest_v1/data/citation/**', () => undefined);
      const asked = page.waitForRequest('**/api/rest_v1/data/citation/**');
      await page.getByRole('dialog').getByRole('button', { name: REPLACE }).click();
      await asked;
      await page.clock.fastForward(5000);
      await page.locator('.sidelight-diff').getByText('The mill closes').waitFor();
      await page.close();
    });

    test('shows hostile titles and addresses as text, and cites no address that is none of the web', async () => {
      const title = '</p><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>}}{{Delete}} ~~~~ |url=x';
      await write(
        'Hostile',
        `The mill closed in 1931.${ref('a')} <b onclick="window.pwned=1">B</b>`,
        'mill',
        suggestion('https://better.example/"><script>window.pwned=1</script>', title),
      );
      const { page, panel, status, diff } = await choose('Hostile', REPLACE);
      await diff.waitFor();
      const elements = await diff.locator('*').evaluateAll((all) => all.map(({ tagName }) => tagName));
      expect([...new Set(elements)].sort()).toEqual(['DEL', 'INS', 'P', 'SPAN']);
      expect(await panel.locator('img, script').count()).toBe(0);
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText('Saved.').waitFor();
      const { text } = await latest('Hostile');
      expect(text.match(/\{\{[a-z ]+/gi)).toEqual(['{{cite web ']);
      expect(text).not.toMatch(/<script|~~~~/);
      await page.reload();
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      await page.close();

      await write('Script', `The mill closed in 1931.${ref('a')}`, 'mill', suggestion('javascript:alert(1)', 'T'));
      const refused = await choose('Script', REPLACE);
      await refused.status.getByText('no address on the web').waitFor();
      await refused.page.close();
    });

    test('is called as the wiki’s config page says, and carries its change tag', async () => {
      await site.admin.save('Template:Beleg prüfen', 'Beleg?');
      await site.admin.save('Template:Internetquelle', INTERNETQUELLE);
      await manageTag('sidelight-test');
      await site.admin.save('MediaWiki:Gadget-sidelight.json', JSON.stringify(GERMAN));
      await write(
        'Deutsch',
        `The mill closed in 1931.<ref>{{Internetquelle |url=${URL_OF('a')} |titel=A |abruf=2010-01-02}}</ref>`,
      );
      const tagging = await choose('Deutsch', SET_TAG, SAVE, () => forgetConfig());
      await tagging.status.getByText('Saved.').waitFor();
      const tagged = await latest('Deutsch');
      expect(tagged.text).toMatch(/<\/ref>\{\{Beleg prüfen\|Datum=\d+\. \p{L}+ \d{4}\|Grund=steht dort nicht\}\}$/u);
      expect([tagged.comment, tagged.tags]).toEqual(['Beleg fehlt', ['sidelight-test']]);
      await tagging.page.close();

      const replacing = await choose('Deutsch', REPLACE, SAVE);
      await replacing.status.getByText('Saved.').waitFor();
      expect((await latest('Deutsch')).text).toBe(
        `The mill closed in 1931.<ref>{{Internetquelle |url=https://better.example/mill |titel=The mill closes |abruf=${TODAY}}}</ref>`,
      );
      await replacing.page.close();
    });

    test('is made without a change tag that the wiki does not have', async () => {
      await site.admin.save(
        'MediaWiki:Gadget-sidelight.json',
        JSON.stringify({ changeTag: 'no-such-tag', templates: 7 }),
      );
      await write('Untold', `The mill closed in 1931.${ref('a')}`);
      const { page, status } = await choose('Untold', SET_TAG, SAVE, () => forgetConfig());
      await status.getByText('Saved.').waitFor();
      const { tags, text } = await latest('Untold');
      expect([tags, text]).toEqual([[], `The mill closed in 1931.${ref('a')}${TAG}`]);
      await page.close();
    });

    test('is not made for a session that has ended', async () => {
      await write('Ended', `The mill closed in 1931.${ref('a')}`);
      const { page, panel, status, diff } = await choose('Ended', REPLACE);
      await diff.waitFor();
      await site.browser.clearCookies();
      await panel.getByRole('button', { name: 'Save' }).click();
      await status.getByText('Sign in to the wiki first').waitFor();
      expect((await latest('Ended')).user).toBe('Admin');
      await page.close();
    });
  });

  async function write(title: string, wikitext: string, words = 'The mill closed', better = BETTER): Promise<Finding> {
    const article = await site.write(title, wikitext);
    return article.find(words, better);
  }

  /** Opens the article and its badge, and presses the button; saves at once where the preview is not looked at. */
  async function choose(
    title: string,
    kind: string,
    how: 'look' | 'save' = 'look',
    first?: () => Promise<void>,
  ): Promise<Shown> {
    await first?.();
    const page = await site.read(title);
    await page.locator('.sidelight-badge').first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: kind }).click();
    const shown = { page, panel, status: panel.getByRole('status'), diff: panel.locator('.sidelight-diff') };
    if (how === SAVE) await panel.getByRole('button', { name: 'Save' }).click();
    return shown;
  }

  /** As an hour does. */
  async function forgetConfig(): Promise<void> {
    const page = await site.read('Replaced');
    await page.evaluate(`mw.storage.remove('sidelight-config')`);
    await page.close();
  }

  /** With the password of people: that of programs has no right to block. */
  async function person(): Promise<Mwn> {
    const { apiUrl, accounts } = site.wiki;
    const { name, password } = accounts.admin;
    return Mwn.init({ apiUrl, username: name, password, ...QUIET });
  }

  async function block(isBlocked: boolean): Promise<void> {
    const admin = await person();
    const action = isBlocked ? 'block' : 'unblock';
    await admin.request({ action, user: ACCOUNTS.reader.name, token: admin.csrfToken });
  }

  async function manageTag(tag: string): Promise<void> {
    const admin = await person();
    await admin.request({ action: 'managetags', operation: 'create', tag, token: admin.csrfToken });
  }

  /** On the wiki’s own form, as an administrator. */
  async function filterEdits(title: string, action: 'Warn' | 'Disallow'): Promise<void> {
    const page = await site.browser.newPage();
    await page.goto(`${site.wiki.origin}/w/index.php?title=Special:AbuseFilter/new`);
    await page.fill('[name=wpFilterDescription]', title);
    await page.fill('[name=wpFilterRules]', `page_title == "${title}" & !("sysop" in user_groups)`);
    await page.locator(`[name=wpFilterAction${action}]`).check({ force: true });
    await page.getByRole('button', { name: 'Save filter' }).click();
    await page
      .getByText('your changes to', { exact: false })
      .or(page.locator('.mw-message-box-success'))
      .first()
      .waitFor();
    await page.close();
  }

  async function latest(
    title: string,
  ): Promise<{ text: string; user: string; comment: string; minor: boolean; tags: string[] }> {
    const page = await site.admin.read(title, { rvprop: ['content', 'user', 'comment', 'flags', 'tags'] });
    const revision = page.revisions?.[0] as (ApiRevision & { tags?: string[] }) | undefined; // of rvprop=tags
    const { content = '', user = '', comment = '', minor = false, tags = [] } = revision ?? {};
    return { text: content, user, comment, minor: Boolean(minor), tags };
  }
});

const SAVE = 'save';

interface Shown {
  page: Page;
  panel: Locator;
  status: Locator;
  diff: Locator;
}

/** Lines that only one of the two texts has, as the preview says them. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const removed = old.filter((line) => !now.includes(line)).map((line) => `Removed: ${line}`);
  return [...removed, ...now.filter((line) => !old.includes(line)).map((line) => `Added: ${line}`)].sort();
}

const INTERNETQUELLE = `{{{titel}}}<noinclude><templatedata>
{ "params": { "url": {}, "titel": {}, "abruf": {} }, "maps": { "citoid": { "url": "url", "title": "titel", "accessDate": "abruf" } } }
</templatedata></noinclude>`;

const GERMAN = {
  templates: { failedVerification: ['Beleg prüfen'] },
  parameters: { tagDate: ['Datum'], tagReason: ['Grund'] },
  dates: { tag: 'j. F Y' },
  reasons: { source_silent: 'steht dort nicht' },
  summaries: { tag: 'Beleg fehlt' },
  changeTag: 'sidelight-test',
};
