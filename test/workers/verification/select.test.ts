import { readPage, select, textOf } from '../../../workers/verification/select.ts';
import { findTerms } from '../../../workers/verification/terms.ts';

const FILLER = Array.from(
  { length: 400 },
  (_, at) => `Loaf ${at} rises slowly overnight in its basket and is baked at dawn in a wood-fired oven by the mill.`,
);
const claim = findTerms('The Hallin ropeway was opened on 4 June 1912.');
const read = (text: string, url = 'https://example.org/') => readPage({ url, title: 'Loaves', text });

test('the passage that shares most with the claim comes first, wherever it stands', () => {
  const text = [...FILLER.slice(0, 200), 'The Hallin ropeway was opened on 4 June 1912.', ...FILLER.slice(200)].join(
    '\n',
  );
  const { passages } = select(claim, [read(text)]);
  expect(passages[0]?.passage.text).toContain('Hallin ropeway');
});

test('at most 12 passages are read, however long the page is', () => {
  expect(select(claim, [read(FILLER.join('\n'))]).passages).toHaveLength(12);
});

test('sentences keep the order of the page and their place in it', () => {
  const text = 'The Hallin ropeway closed in 1958.\nIt was opened on 4 June 1912.';
  const { sentences } = select(claim, [read(text)]);
  expect(sentences.map(textOf)).toEqual(['The Hallin ropeway closed in 1958.', 'It was opened on 4 June 1912.']);
  for (const sentence of sentences) expect(text.slice(sentence.start, sentence.end)).toBe(textOf(sentence));
});

test('the date in the address and the title of a page count for all of it', () => {
  const { pageTerms } = select(claim, [read('It was opened this week.', 'https://example.org/1912/06/04/opened')]);
  expect([...pageTerms.dates]).toEqual(expect.arrayContaining(['y1912', 'd6-4']));
  expect(pageTerms.words.has('loav')).toBe(true);
});

test('of several pages the best passages are chosen together', () => {
  const pages = [read(FILLER.join('\n')), read('The Hallin ropeway was opened on 4 June 1912.', 'https://b.example/')];
  expect(select(claim, pages).passages[0]?.passage.url).toBe('https://b.example/');
});

test('a page without a sentence has no passages', () => {
  expect(select(claim, [read(' \n ')])).toMatchObject({ passages: [], sentences: [] });
});

describe('of a source with cited pages', () => {
  const said = 'The Hallin ropeway opened, and the mill baked loaves of bread in its oven.';
  const text = [...FILLER.slice(0, 200), ...Array(120).fill('Rain fell on the yard.'), ...FILLER.slice(200)].join('\n');
  const start = text.indexOf('Rain fell');
  const source = { url: 'https://example.org/', title: 'Loaves', text };
  const rainy = (cited?: { start: number; end: number }[]) => {
    const { passages } = select(findTerms(said), [readPage({ ...source, ...(cited && { cited }) })]);
    return passages.map(({ passage }) => passage);
  };

  test('the best of these pages are read, and the best of the others', () => {
    const [before, after] = [rainy(), rainy([{ start, end: start + 120 * 'Rain fell on the yard.\n'.length }])];
    expect(before.filter((passage) => passage.text.includes('Rain'))).toEqual([]);
    expect(after).toHaveLength(12);
    expect(after.filter((passage) => passage.text.includes('Rain fell')).length).toBeGreaterThanOrEqual(6);
    expect(after.slice(0, 6)).toEqual(before.slice(0, 6));
  });

  test('one that names pages that are not there is read as if it named none', () => {
    expect(rainy([])).toEqual(rainy());
  });
});
