/**
 * Texts that were made to run, in everything that the gadget draws: a service and a wiki that answer with nothing else, on a real wiki
 * without a policy, where a script would run. Nothing runs, opens, or is asked for, and every element is the gadget's own.
 */
import type { Page } from 'playwright-core';
import { ACCOUNTS } from '../../deploy/wiki/accounts.ts';
import { type Article, articleUrl, type Site, signInBrowser, startSite, suggestion } from '../gadget/site.ts';
import { describeWith } from '../support/describe-with.ts';
import { answerAsService, answerAsWiki, groupsOf, HONEST, INHERITED, keptChecks, sayingOf } from './hostile-answers.ts';
import { VECTORS } from './xss-vectors.ts';

/** The last of them: what our own texts would take for their own. */
const texts = [...Object.values(VECTORS), '$1$2{{PLURAL:$1|one=<img src=x onerror=alert(1)>|x}}'];
const groups = groupsOf(texts);

describeWith(['wiki', 'chromium'], 'a text that was made to run', () => {
  let site: Site;
  let article: Article;
  let page: Page;
  /** Dialogs, windows, errors and requests that nobody should see. */
  const heard: string[] = [];
  /** Of the texts, those that are in the wiki's answers. */
  let batch: readonly string[] = [];

  beforeAll(async () => {
    site = await startSite();
    await signInBrowser(site, ACCOUNTS.reader);
    const ref = '<ref>{{cite web |url=https://pages.example/a |title=A}}</ref>';
    const shown = texts.map((text) => `<div class="hostile">${inWikitext(text)}</div>`).join('\n');
    article = await site.write('Mill', `The mill closed in 1931.${ref}\n\n${shown}`);
    page = await site.browser.newPage();
    const kept = JSON.stringify(keptChecks(texts, 'Mill'));
    await page.addInitScript(`localStorage.setItem('sidelight-checks', ${JSON.stringify(kept)})`);
    const honest = article.judge('The mill closed', suggestion('https://better.example/mill', 'The mill closes'));
    const asService = answerAsService(texts, () => honest);
    await page.route(`${site.service}/**`, asService);
    await page.route(
      /\/w\/api\.php/,
      answerAsWiki(texts, () => batch),
    );
    listen();
  }, 120_000);
  afterAll(() => site?.stop());
  beforeEach(() => void heard.splice(0));

  function listen(): void {
    page.on('dialog', (dialog) => {
      heard.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => heard.push(`error ${error.message}`));
    page.on('popup', () => heard.push('popup'));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      const isOwn = origin === site.wiki.origin || origin === site.service || protocol === 'data:'; // the skin's pictures
      if (!isOwn) heard.push(`request ${request.url()}`);
    });
  }

  /** Opens the panel on a page of the wiki, and watches from there. */
  async function open(title: string): Promise<void> {
    await page.goto(articleUrl(site.wiki, title), { waitUntil: 'load' });
    await page.locator('#t-sidelight a').waitFor({ state: 'attached' });
    await page.evaluate(WATCH);
    await page.evaluate(`document.querySelector('#t-sidelight a').click()`);
    await page.waitForFunction(`document.querySelector('.sidelight-panel .sidelight-claim-link') !== null`);
  }
  const run = async <T>(script: string) => (await page.evaluate(script)) as T; // what the script gives
  const press = (key: string) => run<void>(`press(${JSON.stringify(key)})`);
  const harm = async () => [...(await run<string[]>('harm()')), ...heard.splice(0)];
  const saying = (part: string) =>
    page.waitForFunction(`document.querySelector('.sidelight-status').textContent.includes(${JSON.stringify(part)})`);
  /** Texts that the panel does not show as they are. */
  const missing = async (all: readonly string[], selector = '.sidelight-panel') => {
    const shown = await run<string>(
      `[...document.querySelectorAll('${selector}')].map((one) => one.textContent).join('\\n')`,
    );
    return all.filter((text) => !shown.includes(text));
  };

  test('is text in an article’s list, on each finding and in each sentence’s check', async () => {
    await open('Mill');
    expect(await missing(texts, '.sidelight-claim-link')).toEqual([]);
    const visits = await run<Visit[]>(`visitAll(${JSON.stringify(texts.map((_, at) => `claim-${at + 1}`))})`);
    const found = visits.flatMap(({ harm, shown }, at) => [
      ...harm,
      ...lost(shown, [texts[at] ?? ''], FIELDS_OF_FINDING),
    ]);
    const checks = await run<Visit[]>(`visitAll(${JSON.stringify(groups.map((_, at) => `check-c${at}`))})`);
    found.push(...checks.flatMap(({ harm, shown }, at) => [...harm, ...lost(shown, groups[at] ?? [], FIELDS_OF_ROW)]));
    await press('check-crunning');
    await page.locator('.sidelight-stages').waitFor();
    expect(await missing([...texts, ...INHERITED], '.sidelight-stages')).toEqual([]);
    expect([...found, ...(await harm())]).toEqual([]);
  }, 60_000);

  test('is text where the service refuses, and where it is selected', async () => {
    await open('Mill');
    for (const text of texts) {
      await press('page');
      await saying(text);
    }
    expect(await run<number>(`document.querySelectorAll('.hostile').length`)).toBe(texts.length);
    const found = await run<string[]>(SELECT_EACH);
    await page.locator('.sidelight-selected').waitFor();
    expect([...found, ...(await harm())]).toEqual([]);
  }, 60_000);

  test('is text in an edit: in its difference, as it reads, in its summary, and in what the wiki says of it', async () => {
    await open('Mill');
    await press(`claim-${HONEST}`);
    const found = [];
    for (const at of [0, 1, 2, 3]) {
      batch = texts.filter((_, index) => index % 4 === at);
      if (at > 0) await press('back');
      await press(`edit-replace-${HONEST}`);
      await page.locator('.sidelight-reads').waitFor();
      found.push(...(await harm()));
    }
    for (const [at, text] of texts.entries()) {
      await run(`document.querySelector('#sidelight-summary').value = ${JSON.stringify(text)}`);
      await press('save');
      await saying(sayingOf(at));
      found.push(...(await harm()));
    }
    expect(found).toEqual([]);
  }, 60_000);

  test.each(['Talk:Mill', `User:${ACCOUNTS.reader.name}`, 'Project:WikiProject "; hacked=1;"'])(
    'is text on %s',
    async (title) => {
      await site.admin.save(title, 'Some words.');
      await open(title);
      expect(await missing(texts, '.sidelight-claim-link')).toEqual([]);
      expect(await harm()).toEqual([]);
    },
    60_000,
  );

  test('would be seen if it were not', async () => {
    await open('Mill');
    expect(await harm()).toEqual([]);
    const raw = VECTORS['an image that fails'];
    await run(
      `document.querySelector('.sidelight-body').innerHTML = ${JSON.stringify(`${raw}<a href="javascript:hacked=1">x</a>`)}`,
    );
    await page.waitForFunction('document.querySelector(".sidelight-body img").complete');
    expect(await harm()).toEqual(
      expect.arrayContaining([
        raw?.replace('src=x onerror=alert(1)', 'src="x" onerror="alert(1)"'),
        '<a href="javascript:hacked=1">x</a>',
        'dialog 1',
      ]),
    );
  }, 60_000);
});

