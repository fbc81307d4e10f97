import type { CorpusPassage } from '../../../../workers/retrieval/corpus/store.ts';
import { openFts5Index } from '../../../../workers/retrieval/sparse/fts5.ts';
import { toWords } from '../../../../workers/retrieval/sparse/query.ts';
import { createSparse } from '../../../../workers/retrieval/sparse/retrieve.ts';
import { aClaim } from '../../../support/examples.ts';
import { aContext } from '../installation.ts';

function aPassage(id: number, title: string, text: string): CorpusPassage {
  const url = `https://pages.example/${id}`;
  return { id, pageId: id, sourceKey: '0123456789abcdef', url, title, text, start: 0, end: text.length };
}

const ferry = aPassage(1, 'The ferry', 'The ferry crossed the sound twice a day until the bridge opened.');
const mill = aPassage(
  2,
  'The mill',
  'Grinding at the mill ended when the weir broke; the miller kept the sound of the wheel.',
);
const bees = aPassage(3, 'Bees of the coast', 'Hives stood behind the mill.');

async function anIndex(...passages: CorpusPassage[]) {
  const index = openFts5Index(':memory:');
  await index.add(passages);
  return index;
}

async function search(text: string, title = '', ...passages: CorpusPassage[]) {
  const index = await anIndex(...(passages.length === 0 ? [ferry, mill, bees] : passages));
  const hits = await index.search(toWords({ text, title }), 10);
  index.close();
  return hits.map((hit) => hit.passageId);
}

test('other forms of a word are found', async () => {
  expect(await search('Two ferries were crossing')).toEqual([1]);
});

test('a word in the title counts more than one in the text', async () => {
  expect((await search('mill')).slice(0, 1)).toEqual([2]);
  expect(await search('bees')).toEqual([3]);
});

test('the title of the article is asked for too', async () => {
  expect(await search('It closed.', 'Ferry')).toEqual([1]);
});

test.each([
  ['a quote', '"mill'],
  ['quotes and operators', 'mill" OR "" AND NOT NEAR("x", 3) {title}: ^ferr* -'],
  ['a column name', 'title:mill text:mill'],
  ['a null character', 'mill\u0000'],
  ['an emoji', 'mill 🐝'],
  ['combining marks', 'mi\u0301ll'],
])('%s in a claim is no syntax', async (_, text) => {
  expect(await search(text)).toContain(2);
});

test.each([
  ['no words', '"*" — ?!'],
  ['only stop words', 'It was the one that there is.'],
  ['only emoji', '🐝🐝'],
  ['nothing', ''],
])('%s finds nothing', async (_, text) => {
  expect(await search(text)).toEqual([]);
});

test('a claim of 10,000 words is searched by its first words', async () => {
  const words = Array.from({ length: 10_000 }, (_, at) => `word${at}`);
  expect(toWords({ text: words.join(' '), title: '' })).toHaveLength(64);
  expect(await search(`mill ${words.join(' ')}`)).toContain(2);
});

test('words that come from elsewhere than a claim are no syntax either', async () => {
  const index = await anIndex(mill);
  expect(await index.search(['mill" OR "x', 'NEAR(', '"'], 10)).toEqual([]);
  index.close();
});

test('a passage added twice is found once, and one removed is not found', async () => {
  const index = await anIndex(ferry, mill);
  await index.add([mill]);
  expect(await index.search(['mill'], 10)).toHaveLength(1);
  await index.remove([mill.id]);
  expect(await index.search(['mill'], 10)).toEqual([]);
  expect(await index.missing([ferry.id, mill.id])).toEqual([mill.id]);
  index.close();
});

test('the stage answers with the best passages first, at most 100', async () => {
  const index = await anIndex(
    ...Array.from({ length: 150 }, (_, at) => aPassage(at, 'Mill', `The mill number ${at}.`)),
  );
  const input = { wiki: 'wiki.example', page: { id: 1, title: 'Orrin Bay' }, revision: 2, claim: aClaim };
  const { answer } = await createSparse({ index })(input, aContext());
  expect(answer.hits).toHaveLength(100);
  expect(answer.hits.map((hit) => hit.score)).toEqual(answer.hits.map((hit) => hit.score).sort((a, b) => b - a));
  index.close();
});
