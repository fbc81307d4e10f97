import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Kysely } from 'kysely';
import { exportFeedbackTo } from '../../../deploy/commands/export-feedback.ts';
import type { Finding, Verdict } from '../../../shared/citation.ts';
import { type Config, parseConfig } from '../../../shared/config.ts';
import { hashText } from '../../../shared/hash.ts';
import { measureAgreement } from '../../../workers/evaluation/agreement.ts';
import { readPairs } from '../../../workers/evaluation/pairs.ts';
import { openReviewDatabase, type Schema } from '../../../workers/review/database.ts';
import type { DecisionRequest } from '../../../workers/review/decide.ts';
import { createDecisions, type Decisions } from '../../../workers/review/decisions.ts';
import { labelOfDecision } from '../../../workers/review/export-labels.ts';
import type { Person } from '../../../workers/review/leases.ts';
import { record } from '../../../workers/review/record.ts';
import { openSourceStore, type SourceStore } from '../../../workers/source/store.ts';
import { aFinding } from '../../support/examples.ts';
import { aPerson, citing, findingOf } from './store.ts';

const TEXT = 'The mill at Orrin Bay was shut in 1934.\nWages fell.';
let config: Config;
let db: Kysely<Schema>;
let sources: SourceStore;
let decisions: Decisions;
let ada: Person;
let ben: Person;
let stderr: string;
beforeEach(async () => {
  config = parseConfig({ DATA_DIR: await mkdtemp(join(tmpdir(), 'export-')) });
  db = await openReviewDatabase(config.databases.review);
  sources = await openSourceStore(config.databases.sources);
  decisions = createDecisions(db, { keepTexts: sources.texts.keep });
  [ada, ben] = [await aPerson(db, 'Ada Lovage'), await aPerson(db, 'Ben Thrift')];
  stderr = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await db.destroy();
  await sources.close();
  await rm(config.dataDir, { recursive: true });
});

/** The page of the example citation, as it was read. */
async function put(text: string, url = 'https://orrin.example/mill'): Promise<void> {
  const at = { fetchedAt: new Date().toISOString(), archivedAt: null, language: 'en' };
  const page = { url, finalUrl: url, title: 'The mill', text, contentHash: hashText(text), type: 'html' } as const;
  await sources.put({ kind: 'readable', ...page, ...at });
}

function on(text: string, finding: Finding): Finding {
  return { ...finding, citations: finding.citations.map((one) => ({ ...one, contentHash: hashText(text) })) };
}

async function decide(finding: Finding, request: DecisionRequest, person = ada): Promise<number> {
  await record(db, finding);
  const { id } = await db.selectFrom('findings').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  await decisions.take(id, person);
  await decisions.decide(id, request, person);
  return id;
}

