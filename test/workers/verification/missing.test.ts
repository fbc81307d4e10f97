import type { Passage } from '../../../shared/citation.ts';
import { findMissing } from '../../../workers/verification/missing.ts';

const TITLE = 'The mill at Varn';
const PAGE = `The paper mill at Varn was built by the engineer Anton Brau. Work began in the spring of 1894 and took two years.
At its height the mill employed 240 people, most of them women from the villages upstream.
A fire destroyed the drying house in March 1931, and the owners never rebuilt it.
Today the building houses a museum of papermaking. It is open from April to October.`;

function passage(text: string, title = TITLE): Passage {
  return { url: 'https://pages.invalid/mill', title, text, start: 0, end: text.length };
}

function missingIn(claim: string, passages = [passage(PAGE)]): string[] {
  return findMissing(claim, passages).map(({ start, end }) => claim.slice(start, end));
}

test('words that the page has are not missing', () => {
  expect(missingIn('The paper mill at Varn was built by the engineer Anton Brau.')).toEqual([]);
});

test('a detail that the page lacks is missing, with its preposition', () => {
  expect(missingIn('The paper mill was built by Anton Brau in Lower Saxony.')).toEqual(['in Lower Saxony']);
  expect(missingIn('A fire destroyed the drying house, insured for 40,000 crowns, in March 1931.')).toEqual([
    'insured for 40,000 crowns',
  ]);
});

test('a number that the page has otherwise is missing', () => {
  expect(missingIn('The mill employed 310 people.').join()).toContain('310');
  expect(missingIn('The mill employed 240 people.').join()).not.toContain('240');
});

test('a day is missing where the page has its month alone', () => {
  expect(missingIn('A fire destroyed the drying house on 14 March 1931.').join()).toContain('14');
});

test('each span is cut from the claim, in its order, apart from the others, and says something', () => {
  const claim = 'Brau, born in Prague, built the mill with his brother Emil, and sold it to a bank in 1906 for 5%.';
  const spans = findMissing(claim, [passage(PAGE)]);
  expect(spans.length).toBeGreaterThan(0);
  for (const [at, { start, end }] of spans.entries()) {
    expect(start).toBeGreaterThan((spans[at - 1]?.end ?? -1) - 1);
    expect(end).toBeLessThanOrEqual(claim.length);
    expect(claim.slice(start, end)).toMatch(/^\S(?:.*\S)?$/);
    expect(claim.slice(start, end)).not.toMatch(/^(?:the|in|of|with|and|his|a)$/i);
  }
});

test('evidence may be spread over passages', () => {
  const [first = '', ...rest] = PAGE.split('\n');
  const spread = [passage(first), passage(rest.join('\n'))];
  expect(missingIn('The mill, built by Anton Brau, employed 240 people.', spread)).toEqual([]);
});

test('without passages the whole claim is missing', () => {
  expect(missingIn('The mill closed in 1931.', [])).toEqual(['The mill closed in 1931']);
});

test.each([
  ['nothing', '', []],
  ['white space', ' \n ', []],
  ['marks without words', '— … !', []],
])('%s has no words to miss', (_, claim, expected) => {
  expect(missingIn(claim)).toEqual(expected);
  expect(missingIn(claim, [])).toEqual(expected);
});

test('a page without words supports none', () => {
  expect(missingIn('The mill burned down.', [passage('—', '')]).join(' ')).toContain('burned');
});

test('text of any script, and control characters, keep their places', () => {
  const claim = 'Мельница\u0000 сгорела 😀 in March 1931.';
  for (const { start, end } of findMissing(claim, [passage(PAGE)])) {
    expect(claim.slice(start, end)).toBe(claim.slice(start, end).trim());
    expect(end).toBeLessThanOrEqual(claim.length);
  }
});
