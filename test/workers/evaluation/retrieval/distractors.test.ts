import { makeDistractors } from '../../../../workers/evaluation/retrieval/distractors.ts';
import { nearestPages } from '../../../../workers/evaluation/retrieval/nearest-pages.ts';
import { takeApart } from '../../../../workers/evaluation/retrieval/retell.ts';
import { splitSentences } from '../../../../workers/verification/passages.ts';

const page = (url: string, text: string) => ({ url, title: '', text });
const PAGES = [
  page(
    'https://orrin.example/mill',
    'The stone mill at Orrin Bay was built by Tobias Reck in 1844. Reck sold the mill to Ada Brenk in May 1902 for 1,850 pounds. He kept two horses.',
  ),
  page(
    'https://tarn.example/mill',
    'The paper mill at Tarn Head was built by Silas Moor in 1791. Moor left the mill to Jon Veck in June 1833 for 2,400 pounds. It had three wheels.',
  ),
  page(
    'https://lund.example/choir',
    'The choir of Lund was founded by Edda Falk in 1966. Falk led the choir until March 1999. It sings every week.',
  ),
];
const sentencesOf = ({ text }: { text: string }) =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

test('a distractor has the words of a page and none of its names, years and numbers in their place', () => {
  const [first] = makeDistractors(PAGES.slice(0, 2), 1);
  expect(first?.text).toMatch(/The stone mill at \w+ \w+ was built by \w+ \w+ in \d{4}\./);
  for (const fact of ['stone mill at Orrin', 'paper mill at Tarn', 'Reck in 1844', 'Moor in 1791']) {
    expect(first?.text).not.toContain(fact);
  }
});

test('no sentence of a page stands in any distractor', () => {
  const said = new Set(PAGES.flatMap(sentencesOf));
  const made = [...makeDistractors(PAGES, 60)];
  expect(made.reduce((sum, { passages }) => sum + passages, 0)).toBeGreaterThanOrEqual(60);
  expect(made.flatMap(sentencesOf).filter((sentence) => said.has(sentence))).toEqual([]);
});

test('a sentence that only says "he" or "it" is left out', () => {
  const texts = [...makeDistractors(PAGES, 30)].map(({ text }) => text).join('\n');
  expect(texts).not.toMatch(/horses|wheels|sings/);
});

test('the same seed gives the same distractors, another one others', () => {
  const textsOf = (seed: number) => [...makeDistractors(PAGES, 20, seed)].map(({ text }) => text);
  expect(textsOf(3)).toEqual(textsOf(3));
  expect(textsOf(3)).not.toEqual(textsOf(4));
});

test('one page, or pages without a detail, make no distractors', () => {
  expect([...makeDistractors(PAGES.slice(0, 1), 10)]).toEqual([]);
  expect([
    ...makeDistractors([page('https://a.example', 'so it goes'), page('https://b.example', 'and on')], 10),
  ]).toEqual([]);
});

test('the nearest page is the one with the same rare words', () => {
  expect(nearestPages(PAGES, 1).slice(0, 2)).toEqual([[1], [0]]);
});

test('details are known by their shape, and the parts make the sentence', () => {
  const sentence = 'In May 1902 Ada Brenk paid 1,850 pounds for two mills.';
  const parts = takeApart(sentence);
  expect(parts.map(({ text }) => text).join('')).toBe(sentence);
  expect(parts.filter(({ kind }) => kind !== null).map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    ...['May month', '1902 year', 'Ada name', 'Brenk name', '1,850 number', 'two count'],
  ]);
});