async function exported(format: 'pairs' | 'judgements' | 'decisions' = 'pairs', since?: string) {
  const out = join(config.dataDir, 'feedback.jsonl');
  stderr = '';
  await exportFeedbackTo(config, { format, out, ...(since !== undefined && { since }) });
  const text = await readFile(out, 'utf8');
  return {
    out,
    text,
    lines: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

async function pairsOf(out: string) {
  const pairs = [];
  for await (const pair of readPairs(out)) pairs.push(pair);
  return pairs;
}

test('decisions are pairs that the evaluation reads: claim, the text that was judged, label, and who by a pseudonym', async () => {
  await put(TEXT);
  await decide(on(TEXT, aFinding), { decision: 'accept', reason: 'source_disagrees' });
  await decide(on(TEXT, findingOf('The mill was at Orrin Bay.', { score: 0.4 })), { decision: 'reject' }, ben);
  await decide(on(TEXT, findingOf('It shut, and wages rose.')), { decision: 'accept', reason: 'partly' });
  const { out, text, lines } = await exported();
  const pairs = await pairsOf(out);
  expect(pairs.map(({ label, kind }) => [label, kind])).toEqual([
    ['not_supported', 'source_disagrees'],
    ['supported', 'not_supported'],
    ['partially_supported', 'partly'],
  ]);
  expect(pairs[0]).toMatchObject({
    claim: { text: aFinding.claim.text, title: 'Orrin Bay', section: ['History'], context: 'It was built of stone.' },
    sources: [{ url: 'https://orrin.example/mill', title: 'The mill', text: TEXT }],
    article: 'wiki.example:8143 Orrin Bay',
  });
  expect(lines.map(({ by }) => by === lines[0]?.by)).toEqual([true, false, true]);
  expect(lines[1]).toMatchObject({ model: 'test-1', score: 0.4, at: expect.stringMatching(/Z$/) });
  expect(text).not.toMatch(/Ada|Lovage|Ben|Thrift/);
  expect((await exported()).text).toBe(text);
  expect(stderr).toBe('3 pairs written\n');
});

test('a text that was decided on is kept, whatever its page shows since', async () => {
  await put(TEXT);
  await decide(on(TEXT, aFinding), { decision: 'accept' });
  await put('It is another page now.');
  const [pair] = await pairsOf((await exported()).out);
  expect(pair?.sources[0]?.text).toBe(TEXT);
});

test('what has no label or no text is left out, and counted by why', async () => {
  await put(TEXT);
  const read = (claim: string, changes: Partial<Finding> = {}) => on(TEXT, findingOf(claim, changes));
  await decide(read('Skipped.'), { decision: 'skip' });
  await decide(read('Not told.'), { decision: 'cant_tell' });
  await decide(read('Reworded.'), { decision: 'reject', reason: 'claim_reworded' });
  await decide(read('Unread.', { verdict: 'unavailable', score: null }), { decision: 'accept' });
  await decide(read('Fails in part or whole.', { verdict: 'supported' }), { decision: 'reject' });
  await decide(on('A text that was never stored.', findingOf('Gone.')), { decision: 'accept' });
  await decisions.undo(await decide(read('A slip.'), { decision: 'accept' }), ada);
  const given = read('Given.');
  await decide(
    { ...given, citations: given.citations.map((one) => ({ ...one, given: true })) },
    { decision: 'accept' },
  );
  const old = await decide(read('Of a version that kept less.'), { decision: 'accept' });
  await db.updateTable('decisions').set({ judged: null, user_id: null }).where('finding_id', '=', old).execute();
  expect((await exported()).lines).toEqual([]);
  expect(stderr.split('\n').map((line) => line.trim())).toEqual([
    '0 pairs written; left out:',
    'given_text 1',
    'label_unclear 1',
    'not_about_a_text 1',
    'not_judged 1',
    'not_kept 1',
    'text_gone 1',
    'undecided 2',
    'undone 1',
    '',
  ]);
});

test('of citations that were judged together all texts are there, and an unread one is not', async () => {
  await put(TEXT);
  await put('Another page.', 'https://other.example/');
  const other = on('Another page.', citing(aFinding, 'https://other.example/'));
  const dead = citing(aFinding, 'https://dead.example/').citations.map((one) => ({
    ...one,
    score: null,
    reason: 'dead' as const,
  }));
  const citations = [...on(TEXT, aFinding).citations, ...other.citations, ...dead];
  await decide({ ...aFinding, citations }, { decision: 'accept' });
  const [pair] = await pairsOf((await exported()).out);
  expect(pair?.sources.map(({ text }) => text)).toEqual([TEXT, 'Another page.']);
});

test('an answer to "correct label?" is a pair of the sentence and the passage; one to "relevant?" is none', async () => {
  const row = {
    ...{
      url: 'https://bay.example/',
      title: 'The bay',
      domain: 'bay.example',
      quote: 'It shut in 1931.',
      start: 0,
      end: 16,
    },
    ...{
      passage: 'It shut in 1931.',
      support: 0.9,
      found: [],
      absent: [],
      mismatches: [],
      publishedAt: null,
      crawledAt: null,
    },
  };
  const id = 'check_1';
  const check = {
    id,
    kind: 'sentence',
    wiki: aFinding.wiki,
    claim: 'The mill shut in 1931.',
    subject: 'x',
    state: 'done',
  } as const;
  await db
    .insertInto('checks')
    .values({ ...check, ...NOTHING, created_at: '2026-03-01T00:00:00.000Z' })
    .execute();
  const answers = [
    ['supports', 'label', 'yes'],
    ['other', 'label', 'no'],
    ['refutes', 'label', 'yes'],
    ['supports', 'relevance', 'yes'],
  ] as const;
  for (const [column, question, answer] of answers) {
    const said = {
      check_id: id,
      user_id: ada.id,
      url: row.url,
      question,
      answer,
      created_at: '2026-03-02T00:00:00.000Z',
    };
    await db
      .insertInto('feedback')
      .values({ ...said, row: JSON.stringify({ column, ...row }) })
      .execute();
  }
  const pairs = await pairsOf((await exported()).out);
  expect(pairs).toMatchObject([
    { claim: { text: check.claim }, sources: [{ text: row.passage }], label: 'supported', kind: 'check_supports' },
    { label: 'not_supported', kind: 'check_refutes' },
  ]);
  expect(stderr).toContain('label_unclear 1');
  expect(stderr).toContain('relevance 1');
});

const NOTHING = {
  page_id: null,
  page_title: null,
  revision: null,
  reason: null,
  claims: null,
  found: null,
  finished_at: null,
};

test('blind judgements are read by `evaluate agreement`', async () => {
  await record(db, aFinding);
  const item = { finding_id: 1, finding: JSON.stringify(aFinding), created_at: '2026-03-01T00:00:00.000Z' };
  await db.insertInto('blind_items').values(item).execute();
  for (const person of [ada, ben]) {
    const said = { first: 'cited', cited: 'none', suggested: 'enough', preferred: 'suggested' } as const;
    const at = { item_id: 1, user_id: person.id, created_at: `2026-03-0${person.id}T00:00:00.000Z` };
    await db
      .insertInto('blind_judgements')
      .values({ ...at, ...said })
      .execute();
  }
  expect(await measureAgreement((await exported('judgements')).out)).toMatchObject({
    items: 1,
    judges: 2,
    judgements: 2,
  });
  expect((await exported('judgements', '2026-03-02')).lines).toHaveLength(1);
});

test('decisions are exported as they are, with those that were undone; since a date only the later ones', async () => {
  await put(TEXT);
  await decisions.undo(await decide(on(TEXT, aFinding), { decision: 'accept', comment: 'Line 1.' }), ada);
  await decide(on(TEXT, findingOf('It is deep.')), { decision: 'skip' });
  const { lines } = await exported('decisions');
  expect(lines).toMatchObject([
    { decision: 'accept', comment: 'Line 1.', verdict: 'not_supported', score: 0.2, undone_at: expect.any(String) },
    { decision: 'skip', undone_at: null, claim: { text: 'It is deep.' }, page: { id: 7, title: 'Orrin Bay' } },
  ]);
  await db.updateTable('decisions').set({ created_at: '2026-01-05T10:00:00.000Z' }).where('id', '=', 1).execute();
  expect((await exported('decisions', '2026-01-05')).lines).toHaveLength(2);
  expect((await exported('decisions', '2026-01-06T00:00:00+02:00')).lines).toHaveLength(1);
});

test('what is no date, and a file that can’t be written, is said; the file of before stays', async () => {
  await expect(exportFeedbackTo(config, { format: 'pairs', since: 'last week' })).rejects.toMatchObject({
    code: 'no_date',
  });
  const out = join(config.dataDir, 'nowhere', 'feedback.jsonl');
  await expect(exportFeedbackTo(config, { format: 'pairs', out })).rejects.toMatchObject({ code: 'not_writable' });
  await writeFile(join(config.dataDir, 'feedback.jsonl'), 'before');
  await db
    .insertInto('feedback')
    .values(BROKEN(await aCheck()))
    .execute();
  await expect(exported()).rejects.toThrow();
  expect(await readFile(join(config.dataDir, 'feedback.jsonl'), 'utf8')).toBe('before');
  expect((await readdir(config.dataDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

async function aCheck(): Promise<string> {
  const check = {
    id: 'check_2',
    kind: 'sentence',
    wiki: aFinding.wiki,
    claim: 'It shut.',
    subject: 'x',
    state: 'done',
  } as const;
  await db
    .insertInto('checks')
    .values({ ...check, ...NOTHING, created_at: '2026-03-01T00:00:00.000Z' })
    .execute();
  return check.id;
}

/** A row that no version wrote. */
const BROKEN = (id: string) =>
  ({ check_id: id, user_id: 1, url: 'x', question: 'label', answer: 'yes', row: '{}', created_at: '2026' }) as const;

test.each<[Parameters<typeof labelOfDecision>, string | null]>([
  [['accept', 'contradicted', null], 'not_supported'],
  [['accept', 'partially_supported', null], 'partially_supported'],
  [['accept', 'partially_supported', 'source_silent'], 'not_supported'],
  [['accept', 'supported', null], 'supported'],
  [['reject', 'supported', 'partly'], 'partially_supported'],
  [['reject', 'supported', null], null],
  [['reject', 'partially_supported', null], 'supported'],
  [['reject', 'not_supported', 'source_unreadable'], null],
])('%j is labelled %s', (said, label) => {
  expect(labelOfDecision(...said)).toEqual(label === null ? { leftOut: expect.any(String) } : { label });
});

test('no decision on a verdict that says nothing of a text has a label', () => {
  const verdicts: Verdict[] = ['uncheckable', 'unavailable', 'unsourced', 'unsupported_language'];
  for (const verdict of verdicts)
    expect(labelOfDecision('accept', verdict, null)).toEqual({ leftOut: 'not_about_a_text' });
});
