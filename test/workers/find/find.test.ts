import { Found } from '../../../shared/found.ts';
import { find } from '../../../workers/find/find.ts';
import { openRetrievers } from '../../../workers/find/retrievers.ts';
import { noExpansion } from '../../../workers/retrieval/expansion/expander.ts';
import { createRanker } from '../../../workers/suggestion/rank.ts';
import { loadModels, type Models } from '../../../workers/verification/verifier.ts';
import { openTestGeneration, type TestGeneration } from '../suggestion/generation.ts';

const PAGES = [
  {
    url: 'https://bridges.example/corran',
    title: 'Corran suspension bridge',
    text: 'The Corran suspension bridge was opened to traffic on 4 June 1938.\nIt had cost 90,000 pounds to build.',
  },
  {
    url: 'https://copies.example/bridge?id=7',
    title: 'Corran suspension bridge',
    text: 'The Corran suspension bridge was opened to traffic on 4 June 1938.\nIt had cost 90,000 pounds to build.',
  },
  {
    url: 'https://annals.example/corran',
    title: 'Annals of Corran',
    text: 'The Corran suspension bridge opened to traffic on 4 June 1941.\nThe mayor cut a ribbon.',
  },
  {
    url: 'https://choirs.example/corran',
    title: 'Singing at Corran',
    text: 'The choir of Corran meets in the hall beside the bridge.\nIts concerts are free.',
  },
  {
    url: 'https://lights.example/skarn',
    title: 'Skarn lighthouse',
    text: 'The lighthouse on Skarn Head was first lit on 12 March 1854.\nIts lamp was visible for 18 miles.',
  },
  {
    url: 'https://mills.example/orrin',
    title: 'Orrin mill',
    text: 'The mill at Orrin Bay closed in 1931.\nIts wheel was sold to a museum.',
  },
];

const bridge = 'The Corran suspension bridge opened to traffic on 4 June 1938.';
const lighthouse = 'The lighthouse on Skarn Head was first lit on 12 March 1854.';
const mill = 'The mill at Orrin Bay closed in 1947.';

let models: Models;
let generation: TestGeneration;
beforeAll(async () => {
  models = await loadModels('workers/models');
  generation = openTestGeneration(models.encoder);
  await generation.add(...PAGES);
});
afterAll(() => generation.remove());

const never = new AbortController().signal;

function search(text: string, retrievers = generation.retrievers, signal = never): Promise<Found> {
  const parts = {
    retrievers,
    corpus: generation.corpus,
    ranker: createRanker(models.crossEncoder),
    generation: generation.manifest.generation,
    wiki: 'wiki.example',
    exclusions: { reliability: { standings: () => [] }, allowUserGenerated: false },
  };
  return find({ text, title: '', section: [], context: '' }, parts, signal);
}

function urls(rows: Found['supports']): string[] {
  return rows.map(({ url }) => url);
}

test('a page that supports a claim is found, with a quote that stands in it', async () => {
  const found = Found.parse(await search(lighthouse));
  expect(found).toMatchObject({ claim: lighthouse, verdict: 'supported', refutes: [], noWordKnown: false });
  expect(found.searched).toEqual({ shardsAsked: 2, shardsAnswered: 2, missing: [] });
  const [row] = found.supports;
  expect(row?.url).toBe('https://lights.example/skarn');
  const page = PAGES.find(({ url }) => url === row?.url);
  expect(page?.text.slice(row?.start, row?.end)).toBe(row?.quote);
});

test('a page that gives a detail otherwise refutes it, and the detail is named', async () => {
  const found = await search(mill);
  expect(found.verdict).toBe('refuted');
  expect(urls(found.refutes)).toEqual(['https://mills.example/orrin']);
  const [mismatch] = found.refutes[0]?.mismatches ?? [];
  expect(mill.slice(mismatch?.claim.start, mismatch?.claim.end)).toBe('1947');
  expect(mismatch).toMatchObject({ code: 'date', page: { quote: 'The mill at Orrin Bay closed in 1931.' } });
});

test('where pages differ it is disputed, and what says neither is another', async () => {
  const found = await search(bridge);
  expect(found.verdict).toBe('disputed');
  expect(urls(found.refutes)).toEqual(['https://annals.example/corran']);
  expect(urls(found.other)).toContain('https://choirs.example/corran');
});

test('two copies of a passage are one row', async () => {
  const { supports, other } = await search(bridge);
  const copies = [...supports, ...other].filter(({ title }) => title === 'Corran suspension bridge');
  expect(copies).toHaveLength(1);
});

test('each row says which names, dates and numbers of the claim it has', async () => {
  const { other, supports } = await search(bridge);
  const texts = (of: { text: string }[] | undefined) => of?.map(({ text }) => text);
  expect(texts(supports[0]?.found)).toEqual(expect.arrayContaining(['Corran', '4 June 1938']));
  const choir = other.find(({ url }) => url === 'https://choirs.example/corran');
  expect(texts(choir?.found)).toEqual(['Corran']);
  expect(texts(choir?.absent)).toEqual(['4 June 1938']);
});

test('a claim that no page deals with has not enough evidence', async () => {
  const found = await search('The harbour master of Tamsin kept four hundred geese.');
  expect(found).toMatchObject({ verdict: 'not_enough', supports: [], refutes: [] });
});

test('a claim of which the corpus knows no word is told as such', async () => {
  const found = await search('Quellborx zantified vrimbles.');
  expect(found).toMatchObject({ verdict: 'not_enough', noWordKnown: true });
  expect((await search('A bridge of vrimbles.')).noWordKnown).toBe(false);
});

test('an arm of another encoder is refused, and the answer says that it is missing', async () => {
  const encoder = { ...models.encoder, version: 'another' };
  const retrievers = openRetrievers(generation.opened, { encoder, expander: noExpansion });
  const found = await search(lighthouse, retrievers);
  expect(found.searched).toEqual({ shardsAsked: 2, shardsAnswered: 1, missing: ['retrieval-dense-0'] });
  expect(urls(found.supports)).toEqual(['https://lights.example/skarn']);
});

test('where no arm answers nothing is known: not searched', async () => {
  const encoder = { ...models.encoder, version: 'another' };
  const dense = openRetrievers(generation.opened, { encoder, expander: noExpansion }).filter(
    ({ arm }) => arm === 'dense',
  );
  expect(await search(lighthouse, dense)).toMatchObject({ verdict: 'not_searched', supports: [], other: [] });
});

test('a claim in a language in which the engine was not measured is not searched for', async () => {
  const german = 'Die alte Mühle wurde nach dem großen Hochwasser geschlossen und von den Besitzern verkauft.';
  expect(await search(german)).toMatchObject({ verdict: 'unsupported_language', searched: { shardsAsked: 0 } });
});

test('an aborted search fails', async () => {
  await expect(search(lighthouse, generation.retrievers, AbortSignal.abort())).rejects.toThrow();
});
