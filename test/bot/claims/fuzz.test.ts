/** Claim extraction over random pages: whatever the markup, nothing is lost and nothing breaks. */
import fc from 'fast-check';
import { Extraction, extractClaims } from '../../../bot/claims/extract.ts';
import { page } from './markup.ts';

const TAGS =
  'p div ul ol li dl dt dd table tbody tr td th caption blockquote h2 figure figcaption i b span sup section cite'.split(
    ' ',
  );
const CLASSES =
  'infobox navbox hatnote reference noprint Inline-Template mw-references-wrap gallerytext autonumber'.split(' ');
const words = fc.constantFrom(
  'The inn is old. ',
  'It was built in 1702',
  ', and it leans',
  '. ',
  ' 10',
  '🛶',
  '&amp;',
  '(',
  '«',
  ' ',
);
const name = fc.constantFrom(
  'sfn',
  'harvnb',
  'rp',
  'r',
  'cn',
  'fv',
  'citation needed span',
  'cite web',
  'efn',
  'nowrap',
  'x',
);
const value = fc.oneof(
  words,
  fc.constantFrom(
    'https://orrin.example/1',
    '<ref>x</ref>',
    '<!-- sidelight: ignore -->',
    '[[a|b',
    '{{',
    '1971',
    '<!--',
  ),
  fc.string({ maxLength: 12 }),
);
const parts = fc.array(
  fc.record({
    template: fc.record({
      target: fc.record({ wt: name, href: fc.constantFrom('./Template:X', './%', '') }, { requiredKeys: ['wt'] }),
      params: fc.dictionary(
        fc.constantFrom('1', '2', 'p', 'url', 'title', 'last', 'year', '1a1', '1y', 'ref', 'text'),
        fc.record({ wt: value }),
      ),
    }),
  }),
  { maxLength: 3 },
);
const dataMw = fc.oneof(
  { weight: 4, arbitrary: fc.record({ parts }, { requiredKeys: [] }) },
  { weight: 2, arbitrary: fc.record({ body: fc.record({ id: fc.constantFrom('mw-reference-text-1', 'n', 'x') }) }) },
  { weight: 1, arbitrary: fc.record({ caption: fc.constant("<b typeof='mw:Extension/ref'></b>") }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const attributes = fc.record(
  {
    class: fc.constantFrom(...CLASSES),
    typeof: fc.constantFrom('mw:Transclusion', 'mw:Extension/ref', 'mw:Extension/references', 'mw:Error mw:File', 'x'),
    id: fc.constantFrom('mw-reference-text-1', 'CITEREFMarsh1971', 'n'),
    about: fc.constantFrom('#mwt1', '#mwt2'),
    href: fc.constantFrom('./T?redlink=1', 'https://orrin.example/2', './T#CITEREFMarsh1971', './T#n', '#%'),
    rel: fc.constantFrom('mw:ExtLink', 'x'),
    colspan: fc.constantFrom('2', '99999', '-1', 'x'),
    rowspan: fc.constantFrom('2', '99999'),
    style: fc.constantFrom('display:none', 'x'),
    'data-mw': dataMw.map((data) => JSON.stringify(data)),
  },
  { requiredKeys: [] },
);

const SENTENCES = fc.constantFrom(
  'The inn by the quay is old.[1] ',
  'Ode Tarrow kept it for years[2], and sold it to the board.[3][4] ',
  '<table><tr><td>Inn</td><td>1702[5]</td></tr></table>',
  '<ul><li>An inn by the quay[6]</li></ul>',
);
/** A template that the wiki has, or a red link to one that it lacks. */
const template = fc.tuple(fc.constantFrom('a', 'sup', 'span'), parts).map(([tag, made]) => {
  const given = { typeof: 'mw:Transclusion', href: './T?redlink=1', 'data-mw': JSON.stringify({ parts: made }) };
  return `<${tag}${written(given)}>x</${tag}>`;
});
const { tree } = fc.letrec<{ tree: string; element: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    words,
    SENTENCES,
    template,
    fc.constantFrom('[1]', '[2]', '[1][3]', '{{cn}}', '{{fv}}', '<!-- sidelight: ignore -->', '<br/>'),
    tie('element'),
  ),
  element: fc
    .tuple(fc.constantFrom(...TAGS, 'a'), attributes, fc.array(tie('tree'), { maxLength: 5 }))
    .map(([tag, given, inside]) => `<${tag}${written(given)}>${inside.join('')}</${tag}>`),
}));
const html = fc.array(tree, { maxLength: 8 }).map((trees) => page(`<p>${trees.join('')}`));

describe('extraction of a random page', () => {
  test('accounts for every use, and gives claims that the schema takes', () => {
    fc.assert(
      fc.property(html, (text) => isSound(extractClaims(text, 'Orrin Bay'))),
      { numRuns: 400 },
    );
  });

  test('that is cut off anywhere does so too', () => {
    const broken = fc.tuple(html, fc.nat(), fc.nat(30)).map(([text, at, length]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + text.slice(start + length);
    });
    fc.assert(
      fc.property(broken, (text) => isSound(extractClaims(text, 'Orrin Bay'))),
      { numRuns: 400 },
    );
  });

  test('gives the same again, and the same hashes where only white space differs', () => {
    fc.assert(
      fc.property(html, (text) => {
        const extraction = extractClaims(text, 'Orrin Bay');
        expect(extractClaims(text, 'Orrin Bay')).toEqual(extraction);
        expect(hashesOf(extractClaims(text.replace(/(>[^<]*) (?=[^<]*<)/g, '$1\n  '), 'Orrin Bay'))).toEqual(
          hashesOf(extraction),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('takes any title, and text that is no page at all', () => {
    const any = fc.string({ unit: 'binary', maxLength: 600 });
    fc.assert(
      fc.property(any, any, (text, title) => isSound(extractClaims(`<${text}`, title))),
      { numRuns: 300 },
    );
    const { pairs } = extractClaims(page('The inn is old.[1]'), '𝒪?/%&"\'#[]\u202e\n'.repeat(80));
    expect(pairs).toHaveLength(1);
  });
});

/** Throws where it is not. */
function isSound(extraction: Extraction): void {
  expect(Extraction.parse(extraction)).toEqual(extraction);
  expect(extraction.refUses).toBe(extraction.citations + extraction.unpaired.length);
  for (const { claim, citations } of extraction.pairs) {
    expect(claim.text.trim()).not.toBe('');
    expect(claim.markerOffset).toBeLessThanOrEqual(claim.text.length);
    expect(citations.length > 0 || claim.trigger !== null).toBe(true);
  }
}

function hashesOf({ pairs }: Extraction): string[] {
  return pairs.flatMap(({ claim, citations }) => [claim.hash, ...citations.map(({ hash }) => hash)]);
}

function written(attributes: Record<string, string>): string {
  const quoted = (text: string) => text.replace(/[&"<>]/g, (found) => `&#${found.charCodeAt(0)};`);
  return Object.entries(attributes)
    .map(([key, text]) => ` ${key}="${quoted(text)}"`)
    .join('');
}
