/** Cited against suggested sources, judged blindly: in SQL, and by people in a browser. */
import type { BrowserContext } from 'playwright-core';
import type { Finding } from '../../../shared/citation.ts';
import { agreementOf } from '../../../workers/evaluation/agreement.ts';
import { firstOf, getItem, JUDGES, nextItem } from '../../../workers/review/blind/items.ts';
import { type Judgement, judge } from '../../../workers/review/blind/judge.ts';
import { blindJudgements } from '../../../workers/review/blind/results.ts';
import { addOptOut, removeOptOut } from '../../../workers/review/opt-outs.ts';
import { seriousIn } from '../../support/axe.ts';
import { launchChromium } from '../../support/chromium.ts';
import { describeWith } from '../../support/describe-with.ts';
import { aFinding } from '../../support/examples.ts';
import { type Served, serve } from './served.ts';
import { failing, findingOf, searched } from './store.ts';

let served: Served;
let people: number[];

beforeEach(async () => {
  served = await serve();
  people = [];
  for (let at = 0; at <= JUDGES; at += 1) people.push((await served.signIn(`Judge ${at}`)).id);
});
afterEach(() => served.close());

const ALIKE: Judgement = { one: 'partial', other: 'partial', better: 'neither' };

test('an item that somebody has begun comes before a new one, until five people have judged it', async () => {
  await record('The mill closed in 1931.', 'The mill burned in 1932.');
  const first = await itemOf(person(0));
  await judge(served.db, first, person(0), ALIKE);
  for (const at of [1, 2, 3, 4]) {
    expect(await itemOf(person(at))).toBe(first);
    await judge(served.db, first, person(at), ALIKE);
  }
  expect(await itemOf(person(5))).not.toBe(first);
});