/** Each letter by its number, where it could be wikitext. */
function inWikitext(text: string): string {
  return text.replace(/[^\p{L}\p{N} ]/gu, (letter) => `&#${letter.codePointAt(0)};`);
}

interface Visit {
  harm: string[];
  /** By selector. */
  shown: Record<string, string>;
}

/** What the panel did not show in each of its fields. */
function lost(shown: Visit['shown'], all: readonly string[], fields: readonly string[]): string[] {
  return fields.flatMap((field) =>
    all.filter((text) => !shown[field]?.includes(text)).map((text) => `${field} lost ${text}`),
  );
}

const FIELDS_OF_FINDING = [
  '.sidelight-claim',
  '.sidelight-mismatches',
  'blockquote',
  '.sidelight-model',
  'li > :first-child',
];
const FIELDS_OF_ROW = ['.sidelight-list > li > :first-child', '.sidelight-list blockquote', '.sidelight-list small'];

/** `harm()`: elements that are not the gadget's, what would do something, and what was done. */
const WATCH = `
const before = new WeakSet(document.querySelectorAll('*'));
const TAGS = 'aside div h2 h3 p span ul ol li small blockquote mark button a details summary progress del ins input label'.split(' ');
const ATTRIBUTES = /^(class|dir|lang|id|type|title|role|tabindex|href|rel|target|value|maxlength|for|open|max|data-sidelight|aria-[a-z]+)$/;
const isOwn = (element) => TAGS.includes(element.localName) && element.namespaceURI === 'http://www.w3.org/1999/xhtml' &&
  [...element.attributes].every(({ name, value }) => ATTRIBUTES.test(name) && (name !== 'href' || /^(https?:\\/\\/|#$)/.test(value)));
const isHarm = (element) => /evil|hacked|alert\\(/.test([...element.attributes].map(({ value }) => value)) ||
  element.matches('iframe, object, embed, base, meta, body script, body style, template, svg, math, video, marquee, [srcdoc]') ||
  [...element.attributes].some(({ name }) => /^on/.test(name));
window.press = (key) => {
  const button = document.querySelector('.sidelight-panel [data-sidelight=' + JSON.stringify(key) + ']');
  if (button === null) throw new Error('no button ' + key);
  button.click();
};
window.harm = () => [...document.querySelectorAll('*')]
  .filter((element) => element.closest('.sidelight') === null ? !before.has(element) && isHarm(element) : !isOwn(element))
  .map((element) => element.outerHTML.slice(0, 200)).concat(window.hacked === undefined ? [] : ['it ran']);
const fields = ${JSON.stringify([...FIELDS_OF_FINDING, ...FIELDS_OF_ROW])};
const textOf = (field) => [...document.querySelectorAll('.sidelight-panel ' + field)].map((one) => one.textContent).join('\\n');
window.visitAll = (keys) => keys.map((key) => {
  press(key);
  const visit = { harm: harm(), shown: Object.fromEntries(fields.map((field) => [field, textOf(field)])) };
  press('list');
  return visit;
});
`;

/** Each in its turn; the event of a selection comes later. */
const SELECT_EACH = `(async () => {
  const found = [];
  for (const shown of document.querySelectorAll('.hostile')) {
    getSelection().selectAllChildren(shown);
    await new Promise(requestAnimationFrame);
    found.push(...harm());
  }
  return found;
})()`;
