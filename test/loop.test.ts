/**
 * The main job on real parts: Redis, MediaWiki, the bot, the workers, the review service and Chromium. What each citation of
 * the sample wiki must come to stands in deploy/sample/cases.json.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { firstPass } from '../deploy/local/first-pass.ts';
import { type Stack, startStack } from '../deploy/local/stack.ts';
import { type Case, loadCases } from '../deploy/sample/cases.ts';
import { ACCOUNTS } from '../deploy/wiki/accounts.ts';
import { repositoryRoot } from '../shared/root.ts';
import { openReviewDatabase } from '../workers/review/database.ts';
import { createFindings, type Findings } from '../workers/review/findings.ts';
import type { Row } from '../workers/review/queue.ts';
import { launchChromium } from './support/chromium.ts';
import { describeWith } from './support/describe-with.ts';
import { freePorts, stackEnvironment } from './support/ports.ts';

const { ports } = await freePorts();
const cases = await loadCases(ports.web);

let dataDir: string;
let stack: Stack;
let database: Awaited<ReturnType<typeof openReviewDatabase>>;
let findings: Findings;
const unexpected: string[] = [];

describeWith(['redis', 'wiki', 'chromium'], 'the main job', () => {
  beforeAll(begin, 300_000);
  afterAll(end, 30_000);
  describe('on the sample wiki', ofTheSample);
  describe('in the browser', inTheBrowser);
});

async function begin() {
  dataDir = await mkdtemp(join(tmpdir(), 'sidelight-loop-'));
  stack = await startStack({
    environment: stackEnvironment(dataDir, `${repositoryRoot()}/workers/models`),
    ports,
    onStep: () => undefined,
    onWarning: (part, message) => unexpected.push(`${part}: ${message}`),
    onExit: (part) => unexpected.push(`${part} ended`),
  });
  const signal = AbortSignal.timeout(240_000);
  await firstPass(stack, ports, { onCounts: () => undefined, say: () => undefined, signal });
  database = await openReviewDatabase(stack.config.databases.review);
  findings = createFindings(database);
}

async function end() {
  await database?.destroy();
  await stack?.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function ofTheSample() {
  const named = cases.map((each) => [`${each.case}: ${each.article}, “${each.claim}”`, each] as const);

  test.each(named)('%s', async (_name, each) => {
    const row = await findRow(each);
    expect(row).toBeDefined();
    if (row === undefined) return;
    expect(row.state).toBe(each.until === null ? 'open' : 'closed');
    expectVerdict(each, row);
    expectSuggestion(each, row);
  });

  test('every claim is checked, and none twice', async () => {
    const rows = await allRows();
    const coverage = await findings.coverage({ wiki: stack.config.wiki.id });
    expect(coverage?.checked).toBe(coverage?.claims);
    const open = rows.filter((row) => row.state === 'open');
    expect(open).toHaveLength(coverage?.claims ?? 0);
  });

  test('no part warned or ended', () => {
    expect(unexpected).toEqual([]);
  });
}

function inTheBrowser() {
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    context = await launchChromium();
    page = await context.newPage();
  });
  afterAll(() => context.close());

  test('an edit becomes a finding, a person accepts it, the gadget uses the better source, and the finding closes', async () => {
    const bad = cases.find((each) => each.from === 'bad_citation');
    if (bad === undefined) throw new Error('the sample has no bad citation');
    const row = await findRow(bad);
    if (row === undefined) throw new Error('the edit became no finding');

    await page.goto(`http://127.0.0.1:${ports.review}/findings/${row.id}`);
    await page.getByText(bad.claim).first().waitFor();
    await signInAtReview(page);
    await page.locator('form.decide[data-step=ready]').waitFor();
    await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByText('Accepted').first().waitFor();
    expect((await findings.get(row.id)).state).toBe('accepted');

    await page.goto(articleUrl(bad.article));
    await page.locator('#t-sidelight a').click();
    const panel = page.locator('.sidelight-panel');
    await panel.getByRole('button', { name: 'Agree' }).click();
    await page.locator('#t-sidelight a', { hasText: 'claims checked' }).waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    await badgeBehind(page, bad.claim).click();
    await panel.getByRole('button', { name: 'Use this source instead' }).click();
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText(/Saved\.|This finding is closed\./).waitFor();

    const edit = await latestEdit(bad.article);
    expect(edit.user).toBe(ACCOUNTS.reader.name);
    expect(edit.comment).toContain(`Sidelight finding ${row.id}`);
    expect(edit.text).toContain(bad.expect.suggestion);
    expect(edit.text).not.toContain(`${bad.claim}.<ref>{{cite news |url=${bad.cites[0]}`);

    await panel.getByText('This finding is closed.').waitFor({ timeout: 60_000 });
    const closed = await findings.get(row.id);
    expect([closed.state, closed.closedBecause]).toEqual(['closed', 'fixed']);
  }, 120_000);

  test('a claim that carries a finding is marked where it stands, and nowhere else', async () => {
    await page.goto(articleUrl('Tolsay Light Railway'));
    await page.locator('#t-sidelight a', { hasText: 'claims checked' }).waitFor();
    const rows = await findings.list(
      { wiki: stack.config.wiki.id, page: 'Tolsay Light Railway', state: 'unmended' },
      { limit: 200 },
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await page.locator('.sidelight-badge').count()).toBe(rows.length);
  });
}

function expectVerdict({ expect: expected }: Case, { finding }: Row): void {
  expect(expected.verdict).toContain(finding.verdict);
  if (expected.reason !== null) expect(finding.reason).toBe(expected.reason);
  if (expected.evidenceIncludes !== null) expect(finding.evidence?.passage).toContain(expected.evidenceIncludes);
  if (expected.scoreBelowThreshold !== null) {
    expect(finding.verdict === 'supported').toBe(!expected.scoreBelowThreshold);
  }
}

function expectSuggestion({ expect: expected }: Case, { finding }: Row): void {
  const suggested = finding.suggestion?.url ?? 'none';
  if (expected.suggestion !== 'any') expect(suggested).toBe(expected.suggestion);
  expect(expected.neverSuggested).not.toContain(suggested);
}

async function findRow(wanted: Case): Promise<Row | undefined> {
  const rows = await allRows();
  return rows.find(({ finding: { page, claim, citations } }) => {
    const cited = citations.flatMap(({ url }) => (url === null ? [] : [url]));
    return page.title === wanted.article && claim.text.includes(wanted.claim) && cited.join() === wanted.cites.join();
  });
}

function allRows(): Promise<Row[]> {
  return findings.list({ wiki: stack.config.wiki.id, state: 'all', verdict: 'all' }, { limit: 1000 });
}

function articleUrl(title: string): string {
  return `${stack.config.wiki.origin}/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`;
}

/** With the account of the sample wiki, which asks whether it may be told. */
async function signInAtReview(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.fill('#wpName1', ACCOUNTS.reader.name);
  await page.fill('#wpPassword1', ACCOUNTS.reader.password);
  await page.click('#wpLoginAttempt');
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** The badge of the paragraph that holds the claim; the last one there. */
function badgeBehind(page: Page, claim: string) {
  return page.locator('p', { hasText: claim }).locator('.sidelight-badge').last();
}

async function latestEdit(title: string): Promise<{ user: string; comment: string; text: string }> {
  const query = new URLSearchParams({
    action: 'query',
    prop: 'revisions',
    titles: title,
    rvprop: 'user|comment|content',
    rvslots: 'main',
    format: 'json',
    formatversion: '2',
  });
  const response = await fetch(`${stack.config.wiki.apiUrl}?${query}`);
  const answer = (await response.json()) as {
    query: { pages: [{ revisions: [{ user: string; comment: string; slots: { main: { content: string } } }] }] };
  }; // what the API documents for these parameters
  const [revision] = answer.query.pages[0].revisions;
  return { user: revision.user, comment: revision.comment, text: revision.slots.main.content };
}
