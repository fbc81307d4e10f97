import { openJudgements, rememberJudgements } from '../../../workers/verification/judgements.ts';
import type { Page } from '../../../workers/verification/passages.ts';
import { type ClaimText, loadVerifier, type Verifier } from '../../../workers/verification/verifier.ts';

const verifier = await loadVerifier('workers/models');
const claim: ClaimText = {
  text: 'The Hallin ropeway was opened on 4 June 1912.',
  title: 'Hallin Ropeway',
  section: [],
  context: '',
};
const page = { url: 'https://example.org/', title: 'Ropeway', text: 'The ropeway at Hallin opened on 4 June 1912.' };

let judgements: ReturnType<typeof openJudgements>;
let asked: number;
let remembering: Verifier;
beforeEach(() => {
  judgements = openJudgements(':memory:', 3);
  asked = 0;
  const counting: Verifier = {
    ...verifier,
    verify(...question) {
      asked += 1;
      return verifier.verify(...question);
    },
  };
  remembering = rememberJudgements(counting, judgements);
});
afterEach(() => judgements.close());

test('the same claim and page are judged once, and the answer is the same', async () => {
  const first = await remembering.verify(claim, [page]);
  expect(await remembering.verify(claim, [page])).toEqual(first);
  expect(asked).toBe(1);
});

test.each<[string, ClaimText, Page]>([
  ['a reworded claim', { ...claim, text: 'The Hallin ropeway was opened on 5 June 1912.' }, page],
  ['other words before it', { ...claim, context: 'A cableway followed.' }, page],
  ['a page that was edited', claim, { ...page, text: `${page.text} It closed in 1958.` }],
  ['the same text at another address', claim, { ...page, url: 'https://b.example/' }],
  ['the same text in pages', claim, { ...page, pages: [{ start: 0, label: 'iv' }] }],
])('%s is judged anew', async (_, otherClaim, otherPage) => {
  await remembering.verify(claim, [page]);
  await remembering.verify(otherClaim, [otherPage]);
  expect(asked).toBe(2);
});

test('the same text is judged anew where other pages of it are cited', async () => {
  const paged = {
    ...page,
    pages: [
      { start: 0, label: '1' },
      { start: 20, label: '2' },
    ],
  };
  await remembering.verify(claim, [{ ...paged, cited: [{ start: 0, end: 20 }] }]);
  await remembering.verify(claim, [{ ...paged, cited: [{ start: 20, end: 44 }] }]);
  expect(asked).toBe(2);
});

test('another version of the model judges for itself', async () => {
  await remembering.verify(claim, [page]);
  let askedAnother = 0;
  const another: Verifier = {
    ...verifier,
    version: 'another',
    verify(...question) {
      askedAnother += 1;
      return verifier.verify(...question);
    },
  };
  await rememberJudgements(another, judgements).verify(claim, [page]);
  expect(askedAnother).toBe(1);
});

test('the oldest are forgotten when there are too many', async () => {
  for (const year of [1911, 1912, 1913, 1914]) {
    await remembering.verify({ ...claim, text: `The ropeway was opened in ${year}.` }, [page]);
  }
  await remembering.verify({ ...claim, text: 'The ropeway was opened in 1914.' }, [page]);
  expect(asked).toBe(4);
  await remembering.verify({ ...claim, text: 'The ropeway was opened in 1911.' }, [page]);
  expect(asked).toBe(5);
});
