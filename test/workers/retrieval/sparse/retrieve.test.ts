import { RefuseToStart } from '../../../../shared/errors.ts';
import type { CorpusPassage } from '../../../../workers/retrieval/corpus/store.ts';
import { type Expander, noExpansion } from '../../../../workers/retrieval/expansion/expander.ts';
import { createFeedbackExpander } from '../../../../workers/retrieval/expansion/rm3.ts';
import { openFts5Index } from '../../../../workers/retrieval/sparse/fts5.ts';
import { splitWords, toWords, weigh } from '../../../../workers/retrieval/sparse/query.ts';
import { createSparse, searchSparse } from '../../../../workers/retrieval/sparse/retrieve.ts';
import { aClaim } from '../../../support/examples.ts';

const NOTHING = { sources: [], retrieval: [], coverage: { shardsAsked: 0, shardsAnswered: 0, missing: [] } };
const NEVER = new AbortController().signal;

function aPassage(id: number, title: string, text: string): CorpusPassage {
  const page = { url: `https://pages.example/${id}`, domain: 'pages.example', language: 'en', sourceKey: null };
  const dates = { crawledAt: null, publishedAt: null };
  return { id, pageId: id, ...page, ...dates, title, text, start: 0, end: text.length, position: 0 };
}

const passages = [
  aPassage(1, 'The ferry', 'The ferry crossed the sound twice a day until Tove Marek opened the bridge.'),
  aPassage(2, 'The mill', 'Grinding at the mill ended when the weir broke.'),
  aPassage(3, 'Tove Marek', 'Marek was an engineer. She built bridges and a canal.'),
];

async function search(claim: { text: string; title?: string }, expander: Expander = noExpansion) {
  const index = openFts5Index(':memory:');
  await index.add(passages);
  const corpus = { passages: (ids: number[]) => ids.flatMap((id) => passages.filter((passage) => passage.id === id)) };
  const whole = { title: '', section: [], context: '', ...claim };
  const { hits, shards } = await searchSparse({ index, corpus, expander }, whole, 10, NEVER);
  await index.close();
  expect(shards).toEqual({ asked: 1, answered: 1 });
  return hits.map(({ passageId }) => passageId);
}

const adding = (...words: string[]): Expander => ({
  name: 'generated',
  expand: async () => words.map((word) => ({ word, weight: 0.5 })),
});

test('a claim finds the passages that have its words or those of its article', async () => {
  expect(await search({ text: 'It was shut.', title: 'Mill' })).toEqual([2]);
});

test('words of an expansion find passages that the claim alone does not', async () => {
  expect(await search({ text: 'The mill ended.' })).toEqual([2]);
  expect(await search({ text: 'The mill ended.' }, adding('canal'))).toEqual([2, 3]);
});

test('feedback finds what stands in the passages that the claim found', async () => {
  expect(await search({ text: 'The ferry crossed the sound.' })).toEqual([1]);
  expect(await search({ text: 'The ferry crossed the sound.' }, createFeedbackExpander())).toEqual([1, 3]);
});

test('a host without the texts of the corpus searches all the same, unless an expansion reads them', async () => {
  const index = openFts5Index(':memory:');
  await index.add(passages);
  const open = async () => ({
    index,
    get corpus(): never {
      throw new RefuseToStart('corpus.sqlite is not there');
    },
  });
  const claim = { ...aClaim, text: 'The mill ended.', title: '', context: '', section: [] };
  const job = { wiki: 'wiki.example', claim, generation: 'one' };
  const context = { gathered: NOTHING, signal: NEVER };
  const { answer } = await createSparse({ open, expander: noExpansion })(job, context);
  expect(answer.hits.map(({ passageId }) => passageId)).toEqual([2]);
  await expect(createSparse({ open, expander: createFeedbackExpander() })(job, context)).rejects.toThrow(RefuseToStart);
  await index.close();
});

describe.each([noExpansion, createFeedbackExpander()])('with expansion $name', (expander) => {
  test('a claim of 10,000 words is answered', async () => {
    const text = `mill ${Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(' ')}`;
    expect(await search({ text }, expander)).toContain(2);
  });

  test.each([
    ['no word that the corpus knows', 'Xylophones zigzag quietly.'],
    ['only stop words', 'It was the one that there is.'],
    ['no word', '— ?! 🐝'],
    ['nothing', ''],
  ])('a claim of %s finds nothing, and is answered', async (_, text) => {
    expect(await search({ text }, expander)).toEqual([]);
  });
});

test('an expansion is asked even where the claim has only stop words', async () => {
  expect(await search({ text: 'It was then.' }, adding('weir'))).toEqual([2]);
});

test('a claim is asked for by its first 64 content words, each once', () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `word${at % 5000}`).join(' ');
  expect(toWords({ title: 'The Mill', text })).toEqual(['mill', ...Array.from({ length: 63 }, (_, at) => `word${at}`)]);
});

test('other ways of writing a letter are one word', () => {
  expect(splitWords('Ｍｉｌｌ ﬁre CAFÉ café')).toEqual(['mill', 'fire', 'café', 'café']);
});

test('a word of the claim that an expansion gives too has both weights, and one without weight is left out', () => {
  const added = [
    { word: 'mill', weight: 0.5 },
    { word: 'weir', weight: 0.25 },
    { word: 'none', weight: 0 },
    { word: 'nan', weight: Number.NaN },
  ];
  expect(weigh(['mill', 'bay'], added)).toEqual([
    { word: 'mill', weight: 1.5 },
    { word: 'bay', weight: 1 },
    { word: 'weir', weight: 0.25 },
  ]);
});
