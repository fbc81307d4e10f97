import { splitPassages, splitSentences } from '../../../workers/verification/passages.ts';

const page = (text: string) => ({ url: 'https://example.org/', title: 'A page', text });
const sentences = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

test('sentences end at full stops and at the end of a block, not at abbreviations', () => {
  expect(sentences('Dr. Ames came at 3.5 km. He left\nA heading\n\n  Last one. ')).toEqual([
    'Dr. Ames came at 3.5 km.',
    'He left',
    'A heading',
    'Last one.',
  ]);
});

test('offsets hold behind characters outside of the basic plane', () => {
  expect(sentences('The sign 𝒳 is odd. Then 🚂 came. End.')).toEqual(['The sign 𝒳 is odd.', 'Then 🚂 came.', 'End.']);
});

test('a table row is one sentence', () => {
  const row = 'Season: 1931. Spring; Club: St. Ives; Points: 14. Won.';
  expect(sentences(`Before.\n${row}\nAfter.`)).toEqual(['Before.', row, 'After.']);
});

test('passages have up to a hundred words, stand in the text and lose none of it', () => {
  const text = Array.from({ length: 90 }, (_, at) => `Sentence number ${at} says little.`).join(' ');
  const passages = splitPassages(page(text));
  expect(passages.every(({ text: quote, start, end }) => text.slice(start, end) === quote)).toBe(true);
  expect(Math.max(...passages.map((passage) => passage.text.split(' ').length))).toBe(100);
  expect(passages.map((passage) => passage.text).join(' ')).toBe(text);
});

test('a text without sentences is cut between words', () => {
  const text = 'word '.repeat(1000);
  expect(splitPassages(page(text))).toHaveLength(10);
  expect(sentences(text).every((sentence) => sentence.split(' ').length <= 50)).toBe(true);
});

test('white space has no passages', () => {
  expect(splitPassages(page(' \n\t\n '))).toEqual([]);
});

test('of an endless page the first two thousand passages are kept', () => {
  expect(splitPassages(page('This block has eight words in it, truly.\n'.repeat(40_000)))).toHaveLength(2000);
});