test('nobody judges a pair twice, and nobody is the sixth', async () => {
  await record('The mill closed in 1931.');
  const item = await itemOf(person(0));
  for (const at of [0, 1, 2, 3, 4]) await judge(served.db, item, person(at), ALIKE);
  await judge(served.db, item, person(0), ALIKE);
  await expect(judge(served.db, item, person(0), { ...ALIKE, one: 'none' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(judge(served.db, item, person(5), ALIKE)).rejects.toMatchObject({ code: 'conflict' });
  expect(await blindJudgements(served.db)).toHaveLength(5);
});

test('what is said of the first passage counts for the one that stood first', async () => {
  await record('The mill closed in 1931.');
  const item = await itemOf(person(0));
  for (const at of [0, 1, 2, 3, 4, 5].filter((each) => each < JUDGES)) {
    const isCitedFirst = firstOf(item, person(at)) === 'cited';
    const said: Judgement = isCitedFirst
      ? { one: 'none', other: 'enough', better: 'other' }
      : { one: 'enough', other: 'none', better: 'one' };
    await judge(served.db, item, person(at), said);
  }
  const { majority, sign_test } = agreementOf(await blindJudgements(served.db));
  expect(majority.cited.none).toBe(1);
  expect(majority.suggested.enough).toBe(1);
  expect(sign_test.prefer_suggested).toBe(1);
});

test('both orders come up', () => {
  const orders = Array.from({ length: 64 }, (_, item) => firstOf(item, 7));
  expect(new Set(orders)).toEqual(new Set(['cited', 'suggested']));
});

test('a text that a person gave is compared by nobody', async () => {
  const finding = comparable('The mill closed in 1931.');
  const citations = finding.citations.map((citation) => ({ ...citation, given: true as const }));
  await served.findings.record({ ...finding, citations });
  expect(await nextItem(served.db, person(0))).toBeNull();
});

test('a finding without a suggestion or without a passage is no pair', async () => {
  await served.findings.record(findingOf('The mill closed in 1931.'));
  await served.findings.record({ ...comparable('The mill burned.'), evidence: null });
  expect(await nextItem(served.db, person(0))).toBeNull();
});

test('of an article that opted out nothing is compared, also where it was begun before', async () => {
  await record('The mill closed in 1931.');
  const item = await itemOf(person(0));
  const { wiki, page } = aFinding;
  await addOptOut(served.db, { wiki, page, userId: person(0), comment: null });
  await expect(getItem(served.db, item, person(1))).rejects.toMatchObject({ code: 'not_found' });
  await expect(judge(served.db, item, person(0), ALIKE)).rejects.toMatchObject({ code: 'not_found' });
  expect(await nextItem(served.db, person(1))).toBeNull();
  await removeOptOut(served.db, wiki, page.id);
  expect(await itemOf(person(1))).toBe(item);
});

test('the file of all judgements says nothing of who judged', async () => {
  await record('The mill closed in 1931.');
  const item = await itemOf(person(0));
  await judge(served.db, item, person(0), ALIKE);
  await judge(served.db, item, person(3), ALIKE);
  const lines = (await (await fetch(`${served.origin}/compare/results.csv`)).text()).trim().split('\n');
  expect(lines.map((line) => line.split(',')[1])).toEqual(['judge', '1', '2']);
});

test('an item stays what it was when its finding is judged anew', async () => {
  const [finding] = await record('The mill closed in 1931.');
  const item = await itemOf(person(0));
  await served.findings.record({ ...(finding as Finding), revision: 99, suggestion: null });
  expect((await getItem(served.db, item, person(1))).passages.suggested.quote).toBe('The mill shut in 1931.');
});

describeWith(['chromium'], 'in the browser', () => {
  let browser: BrowserContext;
  beforeAll(async () => {
    browser = await launchChromium();
    browser.setDefaultTimeout(10_000);
  });
  afterAll(() => browser.close());

  test('a person judges pairs until there is none left, and sees the results', async () => {
    await record('The mill closed in 1931.', '<img src=x onerror="window.hit = 1"> burned.');
    await browser.addCookies((await served.signIn('Ada')).cookies);
    const page = await browser.newPage();
    await page.goto(`${served.origin}/compare`);
    expect(await seriousIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Judge a pair' }).click();
    for (const last of [false, true]) {
      await page.getByRole('heading', { name: 'Passage 1' }).waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(/better\.example|orrin\.example|cited|suggest/i);
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('group', { name: 'evidence' }).first().getByLabel('Enough').check();
      await page.getByRole('group', { name: 'evidence' }).last().getByLabel('None').check();
      await page.getByRole('radio', { name: 'Passage 1' }).check();
      await page.getByRole('button', { name: 'Save and go on' }).click();
      if (last) await page.getByText('You have judged every pair').waitFor();
    }
    await page.getByRole('link', { name: 'Results so far' }).click();
    await page.getByText('2 judgements of 2 pairs by 1 person').waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await seriousIn(page)).toEqual([]);
  });

  test('who is not signed in may read what it is, and judges nothing', async () => {
    await record('The mill closed in 1931.');
    const item = await itemOf(person(0));
    expect((await fetch(`${served.origin}/compare`)).status).toBe(200);
    expect((await fetch(`${served.origin}/compare/${item}`)).status).toBe(401);
    const body = new URLSearchParams(ALIKE);
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await fetch(`${served.origin}/compare/${item}`, { method: 'POST', body, headers })).status).toBe(401);
    expect(await blindJudgements(served.db)).toEqual([]);
  });
});

function comparable(text: string): Finding {
  const evidence = { quote: 'in March 1934', url: 'https://orrin.example/mill', title: 'The mill', start: 9, end: 22 };
  const finding = searched(failing('not_supported'));
  return {
    ...findingOf(text, finding),
    claim: findingOf(text).claim,
    evidence: { ...evidence, passage: 'It shut in March 1934.' },
  };
}

async function record(...texts: string[]): Promise<Finding[]> {
  const findings = texts.map(comparable);
  for (const finding of findings) await served.findings.record(finding);
  return findings;
}

async function itemOf(userId: number): Promise<number> {
  const item = await nextItem(served.db, userId);
  if (item === null) throw new Error('there is no pair left');
  return item;
}

function person(at: number): number {
  const id = people[at];
  if (id === undefined) throw new Error(`nobody is number ${at}`);
  return id;
}
