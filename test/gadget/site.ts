/** A real wiki with the gadget, the real review service, and a browser to read with, for one test file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mwn } from 'mwn';
import type { BrowserContext, Page } from 'playwright-core';
import { extractClaims } from '../../bot/claims/extract.ts';
import { createWiki } from '../../bot/wiki.ts';
import { buildGadget } from '../../deploy/gadget/build.ts';
import { publishGadget } from '../../deploy/gadget/publish.ts';
import { loadWikiPages } from '../../deploy/sample/articles.ts';
import { type Account, apiLogin } from '../../deploy/wiki/accounts.ts';
import type { ClaimPair, Finding } from '../../shared/citation.ts';
import { parseConfig } from '../../shared/config.ts';
import { openReviewDatabase, type PageGroupTable } from '../../workers/review/database.ts';
import { createFindings, type Findings } from '../../workers/review/findings.ts';
import { claimOf } from '../../workers/review/page.ts';
import { launchChromium } from '../support/chromium.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { serveStore } from '../workers/review/served.ts';
import { startWorkers, type Workers } from './workers.ts';

export interface Site {
  wiki: TestWiki;
  /** Signed in as an administrator. */
  admin: Mwn;
  browser: BrowserContext;
  findings: Findings;
  /** Saves an article and has the bot's part done: its claims are known to the review service. */
  write(title: string, wikitext: string): Promise<Article>;
  /** Puts an article on a person's or a project's list, as the bot does. */
  list(article: Article, kind: 'user' | 'project', name: string): Promise<void>;
  /** Throws where the site was started without checks. */
  readonly workers: Workers;
  /** Where the review service is. */
  service: string;
  /** Shows an article to somebody who agreed that the service is asked, and waits until it has answered. `query`: of the address. */
  read(title: string, query?: string): Promise<Page>;
  /** Puts the gadget on the wiki, as at the start. */
  publish(): Promise<void>;
  /** The service goes, and comes back on the same port. */
  serviceAway(during: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface Article {
  title: string;
  page: Finding['page'];
  revision: number;
  pairs: ClaimPair[];
  /** The finding of the only claim with these words, as the workers would send it. */
  judge(words: string, changes?: Partial<Finding>): Finding;
  /** The same; it is recorded. */
  find(words: string, changes?: Partial<Finding>): Promise<Finding>;
}

/** `checks`: the service takes checks, whose jobs `workers` has. */
export async function startSite(options: { checks?: boolean } = {}): Promise<Site> {
  const wiki = await startWiki();
  const service = await startService(wiki.origin, options.checks === true);
  const { apiUrl, accounts } = wiki;
  const admin = await Mwn.init({ apiUrl, ...apiLogin(accounts.admin), ...QUIET });
  const publish = async () => publishGadget(interfaceOf(admin), await buildGadget(service.origin));
  await publish();
  for (const { title, text } of await loadWikiPages()) {
    if (title.startsWith('Template:')) await admin.save(title, text);
  }
  const browser = await launchChromium();
  browser.setDefaultTimeout(20_000); // less than a test's, so that a failure says what was waited for
  const { findings } = service;
  return {
    wiki,
    admin,
    browser,
    findings,
    write: (title, wikitext) => write({ wiki, admin, findings }, title, wikitext),
    list: ({ page }, kind, name) =>
      service.list({ wiki: parseConfig({ WIKI: wiki.origin }).wiki.id, page_id: page.id, kind, name }),
    service: service.origin,
    get workers() {
      return service.workers();
    },
    async read(title, query = '') {
      const page = await browser.newPage();
      await page.addInitScript(`localStorage.setItem('sidelight-consent', '${service.origin}')`);
      await page.goto(`${articleUrl(wiki, title)}${query}`);
      await page.waitForFunction(ANSWERED);
      return page;
    },
    publish,
    serviceAway: service.away,
    async stop() {
      await browser.close();
      await service.stop();
      await wiki.stop();
    },
  };
}

/** Of the link among the wiki's tools. */
const ANSWERED = `/Sidelight: (\\d|not|can)/.test(document.querySelector('#t-sidelight')?.textContent)`;

export const QUIET = { userAgent: 'test', silent: true, suppressAPIWarnings: true };

export function articleUrl(wiki: TestWiki, title: string): string {
  return `${wiki.origin}/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`;
}

/** As a person, on the wiki's own form. */
export async function signInBrowser(site: Site, account: Account): Promise<void> {
  const page = await site.browser.newPage();
  await page.goto(`${site.wiki.origin}/w/index.php?title=Special:UserLogin`);
  await page.fill('#wpName1', account.name);
  await page.fill('#wpPassword1', account.password);
  await page.click('#wpLoginAttempt');
  await page.locator('#pt-userpage, #pt-userpage-2').first().waitFor({ state: 'attached' });
  await page.waitForFunction('window.mw && mw.Api');
  await page.evaluate(`new mw.Api().saveOption('userjs-sidelight', '${site.service}')`); // agrees
  await page.close();
}

async function write(site: Pick<Site, 'wiki' | 'admin' | 'findings'>, title: string, text: string): Promise<Article> {
  const { wiki, admin, findings } = site;
  const saved = await admin.save(title, text);
  const config = parseConfig({ WIKI: wiki.origin }).wiki;
  const page = { id: saved.pageid, title };
  const revision = saved.newrevid ?? 0;
  const rendered = await createWiki(config).parsoidHtml(revision);
  const { pairs } = extractClaims(rendered.kind === 'html' ? rendered.html : '', title);
  await findings.reconcile({
    kind: 'revision',
    wiki: config.id,
    page,
    revision,
    anchors: pairs.map(claimOf),
    claims: pairs.length,
    checking: 0,
  });
  const judge = (words: string, changes: Partial<Finding> = {}): Finding => {
    const [pair, ...others] = pairs.filter(({ claim }) => claim.text.includes(words));
    if (pair === undefined || others.length > 0) throw new Error(`not one claim has “${words}”`);
    return { ...judged(pair), wiki: config.id, page, revision, ...changes };
  };
  return {
    title,
    page,
    revision,
    pairs,
    judge,
    async find(words, changes = {}) {
      const finding = judge(words, changes);
      await findings.record(finding);
      return finding;
    },
  };
}

function judged({ claim, citations }: ClaimPair): Omit<Finding, 'wiki' | 'page' | 'revision'> {
  const checked = citations.map((citation) => ({ ...CHECKED, ...citation, readUrl: citation.url }));
  const verdict = citations.length === 0 ? 'unsourced' : 'not_supported';
  const unsearched = { evidence: null, reason: null, suggestion: null, searched: null };
  const plain = { missing: [], mismatches: [], uncheckable: null, secondOpinion: null };
  return {
    claim,
    citations: checked,
    verdict,
    score: citations.length === 0 ? null : 0.2,
    failed: citations.length === 0 ? null : 0.7,
    model: 'test-1',
    ...plain,
    ...unsearched,
  };
}

const CHECKED = { score: 0.2, reason: null, archivedAt: null, reliability: null };

/** What the better source of a finding looks like. */
export function suggestion(url: string, title: string): Pick<Finding, 'suggestion' | 'searched'> {
  const quote = 'The mill wheel was last turned in 1931.';
  const evidence = { quote, url, title, start: 0, end: quote.length, passage: quote };
  return {
    suggestion: { url, title, score: 0.91, evidence, reliability: null },
    searched: { shardsAsked: 2, shardsAnswered: 2, missing: [] },
  };
}

function interfaceOf(admin: Mwn) {
  return {
    async text(title: string) {
      const page = await admin.read(title, { rvprop: ['content'] });
      return page.revisions?.[0]?.content ?? null;
    },
    async save(title: string, text: string, summary: string) {
      await admin.save(title, text, summary);
    },
  };
}

async function startService(wikiOrigin: string, takesChecks: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-site-'));
  const database = await openReviewDatabase(join(folder, 'review.sqlite'));
  const findings = createFindings(database);
  const config = parseConfig({ WIKI: wikiOrigin }).wiki;
  const workers = takesChecks ? await startWorkers(database, findings, config) : null;
  const checks =
    workers === null ? {} : { checks: { checks: workers.checks, limits: { hourly: 100, pageHourly: 100 } } };
  const wiki = { ...config, indexPath: '/w/index.php' };
  const serve = (port?: number) =>
    serveStore({ db: database, findings }, { wikiOrigins: [wikiOrigin], wiki, ...checks }, port);
  let server = await serve();
  const { origin, port } = server;
  return {
    origin,
    findings,
    async list(values: PageGroupTable) {
      await database.insertInto('page_groups').values(values).execute();
    },
    workers() {
      if (workers === null) throw new Error('this site takes no checks');
      return workers;
    },
    async away(during: () => Promise<void>) {
      await server.close();
      await during().finally(async () => {
        server = await serve(port);
      });
    },
    async stop() {
      await server.close();
      await workers?.stop();
      await database.destroy();
      await rm(folder, { recursive: true });
    },
  };
}
