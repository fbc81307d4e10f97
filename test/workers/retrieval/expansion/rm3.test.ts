import { createFeedbackExpander, expandByFeedback } from '../../../../workers/retrieval/expansion/rm3.ts';
import { aClaim } from '../../../support/examples.ts';

const NEVER = new AbortController().signal;

/** P(passage | query) is 3/4 and 1/4; of the first's three words two are "toll", of the second's four one. */
const passages = [
  { title: '', text: 'The ferry: toll, toll.', score: 3 },
  { title: 'Bridge', text: 'Toll on pier, pier', score: 1 },
];
const words = ['ferry', 'bridge'];

test('terms share 1 − λ of the query in proportion to how likely the passages make them', () => {
  // toll 3/4·2/3 + 1/4·1/4 = .5625, ferry 3/4·1/3 = .25, pier 1/4·2/4 = .125; these three are .9375 together
  const found = expandByFeedback(words, passages, { passages: 10, terms: 3, original: 0.5 });
  expect(found.map(({ word }) => word)).toEqual(['toll', 'ferry', 'pier']);
  for (const [at, share] of [0.5625, 0.25, 0.125].entries()) {
    expect(found[at]?.weight).toBeCloseTo((share / 0.9375) * 2, 10);
  }
});

test('the more the claim itself counts, the less its passages add', () => {
  const [best] = expandByFeedback(words, passages, { passages: 10, terms: 3, original: 0.8 });
  expect(best?.weight).toBeCloseTo((0.5625 / 0.9375) * 2 * (0.2 / 0.8), 10);
});

test('forms of one stem are one term: the form of the claim, else the most frequent', () => {
  const text = 'Ferries paid tolls; a toll for ferries, tolls for carts.';
  const found = expandByFeedback(['ferry'], [{ title: '', text, score: 1 }], { passages: 1, terms: 2, original: 0.5 });
  expect(found.map(({ word }) => word)).toEqual(['tolls', 'ferry']);
});

test.each([
  ['no passages', []],
  ['passages without a word', [{ title: '', text: '… — !', score: 2 }]],
])('%s add nothing', (_, none) => {
  expect(expandByFeedback(words, none, { passages: 10, terms: 10, original: 0.5 })).toEqual([]);
});

test('a claim without a word is not searched for', async () => {
  const feedback = async () => {
    throw new Error('it was searched for');
  };
  expect(await createFeedbackExpander().expand({ claim: aClaim, words: [], feedback }, NEVER)).toEqual([]);
});
