import { scoreBaselines, urlDepth } from '../../../workers/evaluation/baselines.ts';
import { LabelledPair } from '../../../workers/evaluation/pairs.ts';
import { loadEncoder } from '../../../workers/verification/encoder.ts';

const encoder = await loadEncoder('workers/models');

const PAGE = 'Ada Orlov ran the ferry at Brenn until 1921. It carried cattle and mail.';
const pairOf = (text: string, ...sources: { url: string; text: string }[]) =>
  LabelledPair.parse({ id: text, claim: { text }, sources, label: 'supported' });

test('of several sources the length is that of all, the rest that of the best', async () => {
  const shallow = { url: 'https://brenn.example/', text: 'Tickets are sold at the pier.' };
  const deep = { url: 'https://brenn.example/history/ferry.html', text: PAGE };
  const scores = await scoreBaselines(encoder, pairOf('The ferry at Brenn carried cattle.', shallow, deep));
  expect(scores).toMatchObject({ document_length: 20, url_depth: 2, lexical: 1 });
  expect(scores.cosine).toBeGreaterThan(0.5);
});

test('a page about something else has less of the claim, in words and in meaning', async () => {
  const claim = 'The ferry at Brenn carried cattle.';
  const own = await scoreBaselines(encoder, pairOf(claim, { url: 'x', text: PAGE }));
  const other = await scoreBaselines(encoder, pairOf(claim, { url: 'x', text: 'Quarks come in six flavours.' }));
  expect(other.lexical).toBe(0);
  expect(other.cosine).toBeLessThan(own.cosine - 0.3);
});

test('a source without text has nothing', async () => {
  const scores = await scoreBaselines(encoder, pairOf('The ferry sank.', { url: '', text: '' }));
  expect(scores).toEqual({ document_length: 0, url_depth: 0, lexical: 0, cosine: -1 });
});

test.each([
  ['https://a.example', 0],
  ['https://a.example/', 0],
  ['https://a.example/b/', 1],
  ['https://a.example/b//c?d=/e/f', 2],
  ['no address', 0],
])('the depth of %s is %i', (url, depth) => {
  expect(urlDepth(url)).toBe(depth);
});
