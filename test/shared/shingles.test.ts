import { fingerprint, shareOf } from '../../shared/shingles.ts';

const article = Array.from(
  { length: 60 },
  (_, i) => `In year ${1800 + i} the mill number ${i} ground ${i * 7} sacks of barley.`,
);

test('a text holds all of itself', () => {
  expect(shareOf(fingerprint(article.join(' ')), article.join(' '))).toBe(1);
});

test('case, punctuation and line breaks make no difference', () => {
  expect(shareOf(fingerprint(article.join(' ')), article.join('\n').toUpperCase().replaceAll('.', '!'))).toBe(1);
});

test('a page with half of an article holds about half of it', () => {
  const share = shareOf(fingerprint(article.join(' ')), article.slice(0, 30).join(' '));
  expect(share).toBeGreaterThan(0.3);
  expect(share).toBeLessThan(0.7);
});

test('a page about the same things in other words holds nothing of it', () => {
  expect(
    shareOf(fingerprint(article.join(' ')), 'Barley was ground at the mills for sixty years, more of it each year.'),
  ).toBe(0);
});

test('an article of one sentence has no copies: any source may share its words', () => {
  expect(fingerprint('The mill at Orrin Bay closed in 1931 after a fire.')).toEqual([]);
});
