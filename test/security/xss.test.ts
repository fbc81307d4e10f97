/**
 * Texts that were made to run, in every field of findings, of people and of what they wrote, on every page of the review service, in a
 * real browser under the service's own policy: each is shown as it was written; nothing runs, opens, or asks for anything.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { WorklistName } from '../../bot/worklists/lists.ts';
import { openWorklists } from '../../bot/worklists/store.ts';
import { parseConfig } from '../../shared/config.ts';
import { connectRedis } from '../../shared/redis.ts';
import { joinCheck } from '../../workers/review/checks/store.ts';
import { type Maintenance, openMaintenance } from '../../workers/review/maintenance.ts';
import { launchChromium } from '../support/chromium.ts';
import { describeWith } from '../support/describe-with.ts';
import { type CheckService, type Ground, startGround, startService, WIKI } from '../workers/review/checked.ts';
import { submitForm } from '../workers/review/opened.ts';
import { newContext } from '../workers/review/persons.ts';
import type { SignedIn } from '../workers/review/served.ts';
import { decideAs } from '../workers/review/store.ts';
import { hostileFinding, hostileFound } from './hostile-finding.ts';
import { VECTORS } from './xss-vectors.ts';

const texts = Object.values(VECTORS);
const AT = '2026-11-20T10:00:00.000Z';
/** For pages that show several. */
const fours = texts.flatMap((_, at) => (at % 4 === 0 ? [texts.slice(at, at + 4)] : []));
/** What fits into fields of this length, with nothing that trimming would take. */
const short = texts.map((text) => text.trim().slice(0, 100).trim());
/** Those that can name a worklist: without control characters. */
const names = [...new Set(short)].filter((name) => WorklistName.safeParse(name).success);

