import { whyUncheckable } from '../../../workers/verification/uncheckable.ts';
import { CHECKABLE, UNCHECKABLE } from './uncheckable-claims.ts';

const found = UNCHECKABLE.filter(([, claim]) => whyUncheckable(claim) !== null);

test('a claim that is called uncheckable is, for the reason given', () => {
  const right = found.filter(([reason, claim]) => whyUncheckable(claim) === reason).length;
  const wrong = CHECKABLE.filter((claim) => whyUncheckable(claim) !== null);
  expect(wrong).toEqual([]);
  expect(right / (found.length + wrong.length)).toBeGreaterThanOrEqual(0.95);
});

test('most uncheckable claims of each kind are told', () => {
  for (const reason of ['opinion', 'routine_calculation', 'sky_is_blue'] as const) {
    const of = ([kind]: [string, string]) => kind === reason;
    expect(found.filter(of).length / UNCHECKABLE.filter(of).length).toBeGreaterThanOrEqual(0.8);
  }
});

test('a wrong calculation is to be looked at', () => {
  expect(whyUncheckable('Five miles is about 8.05 kilometres.')).toBe('routine_calculation');
  expect(whyUncheckable('Five miles is about 9 kilometres.')).toBeNull();
  expect(whyUncheckable('Five miles is about 8.05 kilograms.')).toBeNull();
  expect(whyUncheckable('Someone born on 4 May 1910 was 64 years old on 3 May 1974.')).toBeNull();
});

test('a value judgement with its author is a fact', () => {
  expect(whyUncheckable('The bay is the most beautiful place on the island.')).toBe('opinion');
  expect(whyUncheckable('The Courier called the bay the most beautiful place on the island.')).toBeNull();
  expect(whyUncheckable('“The bay is the most beautiful place on the island.”')).toBeNull();
});

test('a sentence that says more than the judgement is checked', () => {
  expect(whyUncheckable('The church is beautiful.')).toBe('opinion');
  expect(whyUncheckable('The church is beautiful, and was built by Anton Brau.')).toBeNull();
  expect(whyUncheckable('The church, beautiful and tall, was built by Anton Brau.')).toBeNull();
});

test.each([
  ['nothing', ''],
  ['white space', ' '],
  ['a number', '1'],
  ['half a sum', '1 + 1'],
  ['a control character', '\u0000'],
  ['a hundred thousand letters', 'a'.repeat(100_000)],
  ['a judgement without end', `The mill is ${'very '.repeat(20_000)}beautiful.`],
])('%s is nothing', (_, text) => {
  expect(whyUncheckable(text)).toBeNull();
});
