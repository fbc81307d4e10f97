import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFound } from '../../../deploy/commands/find-columns.ts';
import type { Found, Row } from '../../../shared/found.ts';
import { refusalOf } from '../../support/command.ts';

const claim = 'The Corran suspension bridge opened on 4 June 1938.';

const supporting: Row = {
  url: 'https://bridges.example/the-history-of-bridges-in-the-west/corran-suspension-bridge.html',
  title: 'Corran suspension bridge',
  domain: 'bridges.example',
  quote: 'The Corran suspension bridge was opened to traffic on 4 June 1938.',
  ...{ start: 0, end: 66 },
  passage: 'The Corran suspension bridge was opened to traffic on 4 June 1938.',
  support: 0.81,
  found: [
    { kind: 'name', text: 'Corran', start: 4, end: 10 },
    { kind: 'date', text: '4 June 1938', start: 39, end: 50 },
  ],
  ...{ absent: [], mismatches: [], publishedAt: '2019-05-06', crawledAt: '2026-01-02T03:04:05.000Z' },
};
const page = { quote: 'It opened on 4 June 1941.', url: 'https://annals.example', title: 'Annals', start: 0, end: 25 };
const refuting: Row = {
  ...supporting,
  ...{ url: 'https://annals.example/corran', title: 'Annals of Corran', domain: 'annals.example', publishedAt: null },
  mismatches: [{ code: 'date', claim: { start: 39, end: 50 }, page }],
  found: supporting.found.slice(0, 1),
  absent: supporting.found.slice(1),
};
const found: Found = {
  claim,
  verdict: 'disputed',
  ...{ supports: [supporting], refutes: [refuting], other: [], noWordKnown: false, generation: 'first' },
  searched: { shardsAsked: 3, shardsAnswered: 2, missing: ['retrieval-dense-1'] },
};

function linesOf(of: Found, width: number): string[] {
  return describeFound(of, width).split('\n');
}

test.each([80, 120, 48])('on a terminal of %i characters no line of the columns is longer', (width) => {
  const drawn = linesOf(found, width).filter((line) => /^[│┌├└]/.test(line));
  expect(drawn.length).toBeGreaterThan(8);
  expect(Math.max(...drawn.map((line) => line.length))).toBeLessThanOrEqual(width);
});

test('the columns stand side by side where there is room, else one under the other', () => {
  expect(linesOf(found, 80).filter((line) => /Supports.*Refutes.*Other/.test(line))).toHaveLength(1);
  const heads = linesOf(found, 48).filter((line) => /Supports|Refutes|Other/.test(line));
  expect(heads.map((line) => line.replace(/[│ ]/g, ''))).toEqual(['Supports(1)', 'Refutes(1)', 'Other(0)']);
});

test('verdict, coverage, what differs, dates and addresses are told', () => {
  const text = describeFound(found, 200).replace(/ *\n[│ ]*/g, ' ');
  expect(text).toContain('Disputed: some pages support it, others say otherwise.');
  expect(text).toContain('Corpus first: 2 of 3 index parts answered; no answer from retrieval-dense-1.');
  expect(text).toContain('✓ 4 June 1938');
  expect(text).toContain('✗ date:');
  expect(text).toContain('published 2019-05-06');
  expect(text).toContain('read 2026-01-02');
  expect(text).toContain(`S1 ${supporting.url}`);
});

test('not searched is never told as nothing found', () => {
  const nothing = { ...found, supports: [], refutes: [], verdict: 'not_searched' as const };
  const text = describeFound({ ...nothing, searched: { shardsAsked: 2, shardsAnswered: 0, missing: [] } }, 80);
  expect(text).toContain('Not searched');
  expect(text).not.toContain('Not enough evidence');
});

test('a page can not move the cursor', () => {
  const hostile = { ...supporting, title: 'Bridge\u001b[2J\u0007', quote: 'It opened.\r\u009b31m' };
  const text = describeFound({ ...found, supports: [hostile] }, 80);
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

describe('the command', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-find-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each([
    [
      'without a corpus it says how to get one',
      claim,
      /^sidelight: not searched: there is no corpus yet.*corpus build/,
    ],
    ['a claim of 10,000 words is refused', 'mill '.repeat(10_000), /10000 words.*one claim at a time/],
    ['an empty claim is refused', ' … ', /--claim: is empty/],
  ])('%s', async (_, text, said) => {
    expect(await refusalOf(['find', '--claim', text], { DATA_DIR: folder })).toMatch(said);
  });

  test('an unknown generation is named', async () => {
    const refusal = await refusalOf(['find', '--claim', claim, '--generation', 'none'], { DATA_DIR: folder });
    expect(refusal).toMatch(/no generation none/);
  });
});