describeWith(['redis', 'chromium'], 'a text that was made to run', () => {
  let ground: Ground;
  let service: CheckService;
  let mia: SignedIn;
  const close: (() => unknown)[] = [];
  let browser: BrowserContext;
  let tab: Page;
  /** Dialogs, violations, errors and requests that nobody should see. */
  let heard: string[];

  beforeAll(async () => {
    ground = await startGround();
    close.push(() => ground.close());
    await fillDatabase(ground);
    await keepChecks(ground);
    const maintenance = await openWithWorklists(ground, close);
    service = await startService(ground, async () => null, { maintenance });
    close.push(() => service.close());
    mia = await service.signIn(texts[0] ?? '', ['patroller', 'maintainer']);
    await keepOwn(ground, mia);
    browser = await launchChromium();
    close.push(() => browser.close());
    const context = await newContext(browser);
    await context.addCookies(mia.cookies);
    await context.addInitScript(LISTEN);
    tab = await context.newPage();
  }, 60_000);
  afterAll(async () => {
    for (const each of close.reverse()) await each();
  });

  beforeEach(() => {
    heard = [];
    tab.removeAllListeners();
    tab.on('dialog', (dialog) => {
      heard.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    tab.on('console', (message) => void (message.type() === 'error' && heard.push(message.text())));
    tab.on('pageerror', (error) => heard.push(error.message));
    tab.on('popup', () => heard.push('popup'));
    tab.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin !== service.origin || !OWN_PATHS.test(pathname)) heard.push(request.url());
    });
  });

  /** Opens a page and tells what of it would do something. */
  async function harmAt(path: string): Promise<string[]> {
    await tab.goto(`${service.origin}${path}`, { waitUntil: 'domcontentloaded' });
    const found = (await tab.evaluate(HARM)) as string[]; // strings, as the expression makes them
    return [...found, ...heard.splice(0)].map((harm) => `${path.slice(0, 60)}: ${harm}`);
  }
  /** Of all elements that match, as people read them. */
  const shown = async (selectors: readonly string[]) =>
    (await tab.evaluate(`${JSON.stringify(selectors)}.map(${READ})`)) as string[]; // as the expression makes them
  const missing = async (selector: string, expected: readonly string[]) => {
    const [all = ''] = await shown([selector]);
    return expected.filter((text) => !all.includes(read(text)));
  };
  /** Those of the fields that do not have the text. */
  const lacking = async (selectors: readonly string[], text: string) => {
    const all = await shown(selectors);
    return selectors.filter((_, at) => !all[at]?.includes(read(text))).map((selector) => `${selector} lost ${text}`);
  };

  test('is text on the lists: in claims, titles, projects, names of filters and of people', async () => {
    expect(await harmAt('/?state=all&verdict=all&limit=200')).toEqual([]);
    expect(await missing('.card-claim', texts)).toEqual([]);
    expect(await missing('.card-page', texts)).toEqual([]);
    expect(await missing('.card-project', texts)).toEqual([]);
    expect(await missing('.card-meta', texts)).toEqual([]);
    const harm: string[] = [];
    for (const [page = '', project = '', worklist = '', user = ''] of fours) {
      const query = new URLSearchParams({ page, project, worklist, user, 'decided-by': page });
      harm.push(...(await harmAt(`/?${query}`)));
    }
    expect(harm).toEqual([]);
  }, 60_000);

  test('is text on the page of a finding, in each of its fields', async () => {
    const harm: string[] = [];
    for (const [index, text] of texts.entries()) {
      harm.push(
        ...(await harmAt(`/findings/${index + 1}?state=all&${new URLSearchParams({ page: text, done: '1' })}`)),
      );
      harm.push(...(await lacking(FIELDS, text)));
    }
    expect(harm).toEqual([]);
  }, 120_000);

  test('is text on the page of a check: in its sentence and in what was found', async () => {
    const harm: string[] = [];
    for (const [index, group] of fours.entries()) {
      harm.push(...(await harmAt(`/checks/c${100 + index}_0`)));
      harm.push(...(await lacking(['.claim-text', '.found-verdict'], group[0] ?? '')));
      for (const text of group) harm.push(...(await lacking(['.found-columns', 'blockquote'], text)));
    }
    expect(harm).toEqual([]);
  }, 120_000);

  test('is text on a person’s own pages, the maintainers’ page, the comparison, figures and the document', async () => {
    const harm: string[] = [];
    harm.push(...(await harmAt('/account')), ...(await harmAt('/account/tokens')));
    expect(await missing('main', short.slice(0, 50))).toEqual([]);
    harm.push(...(await harmAt('/')));
    expect(await missing('main', short.slice(0, 30))).toEqual([]);
    harm.push(...(await harmAt('/maintain')));
    expect(await missing('main', names)).toEqual([]);
    const next = await submitForm(`${service.origin}/compare/next`, { _csrf: mia.csrf }, mia.headers);
    harm.push(...(await harmAt(next.headers.get('location') ?? '/compare')), ...(await harmAt('/compare/results')));
    harm.push(...(await harmAt('/insights')), ...(await harmAt('/docs')));
    // opened by itself a drawing loses its own styles to the policy, and the browser asks for an icon that is not there
    for (const figure of ['hosts', 'models', 'projects']) {
      expect((await fetch(`${service.origin}/insights/${figure}.svg`)).status).toBe(200);
      harm.push(...(await harmAt(`/insights/${figure}.svg`)).filter((each) => !OF_DRAWINGS.test(each)));
    }
    expect(harm).toEqual([]);
  }, 60_000);

  test('is text in errors, for people and for programs', async () => {
    const harm: string[] = [];
    for (const [index, text] of texts.entries()) {
      const part = encodeURIComponent(text);
      const paths = [`/api/findings?verdict=${part}`, `/api/${part}`, `/findings/${part}`, `/?sort=${part}`];
      for (const path of [...paths.slice(index % 4), ...paths].slice(0, 2)) {
        const answer = await fetch(`${service.origin}${path}`);
        const isJson = /^application\/json/.test(answer.headers.get('content-type') ?? '');
        expect([answer.status >= 400, answer.status < 500, isJson]).toEqual([true, true, path.startsWith('/api/')]);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
        await answer.text();
      }
      if (index % 8 === 0) harm.push(...(await harmAt(`/?sort=${part}`)), ...(await harmAt(`/api/${part}`)));
    }
    // that an address is none is an error of the page, which the browser says
    expect(harm.filter((each) => !/status of 40[04]|request http/.test(each))).toEqual([]);
  }, 60_000);

  test('is no formula in a file, and no markup in a feed', async () => {
    for (const file of ['insights/projects', 'insights/hosts', 'insights/models', 'compare/results']) {
      const answer = await fetch(`${service.origin}/${file}.csv`, { headers: mia.headers });
      expect([file, answer.status]).toEqual([file, 200]);
      expect(await answer.text()).not.toMatch(/(^|[,\n])"?[\t\r ]*[=+@-]\D/);
    }
    const answer = await fetch(`${service.origin}/feed.xml?state=all&verdict=all`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/(rss\+)?xml/);
    const xml = await answer.text();
    const said = await tab.evaluate(`(${READ_FEED})(${JSON.stringify(xml)})`);
    expect(said).toEqual({ items: expect.any(Number), harm: [], broken: 0 });
    expect(Reflect.get(said as object, 'items')).toBeGreaterThan(20);
    expect(heard).toEqual([]);
  });
});

/** A finding, a decision, and names of groups for each text. */
async function fillDatabase({ store: { db, findings } }: Ground): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const finding = hostileFinding(text, index + 1);
    await findings.record(finding);
    for (const kind of ['project', 'worklist', 'user'] as const) {
      await db
        .insertInto('page_groups')
        .values({ wiki: finding.wiki, page_id: index + 1, kind, name: text })
        .execute();
    }
    await decideAs(db, text, index + 1, { decision: 'accept', comment: text });
  }
}

