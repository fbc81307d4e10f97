import { extractHtml, type Parts } from '../../../../workers/source/extract/html.ts';
import { page, prose } from '../pages.ts';

const figure = (caption: string) => `<figure><img src="a.jpg"><figcaption>${caption}</figcaption></figure>`;
const CAPTION = 'The ferry Heron at the quay of Orrin Bay in 1931';
const [above, below] = [prose.slice(0, 15).join(''), prose.slice(15).join('')];

function read(body: string, parts?: Parts): string[] {
  const extracted = extractHtml(page(body), parts);
  if ('kind' in extracted) throw new Error(extracted.reason);
  return extracted.text.split('\n').filter((line) => !line.includes('This is paragraph'));
}

test('captions of the pictures of an article stand below its text, once each; its body has none', () => {
  const article = `<article>${figure('A map of the bay from 1890')}${above}${figure(CAPTION)}${below}${figure(CAPTION)}</article>`;
  expect(read(article)).toEqual(['A map of the bay from 1890', CAPTION]);
  expect(read(article, 'body')).toEqual([]);
});

test('captions of older markup are told by their names', () => {
  expect(
    read(`<div>${above}<div class="wp-caption"><p class="wp-caption-text">${CAPTION}</p></div>${below}</div>`),
  ).toEqual([CAPTION]);
});

test.each([
  ['Photograph: Ida Sand for The Bay Gazette'],
  ['© 1931 The Bay Gazette and its heirs'],
  ['Ida Sand / Berg Pictures / Getty Images'],
  ['Ida Sand'],
  [`${CAPTION} `.repeat(7)],
])('%s is no caption', (text) => {
  expect(read(`<article>${above}${figure(text)}${below}</article>`)).toEqual([]);
});

test('pictures of what stands beside the article have no captions in its text', () => {
  const beside = `<aside>${figure(CAPTION)}</aside><div class="related-articles">${figure('The ferry Gull burnt at sea')}</div>`;
  expect(read(`<article>${above}${beside}${below}</article>`)).toEqual([]);
  expect(read(`<article>${above}${below}</article><section>${figure(CAPTION)}</section>`)).toEqual([]);
});

test('what the text says already is not said again', () => {
  expect(read(`<article>${above}${figure('carried more than forty thousand passengers')}${below}</article>`)).toEqual(
    [],
  );
});

test('a page with little text is told by what it has', () => {
  expect(read(`<article>${prose.slice(0, 3).join('')}${figure(CAPTION)}${prose[3]}</article>`)).toEqual([]);
});
