import { findStances, isInvolved } from '../../../../workers/verification/checks/polarity.ts';
import { readSentence } from '../../../../workers/verification/checks/reading.ts';

/** `-word` where it is reversed. */
function stances(text: string): string[] {
  return findStances(readSentence(text))
    .filter(({ paired, reversed }) => paired || reversed)
    .map(({ start, end, reversed }) => `${reversed ? '-' : '+'}${text.slice(start, end)}`);
}

describe('a word is reversed', () => {
  test.each([
    ['Anna never left the island.', ['-never left']],
    ["The ferry doesn't carry goats.", ["-doesn't carry"]],
    ['The ferry no longer carries goats.', ['-no longer carries']],
    ['The union refused to sign it.', ['-refused to sign']],
    ['Boys were barred from singing.', ['-barred from singing']],
    ['Corin climbed without oxygen.', ['-without oxygen']],
    ['Goats are not sold or shorn.', ['-not sold', '-not sold or shorn']],
    ['The inn is closed.', ['-closed']],
    ['They voted against it.', ['-against']],
  ])('%s', (text, expected) => {
    expect(stances(text)).toEqual(expected);
  });
});

describe('a word is not', () => {
  test.each([
    ['Norvik did not fail to qualify.', []],
    ['The inn is not closed.', ['+not closed']],
    ['They voted in favour of it.', ['+in favour']],
    ['It was not there, goats grazed.', []],
  ])('%s', (text, expected) => {
    expect(stances(text)).toEqual(expected);
  });
});

test.each(['It opened not until 1912.', 'No fewer than six came.', 'If it rains, goats hide.', 'Do goats hide?'])(
  'what %s says is left alone',
  (text) => {
    expect(isInvolved(text, { start: 4, end: 8 })).toBe(true);
  },
);