/** Checks of sentences that were looked for, each with what was found for it. */
async function keepChecks({ store: { db } }: Ground): Promise<void> {
  for (const [index, group] of fours.entries()) {
    await joinCheck(db, {
      ...{ id: `c${100 + index}_0`, kind: 'sentence', wiki: WIKI, page_id: null, page_title: null, revision: null },
      ...{ claim: group[0] ?? '', subject: `sentence ${index}`, state: 'done', reason: null, claims: null },
      ...{ found: JSON.stringify(hostileFound(group)), created_at: AT, finished_at: AT },
    });
  }
}

/** What maintainers see, with a worklist for each text. */
async function openWithWorklists({ url, store }: Ground, close: (() => unknown)[]): Promise<Maintenance> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-texts-'));
  close.push(() => rmSync(folder, { recursive: true }));
  const config = parseConfig({ WIKI: `http://${WIKI}`, REDIS_URL: url, DATA_DIR: folder });
  const redis = await connectRedis(url, 'producer');
  close.push(() => redis.disconnect());
  const worklists = await openWorklists(config.databases.worklists);
  for (const name of names) await worklists.lists.add({ wiki: WIKI, name, source: { kind: 'search', query: name } });
  await worklists.close();
  const maintenance = openMaintenance(config, store.db, redis);
  close.push(() => maintenance.close());
  return maintenance;
}

/** As many saved filters and tokens as a person may have. */
async function keepOwn({ store: { db } }: Ground, { id }: SignedIn): Promise<void> {
  for (const [index, name] of short.entries()) {
    const query = String(new URLSearchParams({ page: name, project: name }));
    if (index < 30) await db.insertInto('saved_filters').values({ user_id: id, name, query }).execute();
    const token = { user_id: id, name, hash: `hash ${index}`, created_at: AT, used_at: null, revoked_at: null };
    if (index < 50) await db.insertInto('tokens').values(token).execute();
  }
}

/** As a browser reads HTML: without zeros, line ends alike. */
function read(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\r\n?/g, '\n');
}

/** Of the page of a finding. */
const FIELDS = [
  '.article-title',
  '.page-head h1',
  '.claim-context',
  '.claim-text strong',
  '.claim-head .facts',
  '.about',
  '.work-title',
  'figcaption',
  'blockquote',
  '.history bdi',
  '.history-note',
];

const OF_DRAWINGS = /style-src|inline style|status of 404/;
const OWN_PATHS = /^\/(static\/|findings\/|checks\/|compare|insights|maintain|account|docs|api\/|$)/;

/** Kept where no text of a page can reach it but by running. */
const LISTEN = `
window.violations = [];
document.addEventListener('securitypolicyviolation', (event) => violations.push('violation of ' + event.violatedDirective));
`;

/** What of a page would do something, were it not text; and what was done. */
const HARM = `(() => {
  const never = 'script:not([src^="/static/"]), script:not(:empty), iframe, frame, object, embed, base, template, style, [srcdoc], ' +
    'marquee, video, audio, math, foreignObject, animate, meta[http-equiv], [formaction]:not([formaction^="/"]), form:not([action^="/"], [method=dialog]), ' +
    'img:not([src^="/static/"], [src^="/insights/"]), link:not([href^="/static/"], [href^="/feed.xml"])';
  const all = document.contentType === 'text/html' ? [...document.querySelectorAll(never)] : [...document.querySelectorAll('script, foreignObject, a, image')];
  const running = [...document.querySelectorAll('*')].filter((element) => [...element.attributes].some(({ name, value }) =>
    /^on/i.test(name) || (/(href|src|action)$/i.test(name) && /^[\\0-\\x20]*(javascript|data|vbscript|view-source|\\/\\/)/i.test(value.replace(/[\\t\\n\\r]/g, '')))));
  const done = window.hacked === undefined ? [] : ['it ran'];
  return [...all, ...running].map((element) => element.outerHTML.slice(0, 200)).concat(done, window.violations);
})()`;

/** Selector → text of all that match. */
const READ = `(selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent).join(' ')`;

/** A feed as readers take it: titles and descriptions are HTML to some of them. */
const READ_FEED = `(xml) => {
  const feed = new DOMParser().parseFromString(xml, 'application/xml');
  const texts = [...feed.querySelectorAll('title, description')].map((element) => element.textContent);
  const harm = texts.flatMap((text) =>
    [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('body *')]
      .filter((element) => !['P', 'Q'].includes(element.tagName) || element.attributes.length > 0)
      .map((element) => element.outerHTML));
  return { items: feed.querySelectorAll('item').length, harm, broken: feed.querySelectorAll('parsererror').length };
}`;
