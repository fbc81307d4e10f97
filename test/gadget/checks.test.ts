/** The gadget and the service, in a real browser on a real wiki: what is asked and when, checks, talk pages, lists of people and projects. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Page, Request } from 'playwright-core';
import { ACCOUNTS } from '../../deploy/wiki/accounts.ts';
import type { Found } from '../../shared/found.ts';
import { hashCitations } from '../../shared/hash.ts';
import { seriousIn } from '../support/axe.ts';
import { describeWith } from '../support/describe-with.ts';
import { type Article, articleUrl, type Site, signInBrowser, startSite, suggestion } from './site.ts';
import { foundRow } from './workers.ts';

const ref = (name: string) => `<ref>{{cite web |url=https://pages.example/${name} |title=${name}}}</ref>`;

describeWith(['wiki', 'chromium', 'redis'], 'the service', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ checks: true });
  }, 60_000);
  afterAll(() => site?.stop());

  describe('is asked nothing before the reader has agreed', () => {
    let page: Page;
    let asked: string[];
    beforeAll(async () => {
      const article = await site.write('Shy mill', `The mill closed in 1931.${ref('a')}`);
      await article.find('The mill closed');
    });
    beforeEach(async () => {
      page = await site.browser.newPage();
      asked = [];
      page.on('request', (request: Request) => request.url().startsWith(site.service) && asked.push(request.url()));
      await page.goto(articleUrl(site.wiki, 'Shy mill'));
      await page.evaluate('localStorage.clear()');
      await page.reload();
      await tool(page).waitFor({ state: 'attached' });
    });
    afterEach(() => page.close());

    test('nor when the panel was opened, explained and closed', async () => {
      await page.locator('#vector-page-tools-dropdown-checkbox').click();
      await page.getByRole('link', { name: 'Sidelight: check citations' }).click();
      const said = await panel(page).textContent();
      for (const part of [site.service, 'title of the page', 'no name and no cookie', 'network address'])
        expect(said).toContain(part);
      await panel(page).getByRole('button', { name: 'Not now' }).click();
      expect(await panel(page).count()).toBe(0);
      expect(await page.evaluate("document.activeElement.closest('#vector-page-tools-dropdown') !== null")).toBe(true);
      expect(asked).toEqual([]);
    });

    test('and is asked at once after that, on later visits too, until the agreement is withdrawn', async () => {
      await openList(page);
      await panel(page).getByRole('button', { name: 'Agree' }).click();
      await panel(page).getByText('1 of 1 claim checked').waitFor();
      expect(asked.length).toBeGreaterThan(0);
      await page.reload();
      await page.locator('.sidelight-badge').waitFor();
      await openList(page);
      await panel(page).getByRole('button', { name: 'Withdraw my agreement' }).click();
      await panel(page).getByRole('button', { name: 'Agree' }).waitFor();
      expect(await page.locator('.sidelight-badge').count()).toBe(0);
      asked.length = 0;
      await page.reload();
      await tool(page).waitFor({ state: 'attached' });
      await openList(page);
      await panel(page).getByRole('button', { name: 'Agree' }).waitFor();
      expect(asked).toEqual([]);
    });

    test('in another tab either', async () => {
      const other = await site.browser.newPage();
      await other.goto(articleUrl(site.wiki, 'Shy mill'));
      await openList(other);
      await openList(page);
      await panel(page).getByRole('button', { name: 'Agree' }).click();
      await other.locator('.sidelight-badge').waitFor();
      await panel(other).getByRole('button', { name: 'Withdraw my agreement' }).click();
      await panel(page).getByRole('button', { name: 'Agree' }).waitFor();
      expect(await page.locator('.sidelight-badge').count()).toBe(0);
      await other.close();
    });

    test('and learns of the reader neither name nor cookie', async () => {
      await page.context().addCookies([{ name: 'secret', value: 'of-the-wiki', url: site.wiki.origin }]);
      const request = page.waitForRequest((one) => one.url().startsWith(site.service));
      await openList(page);
      await panel(page).getByRole('button', { name: 'Agree' }).click();
      const headers = await (await request).allHeaders();
      expect([headers.cookie, headers.authorization]).toEqual([undefined, undefined]);
    });
  });

  test('that does not answer in time is as good as away, and is asked again when the reader wishes', async () => {
    const article = await site.write('Slow mill', `The mill closed in 1931.${ref('a')}`);
    await article.find('The mill closed');
    const page = await site.browser.newPage();
    // of this page alone, as `page.clock` is not: its time goes a hundred times as fast
    await page.addInitScript('{ const slow = setTimeout; window.setTimeout = (act, ms) => slow(act, ms / 100); }');
    await page.addInitScript(`localStorage.setItem('sidelight-consent', '${site.service}')`);
    await site.serviceAway(async () => {
      const silent = createServer().listen(Number(new URL(site.service).port), '127.0.0.1');
      const sockets: Socket[] = [];
      silent.on('connection', (socket) => sockets.push(socket));
      const connected = once(silent, 'connection');
      await page.goto(articleUrl(site.wiki, 'Slow mill'));
      await connected;
      await openList(page);
      await panel(page).getByText('nothing is known about this page').waitFor();
      await isFine(page);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });
    await start(page, 'Try again');
    await page.locator('.sidelight-badge').waitFor();
    await page.close();
  });

  describe('checks a page', () => {
    let article: Article;
    beforeEach(async () => {
      count++;
      const title = `Mill ${count}`;
      article = await site.write(title, `The mill closed in 1931.${ref('a')} The inn stayed.${ref('b')}`);
    });
    let count = 0;

    test('stage by stage, and its findings come with it', async () => {
      const page = await site.read(article.title);
      await openList(page);
      await start(page, 'Check again');
      const job = await site.workers.take('articles');
      expect(job.input).toMatchObject({ page: article.page, scope: 'all' });
      await panel(page).getByText('Reading the page').first().waitFor();
      await readPage(job, article);
      const first = await site.workers.take('verification');
      await panel(page).getByText('0 of 2 claims judged').waitFor();
      await isFine(page);
      await status(page, 'Checking – Judging claims');
      await judge(first, article);
      await panel(page).getByText('1 of 2 claims judged').waitFor();
      await page.locator('.sidelight-badge').first().waitFor();
      await judge(await site.workers.take('verification'), article);
      await status(page, 'The check is done.');
      await page.locator('.sidelight-badge').nth(1).waitFor();
      await page.close();
    });

    test('while the page is left and opened again, in two tabs, until it is cancelled in one', async () => {
      const page = await site.read(article.title);
      await openList(page);
      await start(page, 'Check again');
      const job = await site.workers.take('articles');
      await page.reload();
      await openList(page);
      await panel(page).getByText('Reading the page').first().waitFor();
      const other = await site.read(article.title);
      await openList(other);
      await panel(other).getByRole('button', { name: 'Cancel' }).click();
      await status(other, 'The check was cancelled.');
      await status(page, 'The check was cancelled.');
      job.finish();
      await Promise.all([page.close(), other.close()]);
    });

    test('also when the service is restarted in the middle of it', async () => {
      const page = await site.read(article.title);
      await openList(page);
      await start(page, 'Check again');
      const job = await site.workers.take('articles');
      await panel(page).getByText('Reading the page').first().waitFor();
      await site.serviceAway(async () => {
        await status(page, 'The connection is lost. Trying again…');
      });
      await readPage(job, article);
      for (const _ of article.pairs) await judge(await site.workers.take('verification'), article);
      await status(page, 'The check is done.');
      await page.close();
    });

    test('unless the service is away: nothing was checked, and the article is as it was', async () => {
      const page = await site.read(article.title);
      await openList(page);
      await site.serviceAway(async () => {
        await start(page, 'Check again');
        await status(page, 'The service can’t be reached. Nothing was checked.');
      });
      await page.close();
    });
  });

  test('checks one citation, by the claim and what it cites', async () => {
    const article = await site.write('Cited mill', `The mill closed in 1931.${ref('a')} The inn stayed.${ref('b')}`);
    const { claim, citations } = await article.find('The mill closed');
    const page = await site.read('Cited mill');
    await page.locator('.sidelight-badge').click();
    await panel(page).getByRole('button', { name: 'Check this citation' }).click();
    const job = await site.workers.take('articles');
    expect(job.input).toMatchObject({
      scope: 'chosen',
      chosen: [{ claim: claim.hash, citations: hashCitations(citations) }],
    });
    await panel(page).getByRole('button', { name: 'Cancel' }).click();
    await status(page, 'The check was cancelled.');
    job.finish();
    await page.close();
  });

  describe('checks a selected sentence', () => {
    const claim = 'The mill closed in 1931.';
    const hostile = '"><img src=x onerror="window.hacked=1">';
    const evil = { ...foundRow(hostile, `${hostile} quoted`, 0.2), url: 'javascript:window.hacked=1', domain: hostile };
    const FOUND: Found = {
      claim,
      verdict: 'disputed',
      supports: [foundRow('The mill', 'It closed in 1931.', 0.93)],
      refutes: [
        { ...evil, mismatches: [mismatch(hostile)], absent: [{ kind: 'name', text: hostile, start: 0, end: 3 }] },
      ],
      other: [],
      noWordKnown: false,
      generation: 'g1',
      searched: { shardsAsked: 3, shardsAnswered: 2, missing: [] },
    };

    test('and says what other pages say of it, as text, also after the page was left', async () => {
      await site.write('Selected mill', `It was old. The mill closed in 1931.${ref('a')} The inn stayed.`);
      const page = await site.read('Selected mill');
      await openList(page);
      await panel(page).getByText('select it in the article').waitFor();
      await select(page, 'The mill closed', '1931.');
      await start(page, 'Check the selected sentence');
      const job = await site.workers.take('find');
      expect(job.input.claim).toMatchObject({ text: claim, title: 'Selected mill' });
      job.finish({ stage: 'review', input: { kind: 'found', request: job.input.request, found: FOUND } });
      await panel(page).getByRole('button', { name: claim, exact: true }).click();
      await panel(page).getByText('Some pages that were found support this, others say otherwise.').first().waitFor();
      await page.reload();
      await openList(page);
      await panel(page).getByText('Some pages that were found').waitFor();
      await panel(page).getByRole('button', { name: claim, exact: true }).click();
      await panel(page).getByText('Says otherwise: 1').click();
      const said = (await panel(page).textContent()) ?? '';
      for (const part of [
        'It closed in 1931.',
        '93% likely',
        '2 of 3 parts of the corpus answered.',
        'Supports it: 1',
      ]) {
        expect(said).toContain(part);
      }
      expect(said.split(hostile).length).toBeGreaterThan(5);
      expect(await panel(page).locator('img, script, a[href^="javascript"]').count()).toBe(0);
      expect(await page.evaluate('"hacked" in window')).toBe(false);
      await panel(page).getByRole('button', { name: 'Remove from this list' }).click();
      expect(await panel(page).getByRole('button', { name: claim, exact: true }).count()).toBe(0);
      await page.close();
    });

    test('without its markers, and not one that is longer than the service takes', async () => {
      await site.write('Long mill', `The mill${ref('a')} closed in 1931. ${'The inn stayed open. '.repeat(60)}`);
      const page = await site.read('Long mill');
      await openList(page);
      await select(page, 'The mill', 'in 1931.');
      await panel(page).getByText('Selected: “The mill closed in 1931.”').waitFor();
      await page.evaluate("getSelection().selectAllChildren(document.querySelector('#mw-content-text p'))");
      await panel(page).getByText('Select at most 1,000 characters.').waitFor();
      await page.close();
    });
  });

  describe('on the talk page', () => {
    beforeAll(async () => {
      const article = await site.write('Talked mill', `The mill closed in 1931.${ref('a')} The inn stayed.${ref('b')}`);
      await article.find('The mill closed', { verdict: 'contradicted' });
      await article.find('The inn stayed', suggestion('https://better.example/inn', 'The inn'));
      await site.admin.save('Template:Sidelight report', 'Sidelight reports here.');
    });
    afterAll(() => site.browser.clearCookies());

    test('sums up what is open in the article, leads to each finding there, and checks again', async () => {
      const page = await open('Talk:Talked mill');
      await openList(page);
      await panel(page).getByText('2 of 2 claims checked').waitFor();
      const said = await panel(page).textContent();
      for (const part of ['Contradicted: 1', 'Not supported: 1', 'The inn stayed.', 'Last checked'])
        expect(said).toContain(part);
      await isFine(page);
      await start(page, 'Check again');
      const job = await site.workers.take('articles');
      expect(job.input).toMatchObject({ page: { title: 'Talked mill' }, scope: 'all' });
      await panel(page).getByRole('button', { name: 'Cancel' }).click();
      await status(page, 'The check was cancelled.');
      job.finish();
      await page.goto((await panel(page).getByRole('link', { name: 'The inn stayed.' }).getAttribute('href')) ?? '');
      await panel(page).getByText('Better source').waitFor();
      expect(await panel(page).locator('.sidelight-claim').textContent()).toBe('The inn stayed.');
      await page.close();
    });

    test('asks for reports as the reader’s own edit, which is shown before it is saved', async () => {
      await signInBrowser(site, ACCOUNTS.reader);
      await site.admin.save('Talk:Talked mill', 'Is this so?');
      const page = await open('Talk:Talked mill');
      await openList(page);
      await panel(page).getByRole('button', { name: 'Ask for reports' }).click();
      await panel(page).locator('ins').getByText('{{Sidelight report}}').waitFor();
      await isFine(page);
      await panel(page).getByLabel('Edit summary').fill('Reports, please');
      await panel(page).getByRole('button', { name: 'Save' }).click();
      await panel(page).getByText('Saved: this page asks for reports.').waitFor();
      const saved = await site.admin.read('Talk:Talked mill', { rvprop: ['content', 'user', 'comment'] });
      expect(saved.revisions?.[0]).toMatchObject({
        content: '{{Sidelight report}}\nIs this so?',
        user: ACCOUNTS.reader.name,
        comment: 'Reports, please',
      });
      await page.reload();
      await openList(page);
      await panel(page).getByText('This page asks for reports').waitFor();
      await page.close();
    });
  });

  describe('on a list’s page', () => {
    test.each([
      ['User:Alice/Articles', 'user=Alice'],
      ['Project:WikiProject Mills/Tasks', 'project=Mills'],
    ])('%s shows its queue, and leads to it on the review page', async (title, query) => {
      await site.admin.save(title, 'Work.');
      const page = await open(title);
      await openList(page);
      await panel(page).getByText('None is open among what was checked.').waitFor();
      const all = await panel(page).getByRole('link', { name: 'All on the review page' }).getAttribute('href');
      expect(all).toContain(query);
      await page.close();
    });
  });

  test('shows a list’s first findings, how many there are of each kind, and leads to each in its article', async () => {
    const article = await site.write('Listed mill', `The mill closed in 1931.${ref('a')} The inn stayed.${ref('b')}`);
    await article.find('The mill closed', { verdict: 'contradicted' });
    await article.find('The inn stayed');
    for (const [kind, name] of [
      ['user', 'Bob'],
      ['project', 'Inns'],
    ] as const)
      await site.list(article, kind, name);
    for (const title of ['User:Bob', 'Project:WikiProject Inns']) {
      await site.admin.save(title, 'Work.');
      const page = await open(title);
      await openList(page);
      await panel(page).getByText('The first 2 findings to look at').waitFor();
      const said = await panel(page).textContent();
      for (const part of ['Contradicted: 1', 'Not supported: 1', 'The mill closed in 1931.', 'Listed mill']) {
        expect(said).toContain(part);
      }
      await isFine(page);
      await panel(page).getByRole('link', { name: 'The inn stayed.' }).waitFor();
      await page.close();
    }
  });

  /** With the reader's agreement. */
  async function open(title: string): Promise<Page> {
    const page = await site.browser.newPage();
    await page.addInitScript(`localStorage.setItem('sidelight-consent', '${site.service}')`);
    await page.goto(articleUrl(site.wiki, title));
    return page;
  }

  async function readPage(job: Awaited<ReturnType<typeof takeArticles>>, { pairs }: Article): Promise<void> {
    const { wiki, page, revision, request } = job.input;
    const place = { wiki, page, revision, ...(request !== undefined && { request }) };
    const anchors = pairs.map(({ claim, citations }) => ({
      ...{ claim: claim.hash, citations: hashCitations(citations) },
      ...{ sources: citations.map(({ hash }) => hash), words: '' },
    }));
    const counts = { claims: pairs.length, checking: pairs.length };
    job.finish(
      { stage: 'review', input: { kind: 'revision', ...place, anchors, ...counts } },
      ...pairs.map((pair) => ({
        stage: 'verification' as const,
        input: { ...place, ...pair, article: [], suggest: 'below_threshold' as const },
      })),
    );
  }
  const takeArticles = () => site.workers.take('articles');

  async function judge(job: Awaited<ReturnType<typeof takeVerification>>, article: Article): Promise<void> {
    const { request, claim } = job.input;
    const finding = article.judge(claim.text);
    job.finish({ stage: 'review', input: { kind: 'finding', finding, ...(request !== undefined && { request }) } });
  }
  const takeVerification = () => site.workers.take('verification');
});

