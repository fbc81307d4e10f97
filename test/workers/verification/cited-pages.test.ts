import { findCited, nameOfPage } from '../../../workers/verification/cited-pages.ts';

/** Twenty pages of ten characters: four of front matter, then what the document calls 101 to 116. */
const LABELS = ['i', 'ii', 'iii', 'iv', ...Array.from({ length: 15 }, (_, at) => String(at + 101)), 'A-3'];
const labelled = paged(LABELS);
const unlabelled = paged(LABELS.map(() => ''));

function paged(labels: string[]) {
  return { text: '0123456789'.repeat(labels.length), pages: labels.map((label, at) => ({ start: at * 10, label })) };
}

/** Numbers of the pages, from 1; the one around them is left out. */
function cited(source: typeof labelled, pages: string | undefined, url: string | null = null): number[][] {
  const spans = findCited(source, { ...(pages !== undefined && { pages }), url, archiveUrl: null });
  return spans.map(({ start, end }) => [start === 0 ? 1 : start / 10 + 2, end === 200 ? 20 : end / 10 - 1]);
}

test.each([
  ['12', [[12, 12]]],
  ['p. 12', [[12, 12]]],
  ['pp. 12–14', [[12, 14]]],
  ['12-14', [[12, 14]]],
  [
    '12, 16',
    [
      [12, 12],
      [16, 16],
    ],
  ],
  [
    '12 and 16',
    [
      [12, 12],
      [16, 16],
    ],
  ],
  ['12ff.', [[12, 12]]],
  ['12 n. 4', [[12, 12]]],
  ['S. 12 f.', [[12, 12]]],
  ['18–40', [[18, 18]]],
])('%s of a document without labels are its own pages', (pages, expected) => {
  expect(cited(unlabelled, pages)).toEqual(expected);
});

test.each([
  ['iv', [[4, 4]]],
  ['III–IV', [[3, 4]]],
  ['103', [[7, 7]]],
  ['103–5', [[7, 9]]],
  ['pp. 103–105', [[7, 9]]],
  ['A-3', [[20, 20]]],
  ['7', [[7, 7]]],
])('%s is first what the document calls so', (pages, expected) => {
  expect(cited(labelled, pages)).toEqual(expected);
});

test.each(['400', '1041–1052', 'xl', 'passim', 'back cover', '', '–', '0', '99999999'])('%s names no page', (pages) => {
  expect(cited(labelled, pages)).toEqual([]);
});

test('the address may open a page, by its number', () => {
  const opened = (url: string) => cited(labelled, undefined, url);
  expect(opened('https://example.org/report.pdf#page=7')).toEqual([[7, 7]]);
  expect(opened('https://example.org/report.pdf#zoom=100&page=7')).toEqual([[7, 7]]);
  expect(opened('https://example.org/report?page=7')).toEqual([]);
  expect(opened('https://example.org/report.pdf#page=77')).toEqual([]);
});

test('a page before and a page behind are read as well', () => {
  expect(findCited(unlabelled, { pages: '12', url: null, archiveUrl: null })).toEqual([{ start: 100, end: 130 }]);
  expect(findCited(unlabelled, { pages: '1', url: null, archiveUrl: null })).toEqual([{ start: 0, end: 20 }]);
  expect(findCited(unlabelled, { pages: '20', url: null, archiveUrl: null })).toEqual([{ start: 180, end: 200 }]);
});

test('a text without pages has none that could be cited', () => {
  expect(findCited({ text: 'A text.' }, { pages: '1', url: 'https://a.example/#page=1', archiveUrl: null })).toEqual(
    [],
  );
  expect(nameOfPage({}, 3)).toBeNull();
});

test('a page is called what the document calls it, or by its number', () => {
  expect(nameOfPage(labelled, 35)).toBe('iv');
  expect(nameOfPage(unlabelled, 35)).toBe('4');
});
