import { type Replacement, replaceCitation } from '../../gadget/replace.ts';

const source = { url: 'https://gazette.example/mill', title: 'The mill closes' };
const NEW = '<ref>{{cite web |url=https://gazette.example/mill |title=The mill closes |access-date=2026-11-20}}</ref>';
const CLAIM = 'The mill at Orrin closed in 1931.';

interface Example extends Partial<Omit<Replacement, 'claim' | 'cited'>> {
  claim?: string;
  markerOffset?: number;
  cited?: Partial<Replacement['cited']> | null;
}

function replace(wikitext: string, { claim = CLAIM, cited = {}, markerOffset, ...rest }: Example = {}): string {
  const replaced = replaceCitation(wikitext, {
    claim: { text: claim, markerOffset: markerOffset ?? claim.length },
    cited: cited === null ? null : { url: 'http://a.example/1', name: null, form: 'ref', text: 'A page', ...cited },
    source,
    accessDate: '2026-11-20',
    ...rest,
  });
  return replaced.kind === 'replaced' ? replaced.wikitext : replaced.kind;
}

describe('which citation', () => {
  test('the one behind the claim is replaced, and nothing else', () => {
    const text = `It opened in 1880.<ref>http://a.example/1</ref> The [[water mill|mill]] at Orrin closed in 1931.<ref>http://a.example/1</ref> End.`;
    expect(replace(text)).toBe(
      `It opened in 1880.<ref>http://a.example/1</ref> The [[water mill|mill]] at Orrin closed in 1931.${NEW} End.`,
    );
  });

  test('of adjacent references the one that is meant', () => {
    const text = `${CLAIM}<ref>http://a.example/1</ref><ref>http://b.example/2</ref>`;
    expect(replace(text, { cited: { url: 'http://b.example/2' } })).toBe(`${CLAIM}<ref>http://a.example/1</ref>${NEW}`);
  });

  test('of two sentences that differ in one number the right one, also behind the same reference', () => {
    const text =
      'In 1900 the parish of Orrin had two mills, one inn and 310 people.<ref name="c">http://a.example/1</ref> ' +
      'In 1950 the parish of Orrin had two mills, one inn and 290 people.<ref name="c" />';
    const claim = 'In 1950 the parish of Orrin had two mills, one inn and 290 people.';
    expect(replace(text, { claim, cited: { name: 'c' } })).toBe(text.replace('<ref name="c" />', NEW));
  });

  test('behind a claim that a template shows a part of', () => {
    const text = 'The leat is {{convert|2|km|mi}} long and fed the mill at Orrin.<ref>http://a.example/1</ref>';
    const claim = 'The leat is 2 kilometres (1.2 mi) long and fed the mill at Orrin.';
    expect(replace(text, { claim })).toBe(text.replace(/<ref>.*/, NEW));
  });

  test('in mid-sentence, by what follows it', () => {
    const text =
      'In 1931<ref>http://a.example/1</ref> the inn burned down. In 1931<ref>http://a.example/1</ref> the mill closed.';
    const claim = 'In 1931 the mill closed.';
    expect(replace(text, { claim, markerOffset: 7 })).toBe(
      `In 1931<ref>http://a.example/1</ref> the inn burned down. In 1931${NEW} the mill closed.`,
    );
  });

  test('by its text where it has no address in the wikitext', () => {
    const text = `${CLAIM}<ref>{{cite book |last=Tull |title=Mills of the bay |year=1998}}</ref><ref>{{cite book |last=Orme |title=Inns |year=1950}}</ref>`;
    const cited = { url: null, text: 'Orme (1950). Inns.' };
    expect(replace(text, { cited })).toBe(text.replace(/<ref>\{\{cite book \|last=Orme.*/, NEW));
  });

  test.each([
    [
      'an identifier',
      '{{cite journal |vauthors=Tull J |doi=10.1000/mill.7 |issue=}}',
      'https://doi.org/10.1000/mill.7',
    ],
    ['an address in running text', 'Mills, http://a.example/x?y=1, accessed in May', 'http://a.example/x?y=1'],
  ])('by %s', (_form, content, url) => {
    const text = `${CLAIM}<ref>http://b.example/</ref><ref>${content}</ref>`;
    expect(replace(text, { cited: { url } })).toBe(`${CLAIM}<ref>http://b.example/</ref>${NEW}`);
  });

  test('behind words in brackets, in a caption with links, and behind entities', () => {
    const claim = 'The stone of "Or[r]in" weighs 3 t.';
    const text = `[[File:a.jpg|thumb|The [[stone|stone]] of "Or[r]in" weighs 3&nbsp;t.<ref>http://a.example/1</ref>]]`;
    expect(replace(text, { claim })).toBe(text.replace(/<ref>.*<\/ref>/, NEW));
  });

  test('in mid-sentence before an entity', () => {
    const text = 'The mill at Orrin<ref>http://a.example/1</ref> ground 3&nbsp;t of oats a year.';
    expect(replace(text, { claim: 'The mill at Orrin ground 3 t of oats a year.', markerOffset: 17 })).toContain(NEW);
  });

  test('a short footnote, told from its neighbour', () => {
    const text = `${CLAIM}{{sfn|Tull|1998|p=4}}{{sfn|Orme|1950|p=12}} It burnt.`;
    const cited = { form: 'short_footnote' as const, text: 'Orme 1950, p. 12.' };
    expect(replace(text, { cited })).toBe(`${CLAIM}{{sfn|Tull|1998|p=4}}${NEW} It burnt.`);
  });

  test('a short footnote that is written as a reference', () => {
    const text = `${CLAIM}<ref>{{harvnb|Tull|1998|p=4}}</ref> It burnt.`;
    const cited = { form: 'short_footnote' as const, text: 'Tull 1998, p. 4.' };
    expect(replace(text, { cited })).toBe(`${CLAIM}${NEW} It burnt.`);
  });

  test('in the row of a table, told from the same number in another row', () => {
    const text =
      '\n{| class="wikitable"\n! Mill !! Closed\n|-\n| Orrin || 1931<ref>http://a.example/1</ref>\n' +
      '|-\n| style="x" | [[Tack|Tack mill]] || 1931<ref>http://a.example/1</ref>\n|}';
    const claim = 'Mill: Tack mill; Closed: 1931';
    const end = text.lastIndexOf('<ref>');
    expect(replace(text, { claim })).toBe(`${text.slice(0, end)}${NEW}\n|}`);
  });

  test('in an infobox, whose labels are not in the wikitext', () => {
    const text = '{{Infobox mill\n| name = Orrin\n| shut = 1931<ref>http://a.example/1</ref>\n| wheels = 2\n}}\nText.';
    expect(replace(text, { claim: 'Closed: 1931' })).toBe(text.replace(/<ref>.*<\/ref>/, NEW));
  });
});

describe('what else the edit must do', () => {
  const named = '<ref name="a">http://a.example/1</ref>';

  test('a named reference moves to its next use', () => {
    const text = `${CLAIM}${named} The inn stayed.<ref name=a />`;
    expect(replace(text)).toBe(`${CLAIM}${NEW} The inn stayed.${named}`);
  });

  test('a named reference moves to the use before it, if there is no other', () => {
    const text = `The inn stayed.<ref name=a /> ${CLAIM}${named}`;
    expect(replace(text)).toBe(`The inn stayed.${named} ${CLAIM}${NEW}`);
  });

  test('a reuse is replaced where the claim stands', () => {
    const text = `The inn stayed.${named} ${CLAIM}<ref name="a" />`;
    expect(replace(text)).toBe(`The inn stayed.${named} ${CLAIM}${NEW}`);
  });

  test.each([
    ['<references>', `<references>\n${named}\n</references>`, '<references>\n\n</references>'],
    ['{{reflist}}', `{{Reflist|refs=\n${named}\n}}`, '{{Reflist|refs=\n\n}}'],
  ])('a reference in %s that nothing uses any more goes with its last use', (_place, list, emptied) => {
    const reuse = '<ref name="a" />';
    expect(replace(`${CLAIM}${reuse}\n${list}`)).toBe(`${CLAIM}${NEW}\n${emptied}`);
    const used = `The inn stayed.${reuse} ${CLAIM}`;
    expect(replace(`${used}${reuse}\n${list}`)).toBe(`${used}${NEW}\n${list}`);
  });

  test('{{citation needed}} gives way to the source', () => {
    const text = `${CLAIM}{{Citation needed|date=May 2026}}`;
    expect(replace(text, { cited: null })).toBe(`${CLAIM}${NEW}`);
  });

  test('{{failed verification}} and the page of the old source go with it', () => {
    const text = `${CLAIM}<ref>http://a.example/1</ref>{{rp|12}}{{failed verification|date=May 2026}} End.`;
    expect(replace(text)).toBe(`${CLAIM}${NEW} End.`);
  });
});

describe('what is not touched', () => {
  const text = `${CLAIM}<ref>http://a.example/1</ref>`;

  test('a claim that is no longer there, or another one', () => {
    expect(replace(text, { claim: 'The lighthouse was automated in spring 1988.' })).toBe('not_found');
    expect(replace(text, { claim: 'The mill at Orrin closed in 1932.' })).toBe('not_found');
    expect(replace(text, { claim: 'Everybody knows that the mill at Orrin closed in 1931.' })).toBe('not_found');
  });

  test('another citation, or one that a comment hides', () => {
    expect(replace(text, { cited: { url: 'http://other.example/' } })).toBe('not_found');
    expect(replace(`<!-- ${text} -->`)).toBe('not_found');
  });

  test('a text inside of a template that encloses it', () => {
    expect(replace(`{{citation needed span|${CLAIM}}}`, { cited: null })).toBe('not_found');
  });

  test('a row that another one is like', () => {
    const row = '|-\n| Orrin || 1931<ref>http://a.example/1</ref>\n';
    expect(replace(`\n{|\n${row}${row}|}`, { claim: 'Mill: Orrin; Closed: 1931' })).toBe('not_found');
  });
});

describe('a hostile source', () => {
  test('stays inside its parameters', () => {
    const title = "A | B}} <script> [[C]]\n{{D ~~~~ __NOTOC__ ''E'' Keeper's & Sons";
    const hostile = { url: 'https://x.example/a|b}}c?d=[e]~~~~', title };
    const replaced = replace(`${CLAIM}<ref>http://a.example/1</ref>`, { source: hostile });
    const parameters = replaced.slice(replaced.indexOf('|url='), replaced.lastIndexOf('}}'));
    expect(parameters.match(/[|{}[\]<>~\n]|''|__/g)).toEqual(['|', '|', '|']);
    expect(parameters).toContain("Keeper's & Sons");
  });

  test.each(['javascript:alert(1)', 'not an address', ''])('that is no page of the web is not cited: “%s”', (url) => {
    expect(replace(`${CLAIM}<ref>http://a.example/1</ref>`, { source: { url, title: 'T' } })).toBe('not_found');
  });
});