function mismatch(quote: string): Found['refutes'][number]['mismatches'][number] {
  return {
    code: 'date',
    claim: { start: 19, end: 23 },
    page: { quote, url: 'https://x.example', title: quote, start: 0, end: 1 },
  };
}

async function isFine(page: Page): Promise<void> {
  expect(await seriousIn(page, '.sidelight-panel')).toEqual([]);
}

function panel(page: Page) {
  return page.getByRole('dialog');
}

function tool(page: Page) {
  return page.locator('#t-sidelight a, a#t-sidelight');
}

async function openList(page: Page): Promise<void> {
  await tool(page).dispatchEvent('click');
  await panel(page).waitFor();
}

async function start(page: Page, name: string): Promise<void> {
  await panel(page).getByRole('button', { name, exact: true }).click();
}

/** What is read out. */
async function status(page: Page, words: string): Promise<void> {
  await page.getByRole('status').getByText(words).first().waitFor();
}

/** As with the mouse: from the beginning of one text to the end of another. */
async function select(page: Page, from: string, to: string): Promise<void> {
  const [first, last] = [JSON.stringify(from), JSON.stringify(to)];
  await page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.querySelector('#mw-content-text p'), NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const [begin, end] = [text.data.indexOf(${first}), text.data.indexOf(${last})];
      if (begin >= 0) range.setStart(text, begin);
      if (end >= 0) range.setEnd(text, end + ${last}.length);
    }
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  })()`);
}
