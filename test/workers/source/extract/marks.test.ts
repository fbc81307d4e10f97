import fc from 'fast-check';
import { parseDocument } from '../../../../workers/source/extract/dom.ts';
import { readMarks } from '../../../../workers/source/extract/marks.ts';
import { reasonOfPage } from '../../../../workers/source/unavailable.ts';

const marksOf = (body: string) => readMarks(parseDocument(`<html><body>${body}</body></html>`));
const jsonLd = (data: unknown) =>
  marksOf(`<script type="application/ld+json">${JSON.stringify(data)}</script><p class="a">one two</p>`);
const url = 'https://news.example/ferry';

test('a page says whether it is free in JSON-LD, in a list or a graph too, in microdata, or by its tier', () => {
  expect(jsonLd({ '@type': 'NewsArticle', isAccessibleForFree: 'False' }).accessibleForFree).toBe(false);
  expect(jsonLd([{ '@type': 'WebSite' }, { '@type': 'Article', isAccessibleForFree: true }]).accessibleForFree).toBe(
    true,
  );
  expect(jsonLd({ '@graph': [{ isAccessibleForFree: 'https://schema.org/False' }] }).accessibleForFree).toBe(false);
  expect(marksOf('<meta itemprop="isAccessibleForFree" content="false">').accessibleForFree).toBe(false);
  expect(marksOf('<meta property="article:content_tier" content="locked">').accessibleForFree).toBe(false);
  expect(marksOf('<meta property="article:content_tier" content="metered">').accessibleForFree).toBeNull();
  expect(marksOf('<p>ferry</p>').accessibleForFree).toBeNull();
});

test('what is said of other pages, or of a part, is not said of the page', () => {
  const other = { '@type': 'ItemList', itemListElement: [{ item: { isAccessibleForFree: false } }] };
  expect(jsonLd(other).accessibleForFree).toBeNull();
  const part = { isAccessibleForFree: false, cssSelector: ['.a', '.missing', ':::'] };
  expect(jsonLd({ '@type': 'Article', hasPart: part })).toMatchObject({ accessibleForFree: null, lockedWords: 2 });
  expect(jsonLd({ '@type': 'Review', itemReviewed: { '@type': 'Product' } }).types).toEqual(['review']);
});

test('an offer is what stands in its markup and is shown: no empty slot, nothing hidden, no whole article', () => {
  expect(marksOf('<div class="paywall"><p>Join us</p></div>').paywall).toBe(true);
  expect(marksOf('<div id="poool-widget">Abonnez-vous</div>').paywall).toBe(true);
  expect(marksOf('<div id="paywall"></div>').paywall).toBe(false);
  expect(marksOf('<div hidden><div class="paywall">Join us</div></div>').paywall).toBe(false);
  expect(marksOf(`<div class="paywall-enabled">${'ferry '.repeat(300)}</div>`).paywall).toBe(false);
});

test('a cart in the footer is the site’s, not the page’s', () => {
  expect(marksOf('<main><button>Add to cart</button></main>').cart).toBe(true);
  expect(marksOf('<footer><button>Add to cart</button></footer>').cart).toBe(false);
  expect(marksOf('<p>Add to cart the horses of the mill.</p>').cart).toBe(false);
});

test('frames and pages that send on at once are seen, later refreshes are not', () => {
  expect(marksOf('<meta http-equiv="Refresh" content="0; URL=/a">').refresh).toBe(true);
  expect(marksOf('<meta http-equiv="refresh" content="300">').refresh).toBe(false);
  expect(marksOf('<meta http-equiv="refresh" content="300; url=/a">').refresh).toBe(false);
});

test('no JSON-LD throws, whatever its shape', () => {
  const key = fc.constantFrom(
    '@graph',
    '@type',
    'hasPart',
    'isAccessibleForFree',
    'cssSelector',
    'wordCount',
    'mainEntity',
  );
  const { data } = fc.letrec((tie) => ({
    data: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue(),
      fc.array(tie('data'), { maxLength: 3 }),
      fc.dictionary(key, tie('data'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(data, (said) => {
      const marks = jsonLd(said);
      reasonOfPage({ requestedUrl: url, finalUrl: url, title: '', text: 'one two', marks });
    }),
    { numRuns: 300 },
  );
});

test('a text of a million words, or of one line of nothing but signs, is judged as any other', () => {
  const marks = marksOf('<p>ferry</p>');
  for (const text of ['ferry '.repeat(1_000_000), '- '.repeat(500_000), '…'.repeat(200_000), 'a'.repeat(500_000)]) {
    for (const title of ['Ferry', text.slice(0, 1000)]) {
      const page = {
        requestedUrl: url,
        finalUrl: url,
        title,
        text,
        marks: { ...marks, shown: text.slice(0, 20_000), headings: [text] },
      };
      expect(['truncated', null]).toContain(reasonOfPage(page));
    }
  }
});

test('what the body element is called counts: a catalogue’s record, a page of a shop, an error of a site’s own', () => {
  const withBody = (attributes: string) =>
    readMarks(parseDocument(`<html><body ${attributes}><p>Heron</p></body></html>`));
  expect(withBody('id="opac-detail" class="scrollto"').record).toBe(true);
  expect(withBody(`class='single single-product ${'theme '.repeat(200)}'`).cart).toBe(true);
  expect(withBody('data-id=7 class="error404 wp-embed"').notFound).toBe(true);
  expect(withBody('data-class="error404"').notFound).toBe(false);
  expect(withBody('itemscope itemtype="https://schema.org/Product"').types).toEqual(['product']);
  expect(withBody('class="has-paywall"').paywall).toBe(false);
});

test('an article is that, though its html element says so', () => {
  const document = parseDocument(
    '<html itemscope itemtype="http://schema.org/Article" lang=en><body><p>Heron</p></body></html>',
  );
  expect(readMarks(document).types).toEqual(['article']);
});
