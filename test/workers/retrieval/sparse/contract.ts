/** What every engine of the sparse index must do. In: a way to open an empty one. */
import type { CorpusPassage } from '../../../../workers/retrieval/corpus/store.ts';
import { toWords, weigh } from '../../../../workers/retrieval/sparse/query.ts';
import type { SparseIndex } from '../../../../workers/retrieval/sparse/sparse-index.ts';

export function aPassage(id: number, title: string, text: string, language = 'en'): CorpusPassage {
  return {
    id,
    pageId: id,
    sourceKey: '0123456789abcdef',
    url: `https://pages.example/${id}`,
    domain: 'pages.example',
    language,
    crawledAt: '2026-01-02T03:04:05.000Z',
    publishedAt: null,
    position: 0,
    title,
    text,
    start: 0,
    end: text.length,
  };
}

export const ferry = aPassage(1, 'The ferry', 'The ferry crossed the sound twice a day until the bridge opened.');
export const mill = aPassage(
  2,
  'The mill',
  'Grinding at the mill ended when the weir broke; the miller kept the sound of the wheel.',
);
export const bees = aPassage(3, 'Bees of the coast', 'Hives stood behind the mill.');
const REGATTAS = [aPassage(20, 'Regatta', 'Boats came from far.'), aPassage(21, 'Boats', 'Regatta came from far.')];
/** So that no word stands in half of the passages, where BM25 says nothing of it. */
const OTHERS = ['Orchard', 'Quarry', 'Chapel', 'Lighthouse', 'Brewery'].map((title, at) =>
  aPassage(10 + at, title, `Nothing else is known of it but its name and the year 18${at}4.`),
);

export function itIsASparseIndex(openEmpty: () => Promise<SparseIndex>): void {
  let index: SparseIndex;

  beforeAll(async () => {
    index = await openEmpty();
    await index.add([ferry, mill, bees, ...REGATTAS, ...OTHERS]);
    await index.count();
  });
  afterAll(() => index?.close());

  async function find(text: string, title = ''): Promise<number[]> {
    const { hits } = await index.search(weigh(toWords({ text, title })), 10);
    return hits.map((hit) => hit.passageId);
  }

  test('other forms of a word are found', async () => {
    expect(await find('Two ferries were crossing')).toEqual([1]);
  });

  test('a word in the title counts more than one in the text', async () => {
    expect(await find('mill')).toEqual([2, 3]);
    expect(await find('regatta')).toEqual([20, 21]);
  });

  test('the title of the article is asked for too', async () => {
    expect(await find('It closed.', 'Ferry')).toEqual([1]);
  });

  test('a heavier word decides, and its share of the score grows by its weight', async () => {
    const scores = async (bridge: number, weir: number) => {
      const words = [
        { word: 'bridge', weight: bridge },
        { word: 'weir', weight: weir },
      ];
      return new Map((await index.search(words, 10)).hits.map(({ passageId, score }) => [passageId, score]));
    };
    const even = await scores(1, 1);
    const uneven = await scores(0.5, 4);
    expect([...(await scores(4, 1)).keys()]).toEqual([1, 2]);
    expect([...uneven.keys()]).toEqual([2, 1]);
    expect(uneven.get(1)).toBeCloseTo((even.get(1) ?? 0) / 2, 4);
    expect(uneven.get(2)).toBeCloseTo((even.get(2) ?? 0) * 4, 4);
  });

  test.each([
    ['a quote', '"mill'],
    ['quotes and operators', 'mill" OR "" AND NOT NEAR("x", 3) {title}: ^ferr* -'],
    ['a column name', 'title:mill text:mill'],
    ['a null character', 'mill\u0000'],
    ['an emoji', 'mill 🐝'],
    ['combining marks', 'Grinding cafe\u0301'],
  ])('%s in a claim is no syntax', async (_, text) => {
    expect(await find(text)).toContain(2);
  });

  test.each([
    ['no words', '"*" — ?!'],
    ['only stop words', 'It was the one that there is.'],
    ['only emoji', '🐝🐝'],
    ['no word that is known', 'zyzzogeton qwxv'],
    ['nothing', ''],
  ])('%s finds nothing', async (_, text) => {
    expect(await find(text)).toEqual([]);
  });

  test('words that come from elsewhere than a claim are no syntax either', async () => {
    const words = ['weir" OR "x', 'NEAR(', '"', 'title:*', '\\'].map((word) => ({ word, weight: 1 }));
    expect((await index.search(words, 10)).hits.map((hit) => hit.passageId)).toEqual([2]);
  });

  test('of 10,000 words the heaviest are searched', async () => {
    const words = Array.from({ length: 10_000 }, (_, at) => ({ word: `word${at}`, weight: 1 }));
    const { hits } = await index.search([...words, { word: 'weir', weight: 2 }], 10);
    expect(hits.map((hit) => hit.passageId)).toEqual([2]);
  });

  test('the answer says that all of the index was asked', async () => {
    expect((await index.search([{ word: 'mill', weight: 1 }], 10)).shards).toEqual({ asked: 1, answered: 1 });
  });

  test('a search that is aborted answers nothing', async () => {
    const reason = new Error('the search is over');
    const search = index.search([{ word: 'mill', weight: 1 }], 10, AbortSignal.abort(reason));
    await expect(search).rejects.toBe(reason);
  });

  test('a passage added twice is found once, one that is changed by its new words, one removed not at all', async () => {
    const find = async (word: string) =>
      (await index.search([{ word, weight: 1 }], 10)).hits.map((hit) => hit.passageId);
    const kiln = aPassage(50, 'The kiln', 'Lime was burnt there.');
    await index.add([kiln]);
    await index.add([kiln]);
    expect(await index.count()).toBe(11);
    expect(await find('kiln')).toEqual([50]);
    await index.add([{ ...kiln, text: 'Bricks were fired there.' }]);
    await index.count();
    expect(await find('bricks')).toEqual([50]);
    expect(await find('lime')).toEqual([]);
    expect(await index.missing([ferry.id, 50, 51])).toEqual([51]);
    await index.remove([50, 51]);
    expect(await index.count()).toBe(10);
    expect(await find('kiln')).toEqual([]);
    expect(await index.missing([ferry.id, 50])).toEqual([50]);
  });

  test('adding and removing nothing, and asking for nothing, is nothing', async () => {
    await index.add([]);
    await index.remove([]);
    expect(await index.missing([])).toEqual([]);
  });
}
