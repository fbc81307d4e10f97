/** Files that are made to harm who reads them, made here: PDFs, pages, and answers of servers. */
import { deflateSync } from 'node:zlib';
import { articlePage, page, prose } from '../workers/source/pages.ts';

/** A PDF of these objects, from 1 on; the first one is its catalogue. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let length = 9;
  const table = objects.map((object, index) => {
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    pieces.push(piece);
    length += piece.length;
    return `${String(length - piece.length).padStart(10, '0')} 00000 n \n`;
  });
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table.join('')}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF`;
  return Buffer.concat([...pieces, Buffer.from(xref + end)]);
}

const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>';
const FONT =
  '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /I 5 0 R >> >>';
const onePage = (more = '') => [
  CATALOGUE,
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ${FONT} ${more} >>`,
];

function stream(body: Buffer, dictionary = ''): Buffer {
  const head = Buffer.from(`<< /Length ${body.length} ${dictionary} >>\nstream\n`);
  return Buffer.concat([head, body, Buffer.from('\nendstream')]);
}

function packed(body: Buffer, times = 1): Buffer {
  let inner = body;
  for (let turn = 0; turn < times; turn += 1) inner = deflateSync(inner, { level: 1 });
  return stream(inner, `/Filter [${'/FlateDecode '.repeat(times)}]`);
}

const MEGABYTE = 2 ** 20;
const blank = (megabytes: number) => Buffer.alloc(megabytes * MEGABYTE, ' ');
const text = (line: string, times: number) => Buffer.from(`BT /F1 12 Tf ${`(${line}) Tj 0 -14 Td\n`.repeat(times)}ET`);
const image = (size: number, body: Buffer) =>
  stream(
    deflateSync(body),
    `/Type /XObject /Subtype /Image /Width ${size} /Height ${size} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode`,
  );

/** By what is wrong with it. */
export const PDFS: Record<string, () => Buffer> = {
  'a content stream of 100 MB, packed once': () => pdfOf([...onePage(), packed(blank(100))]),
  'a content stream of 100 MB, packed three times': () => pdfOf([...onePage(), packed(blank(100), 3)]),
  'a line of a million letters': () => pdfOf([...onePage(), packed(text('x'.repeat(1_000_000), 1))]),
  '50,000 lines': () => pdfOf([...onePage(), packed(text('The mill closed.', 50_000))]),
  'a page tree that bites its tail': () => pdfOf([CATALOGUE, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 100000 >>']),
  'pages that are their own parents': () =>
    pdfOf([
      CATALOGUE,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 3 0 R >>',
      '<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>',
    ]),
  'an object that is itself': () => pdfOf([CATALOGUE, '2 0 R']),
  'a length that is itself': () => pdfOf([...onePage(), Buffer.from('<< /Length 4 0 R >>\nstream\nBT ET\nendstream')]),
  'a form that draws itself': () =>
    pdfOf([
      ...onePage(),
      stream(Buffer.from('/I Do')),
      stream(Buffer.from('/I Do /I Do /I Do'), `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${FONT}`),
    ]),
  'a cross-reference table that leads to itself': () => pdfOf(onePage(), '/Prev 9'),
  'more pages than there are': () => pdfOf([CATALOGUE, '<< /Type /Pages /Kids [] /Count 2147483647 >>']),
  'arrays nested 200,000 deep': () => pdfOf([CATALOGUE, `${'['.repeat(200_000)}${']'.repeat(200_000)}`]),
  'a page of 100,000 dictionaries': () =>
    pdfOf([...onePage(`/Annots [${'<< /Subtype /Link >> '.repeat(100_000)}]`), stream(text('The mill closed.', 9))]),
  'an image of 100,000 by 100,000': () =>
    pdfOf([...onePage(), stream(Buffer.from('/I Do')), image(100_000, blank(16))]),
  'a font with a program for a matrix': () =>
    pdfOf([
      CATALOGUE,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /X /FontMatrix [0.1 0 0 0.1 0 (0\\); process.exit\\(0\\);//)] >> >> >> >>',
      stream(text('The mill closed.', 9)),
    ]),
  'half of it': () => pdfOf([...onePage(), stream(text('The mill closed.', 900))]).subarray(0, 9000),
  'nothing after its head': () => Buffer.from('%PDF-1.7\n'),
};

const article = (inner: string, head = '') => page(`<article>${prose.join('')}${inner}</article>`, head);

export const PAGES: Record<string, () => string> = {
  'tags nested 50,000 deep': () => `${'<div>'.repeat(50_000)}The mill`,
  'tables nested 2,000 deep': () => `${'<table><tr><td>'.repeat(2000)}The mill`,
  'formatting that is never closed': () => '<b><i><u><a href=x>'.repeat(5000),
  'a table of 50,000 cells': () => article(`<table>${`<tr>${'<td>1'.repeat(1000)}`.repeat(50)}</table>`),
  'an element of 20,000 attributes': () =>
    article(`<p ${Array.from({ length: 20_000 }, (_, n) => `a${n}=1`).join(' ')}>x`),
  'an attribute of 1 MB': () => article(`<p title="${'x'.repeat(MEGABYTE)}">x`),
  'a word of 500,000 letters': () => article(`<p>${'x'.repeat(500_000)}`),
  'spaces for regular expressions': () => article(`<p>${' \n\t'.repeat(150_000)}x`),
  'full stops without end': () => article(`<p>${'. '.repeat(150_000)}`),
  'dashes for regular expressions': () => article(`<p>${'-'.repeat(300_000)}`),
  'quotes for regular expressions': () => article(`<p>${'“"\''.repeat(100_000)}`),
  'letters for addresses': () => article(`<p>${'a@'.repeat(150_000)}`),
  'a comment that is never closed': () => `${articlePage}<!--${'-'.repeat(500_000)}`,
  'angle brackets alone': () => '<'.repeat(300_000),
  'character references without end': () => article('&#x41;&amp;&notanentity;'.repeat(100_000)),
  'ten thousand titles': () => page(prose.join(''), '<title>The ferry</title>'.repeat(10_000)),
  'structured data nested 30,000 deep': () =>
    page(prose.join(''), `<script type="application/ld+json">${'{"a":['.repeat(30_000)}</script>`),
  'structured data of another kind': () =>
    page(
      prose.join(''),
      '<script type="application/ld+json">{"__proto__":{"headline":1},"@type":{"length":1e9}}</script>',
    ),
  'forty thousand metadata': () => page(prose.join(''), '<meta name="author" content="Ada">'.repeat(40_000)),
  'scripts without end': () => article('<script>'.repeat(10_000)),
  'SVG within MathML within SVG': () => article('<svg><math><mtext>'.repeat(3000)),
  'templates within templates': () => article('<template>'.repeat(5000)),
  'paragraphs without end': () => article('<p>The mill closed in 1931.'.repeat(15_000)),
  'links without end': () => article('<a href="/x">The mill</a> '.repeat(15_000)),
  'dates without end': () => article('<time datetime="1931-02-30">1931</time>'.repeat(15_000)),
};
