import { extract } from '../../../../workers/source/extract/extract.ts';
import { page, pdf, prose } from '../pages.ts';

async function textOf(body: Buffer, contentType: string): Promise<string> {
  const extracted = await extract(body, contentType);
  return 'kind' in extracted ? extracted.reason : extracted.text;
}

const quoted = '“Café” – £5';
const windows1252 = Buffer.from([0x93, 0x43, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x96, 0x20, 0xa3, 0x35]);
const inPage = (text: Buffer, head: string) => Buffer.concat([Buffer.from(`<title>t</title>${head}<p>`), text]);

test.each([
  ['the header', inPage(windows1252, ''), 'text/html; charset=windows-1252'],
  ['a header that says ISO-8859-1', inPage(windows1252, ''), 'text/html; charset=ISO-8859-1'],
  ['a meta element', inPage(windows1252, '<meta charset="windows-1252">'), 'text/html'],
  ['nothing, so that bytes that are no UTF-8 are windows-1252', inPage(windows1252, ''), 'text/html'],
  ['nothing, so that UTF-8 is UTF-8', inPage(Buffer.from(quoted), ''), 'text/html'],
  [
    'a byte order mark, whatever the header says',
    Buffer.concat([Buffer.from('\ufeff<p>'), Buffer.from(quoted)]),
    'text/html; charset=latin1',
  ],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff<p>${quoted}`, 'utf16le'), 'text/html'],
])('the encoding is told by %s', async (_, body, contentType) => {
  expect(await textOf(body, contentType)).toBe(quoted);
});

test('Shift_JIS is read', async () => {
  expect(await textOf(Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'text/plain; charset=shift_jis')).toBe('日本');
});

test('plain text comes as it is, without empty lines', async () => {
  expect(await textOf(Buffer.from('Heron\r\n\r\n  Gull \n'), 'text/plain')).toBe('Heron\nGull');
});

test('a PDF comes as paragraphs: lines are joined, hyphens at their ends too', async () => {
  const lines = [
    'The ferry carried more passen-',
    'gers in 1931 than the well-',
    'known steamer.',
    '',
    'It was built by well-known hands.',
  ];
  const extracted = await extract(pdf([lines, ['A second page.']]), 'application/pdf');
  expect(extracted).toMatchObject({
    type: 'pdf',
    title: 'Ferry report',
    text: [
      'The ferry carried more passengers in 1931 than the well-known steamer.',
      'It was built by well-known hands.',
      'A second page.',
    ].join('\n'),
  });
});

test('the last line of a paragraph of a PDF stays with it, and a heading in larger type apart from it', async () => {
  const lines = [
    '# The report of the ferry for',
    '# the year 1931',
    '',
    'Forty thousand passengers',
    'were carried.',
    '',
    'None was lost.',
  ];
  expect(await textOf(pdf([lines]), 'application/pdf')).toBe(
    'The report of the ferry for the year 1931\nForty thousand passengers were carried.\nNone was lost.',
  );
});

test('the text of a PDF knows where its pages begin', async () => {
  const pages = [
    ['The ferry of the bay was built by'],
    [],
    ['many hands in 1930.', '', 'It sank on its third day at sea.'],
  ];
  const extracted = await extract(pdf(pages), 'application/pdf');
  if ('kind' in extracted) throw new Error(extracted.reason);
  const starts = (extracted.pages ?? []).map(({ start }) => extracted.text.slice(start).split(/[.\n]/, 1)[0]);
  expect(starts).toEqual([
    'The ferry of the bay was built by many hands in 1930',
    'many hands in 1930',
    'many hands in 1930',
  ]);
});

test('a PDF is a PDF whatever the server calls it', async () => {
  expect(await textOf(pdf([['The ferry was built in 1930.']]), 'text/html')).toBe('The ferry was built in 1930.');
});

test('a PDF without a text layer is a scan', async () => {
  expect(await textOf(pdf([[], []]), 'application/pdf')).toBe('scanned_pdf');
});

test('a broken PDF, a picture and an unknown type are no sources', async () => {
  expect(await textOf(Buffer.from('%PDF-1.4 and then nothing'), 'application/pdf')).toBe('unsupported_type');
  expect(await textOf(Buffer.from([0xff, 0xd8, 0xff]), 'image/jpeg')).toBe('unsupported_type');
  expect(await textOf(Buffer.from('{}'), 'application/json')).toBe('unsupported_type');
});

test('HTML without a type is recognised', async () => {
  expect(await textOf(Buffer.from(page('<p>Here.</p>')), '')).toBe('Here.');
});

test('what the body element is called says what the page is, and nothing of its text', async () => {
  const caption =
    '<figure><img src="a.jpg"><figcaption>The ferry at the quay of Orrin Bay in 1931.</figcaption></figure>';
  const article = `<article>${prose.join('')}${caption}</article><div><p>Timetables and fares can be had at the quay.</p></div>`;
  const read = (name: string) => textOf(Buffer.from(`<body class="${name}">${article}</body>`), 'text/html');
  for (const name of ['no-cookie-bar', 'newsletter-on', 'has-captions'])
    expect(await read(name)).toBe(await read('page'));
});
