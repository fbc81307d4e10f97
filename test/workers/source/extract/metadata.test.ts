import { extractHtml } from '../../../../workers/source/extract/html.ts';
import { ownAddress } from '../../../../workers/source/extract/metadata.ts';
import { page } from '../pages.ts';

const read = (head: string) => {
  const extracted = extractHtml(page('<p>Text.</p>', head));
  if ('kind' in extracted) throw new Error(extracted.reason);
  return extracted;
};

test.each([
  ['<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2019-03-12T23:30:00-05:00"}</script>'],
  ['<meta property="article:published_time" content="2019-03-12T09:00:00Z">'],
  ['<meta name="citation_publication_date" content="2019/3/12">'],
  ['<meta name="DC.date" content="2019-03-12">'],
  ['<time datetime="2019-03-12">Tuesday</time>'],
])('%s says the day, as the page has it', (head) => {
  expect(read(head).publishedAt).toBe('2019-03-12');
});

test('a day that could be two, or is none, is not guessed', () => {
  expect(read('<meta name="date" content="3/4/2019">').publishedAt).toBeUndefined();
  expect(read('<meta name="date" content="2019-02-31">').publishedAt).toBeUndefined();
});

test('the site is named by its own words or its publisher', () => {
  expect(read('<meta property="og:site_name" content="The Orrin Courier">').site).toBe('The Orrin Courier');
  const things = '{"@graph":[{"@type":"NewsArticle","publisher":{"name":"Isle Radio"}}]}';
  expect(read(`<script type="application/ld+json">${things}</script>`).site).toBe('Isle Radio');
});

test('a page has an address of its own only on its own site', () => {
  const at = 'https://www.orrin.example/a?utm=1';
  expect(ownAddress('/a', at)).toBe('https://www.orrin.example/a');
  expect(ownAddress('https://m.orrin.example/a', at)).toBe('https://m.orrin.example/a');
  expect(ownAddress('https://other.example/a', at)).toBeNull();
  expect(ownAddress('javascript:void(0)', at)).toBeNull();
  expect(ownAddress(undefined, at)).toBeNull();
});

test.each([
  ['<html lang=fr>'],
  ["<html class='a' lang='fr'>"],
  ['<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fr">'],
  ['<!--[if lt IE 7]><html class="ie6"><![endif]--><!--[if gt IE 8]><!--><html lang="fr"><!--<![endif]-->'],
])('%s says the language', (tag) => {
  expect(extractHtml(`<!doctype html>${tag}<body><p>Construit en 1902.</p></body></html>`)).toMatchObject({
    language: 'fr',
  });
});
