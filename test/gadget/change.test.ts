/** Edits as wikitext: which citation, what changes, what stays. */
import { applySpans, changeWikitext } from '../../gadget/change.ts';
import type { EditKind } from '../../gadget/editing.ts';
import { defaultsFor, parseSiteConfig } from '../../gadget/site-config.ts';
import type { KnownParameters, Work } from '../../gadget/work.ts';
import type { Finding } from '../../shared/citation.ts';

const source = { url: 'https://gazette.example/mill', title: 'The mill closes' };
const NEW = '<ref>{{cite web |url=https://gazette.example/mill |title=The mill closes |access-date=2026-11-20}}</ref>';
const CLAIM = 'The mill at Orrin closed in 1931.';

interface Example {
  kind?: EditKind;
  claim?: string;
  context?: string;
  markerOffset?: number;
  cited?: Partial<Finding['citations'][0]> | null;
  source?: Partial<Work>;
  verdict?: Finding['verdict'];
  config?: unknown;
  language?: string;
  parameters?: KnownParameters;
  newTemplate?: string | null;
}

/** The page after the edit, or why there is none. */
function edit(wikitext: string, example: Example = {}): string {
  const {
    kind = 'replace',
    claim = CLAIM,
    context = '',
    cited = {},
    config,
    language = 'en',
    parameters = null,
  } = example;
  const citation = { url: 'http://a.example/1', name: null, form: 'ref', text: 'A page', score: 0.1, ...cited };
  const finding = {
    claim: { text: claim, context, markerOffset: example.markerOffset ?? claim.length },
    citations: cited === null ? [] : [citation],
    verdict: example.verdict ?? 'not_supported',
  } as unknown as Finding; // all that an edit looks at
  const settings = config === undefined ? defaultsFor(language) : parseSiteConfig(config, language);
  const now = new Date('2026-11-20T12:00:00Z');
  const newTemplate = example.newTemplate === undefined ? 'cite web' : example.newTemplate;
  const changed = changeWikitext(wikitext, kind, {
    finding,
    style: { config: settings, language, now, parameters, newTemplate },
    work: { ...NOTHING, ...source, ...example.source },
    tagTemplate: settings.templates.failedVerification[0] ?? null,
  });
  return 'why' in changed ? changed.why : applySpans(wikitext, changed.spans);
}

const NOTHING: Work = { url: '', title: '', website: '', date: '', authors: [], type: 'webpage', quote: '', page: '' };

describe('which citation', () => {
  test('the one behind the claim is replaced, and nothing else', () => {
    const text = `It opened in 1880.<ref>http://a.example/1</ref> The [[water mill|mill]] at Orrin closed in 1931.<ref>http://a.example/1</ref> End.`;
    expect(edit(text)).toBe(
      `It opened in 1880.<ref>http://a.example/1</ref> The [[water mill|mill]] at Orrin closed in 1931.${NEW} End.`,
    );
  });

  test('of adjacent references the one that is meant', () => {
    const text = `${CLAIM}<ref>http://a.example/1</ref><ref>http://b.example/2</ref>`;
    expect(edit(text, { cited: { url: 'http://b.example/2' } })).toBe(`${CLAIM}<ref>http://a.example/1</ref>${NEW}`);
  });

  test('of two sentences that differ in one number the right one, also behind the same reference', () => {
    const text =
      'In 1900 the parish of Orrin had two mills, one inn and 310 people.<ref name="c">http://a.example/1</ref> ' +
      'In 1950 the parish of Orrin had two mills, one inn and 290 people.<ref name="c" />';
    const claim = 'In 1950 the parish of Orrin had two mills, one inn and 290 people.';
    expect(edit(text, { claim, cited: { name: 'c' } })).toBe(text.replace('<ref name="c" />', NEW));
  });

  test('behind a claim that a template shows a part of', () => {
    const text = 'The leat is {{convert|2|km|mi}} long and fed the mill at Orrin.<ref>http://a.example/1</ref>';
    const claim = 'The leat is 2 kilometres (1.2 mi) long and fed the mill at Orrin.';
    expect(edit(text, { claim })).toBe(text.replace(/<ref>.*/, NEW));
  });

  test('in mid-sentence, by what follows it', () => {
    const text =
      'In 1931<ref>http://a.example/1</ref> the inn burned down. In 1931<ref>http://a.example/1</ref> the mill closed.';
    const claim = 'In 1931 the mill closed.';
    expect(edit(text, { claim, markerOffset: 7 })).toBe(
      `In 1931<ref>http://a.example/1</ref> the inn burned down. In 1931${NEW} the mill closed.`,
    );
  });

  test('by its text where it has no address in the wikitext', () => {
    const text = `${CLAIM}<ref>{{cite book |last=Tull |title=Mills of the bay |year=1998}}</ref><ref>{{cite book |last=Orme |title=Inns |year=1950}}</ref>`;
    const cited = { url: null, text: 'Orme (1950). Inns.' };
    const book = '{{cite book |title=The mill closes |url=https://gazette.example/mill |access-date=2026-11-20}}';
    expect(edit(text, { cited })).toBe(text.replace(/\{\{cite book \|last=Orme.*\}\}/, book));
  });

  test('by an identifier', () => {
    const journal = '{{cite journal |vauthors=Tull J |doi=10.1000/mill.7 |issue=}}';
    const text = `${CLAIM}<ref>http://b.example/</ref><ref>${journal}</ref>`;
    const url = 'https://doi.org/10.1000/mill.7';
    expect(edit(text, { cited: { url } })).toBe(text.replace(journal, NEW.slice(5, -6).replace('web', 'journal')));
  });

  test('by an address in running text', () => {
    const text = `${CLAIM}<ref>http://b.example/</ref><ref>Mills, http://a.example/x?y=1, accessed in May</ref>`;
    const cited = { url: 'http://a.example/x?y=1' };
    expect(edit(text, { cited })).toBe(`${CLAIM}<ref>http://b.example/</ref>${NEW}`);
  });

  test('of the same sentence twice, the one in the claim’s paragraph', () => {
    const reference = '<ref>http://a.example/1</ref>';
    const text = `The inn stayed open for long. ${CLAIM}${reference}\n\nThe bakery was sold in spring. ${CLAIM}${reference}`;
    const context = 'The bakery was sold in spring.';
    expect(edit(text, { context })).toBe(text.replace(/<ref>(?!.*<ref>).*$/s, NEW));
    expect(edit(text)).toBe('ambiguous');
  });

  test('behind words in brackets, in a caption with links, and behind entities', () => {
    const claim = 'The stone of "Or[r]in" weighs 3 t.';
    const text = `[[File:a.jpg|thumb|The [[stone|stone]] of "Or[r]in" weighs 3&nbsp;t.<ref>http://a.example/1</ref>]]`;
    expect(edit(text, { claim })).toBe(text.replace(/<ref>.*<\/ref>/, NEW));
  });

  test('in mid-sentence before an entity', () => {
    const text = 'The mill at Orrin<ref>http://a.example/1</ref> ground 3&nbsp;t of oats a year.';
    expect(edit(text, { claim: 'The mill at Orrin ground 3 t of oats a year.', markerOffset: 17 })).toContain(NEW);
  });

  test('a short footnote, told from its neighbour', () => {
    const text = `${CLAIM}{{sfn|Tull|1998|p=4}}{{sfn|Orme|1950|p=12}} It burnt.`;
    const cited = { form: 'short_footnote' as const, text: 'Orme 1950, p. 12.' };
    expect(edit(text, { cited })).toBe(`${CLAIM}{{sfn|Tull|1998|p=4}}${NEW} It burnt.`);
  });

  test('a short footnote that is written as a reference', () => {
    const text = `${CLAIM}<ref>{{harvnb|Tull|1998|p=4}}</ref> It burnt.`;
    const cited = { form: 'short_footnote' as const, text: 'Tull 1998, p. 4.' };
    expect(edit(text, { cited })).toBe(`${CLAIM}${NEW} It burnt.`);
  });

  test('in the row of a table, told from the same number in another row', () => {
    const text =
      '\n{| class="wikitable"\n! Mill !! Closed\n|-\n| Orrin || 1931<ref>http://a.example/1</ref>\n' +
      '|-\n| style="x" | [[Tack|Tack mill]] || 1931<ref>http://a.example/1</ref>\n|}';
    const claim = 'Mill: Tack mill; Closed: 1931';
    const end = text.lastIndexOf('<ref>');
    expect(edit(text, { claim })).toBe(`${text.slice(0, end)}${NEW}\n|}`);
  });

  test('in an infobox, whose labels are not in the wikitext', () => {
    const text = '{{Infobox mill\n| name = Orrin\n| shut = 1931<ref>http://a.example/1</ref>\n| wheels = 2\n}}\nText.';
    expect(edit(text, { claim: 'Closed: 1931' })).toBe(text.replace(/<ref>.*<\/ref>/, NEW));
  });
});

describe('what else the edit must do', () => {
  const named = '<ref name="a">http://a.example/1</ref>';

  test('a named reference moves to its next use', () => {
    const text = `${CLAIM}${named} The inn stayed.<ref name=a />`;
    expect(edit(text)).toBe(`${CLAIM}${NEW} The inn stayed.${named}`);
  });

  test('a named reference moves to the use before it, if there is no other', () => {
    const text = `The inn stayed.<ref name=a /> ${CLAIM}${named}`;
    expect(edit(text)).toBe(`The inn stayed.${named} ${CLAIM}${NEW}`);
  });

  test('a reuse is replaced where the claim stands', () => {
    const text = `The inn stayed.${named} ${CLAIM}<ref name="a" />`;
    expect(edit(text)).toBe(`The inn stayed.${named} ${CLAIM}${NEW}`);
  });

  test.each([
    ['<references>', `<references>\n${named}\n</references>`],
    ['{{reflist}}', `{{Reflist|refs=\n${named}\n}}`],
  ])('a reference in %s that nothing else uses is changed there', (_place, list) => {
    const changed = list.replace('http://a.example/1', NEW.slice(5, -6));
    expect(edit(`${CLAIM}<ref name="a" />\n${list}`)).toBe(`${CLAIM}<ref name="a" />\n${changed}`);
    expect(edit(`${CLAIM}{{r|a}}\n${list}`, { cited: { name: 'a' } })).toBe(`${CLAIM}{{r|a}}\n${changed}`);
    const used = `The inn stayed.<ref name="a" /> ${CLAIM}`;
    expect(edit(`${used}<ref name="a" />\n${list}`)).toBe(`${used}${NEW}\n${list}`);
  });

  test('{{citation needed}} gives way to the source', () => {
    const text = `${CLAIM}{{Citation needed|date=May 2026}}`;
    expect(edit(text, { cited: null })).toBe(`${CLAIM}${NEW}`);
  });

  test('{{failed verification}} and the page of the old source go with it', () => {
    const text = `${CLAIM}<ref>http://a.example/1</ref>{{rp|12}}{{failed verification|date=May 2026}} End.`;
    expect(edit(text)).toBe(`${CLAIM}${NEW} End.`);
  });
});

describe('what is not touched', () => {
  const text = `${CLAIM}<ref>http://a.example/1</ref>`;

  test('a claim that is no longer there, or another one', () => {
    expect(edit(text, { claim: 'The lighthouse was automated in spring 1988.' })).toBe('not_found');
    expect(edit(text, { claim: 'The mill at Orrin closed in 1932.' })).toBe('not_found');
    expect(edit(text, { claim: 'Everybody knows that the mill at Orrin closed in 1931.' })).toBe('not_found');
  });

  test('another citation, or one that a comment hides', () => {
    expect(edit(text, { cited: { url: 'http://other.example/' } })).toBe('not_found');
    expect(edit(`<!-- ${text} -->`)).toBe('not_found');
  });

  test('a text inside of a template that encloses it', () => {
    expect(edit(`{{citation needed span|${CLAIM}}}`, { cited: null })).toBe('enclosed');
  });

  test('a row that another one is like', () => {
    const row = '|-\n| Orrin || 1931<ref>http://a.example/1</ref>\n';
    expect(edit(`\n{|\n${row}${row}|}`, { claim: 'Mill: Orrin; Closed: 1931' })).toBe('ambiguous');
  });
});

describe('a hostile source', () => {
  test('stays inside its parameters', () => {
    const title = "A | B}} <script> [[C]]\n{{D ~~~~ __NOTOC__ ''E'' Keeper's & Sons";
    const hostile = { url: 'https://x.example/a|b}}c?d=[e]~~~~', title };
    const replaced = edit(`${CLAIM}<ref>http://a.example/1</ref>`, { source: hostile });
    const parameters = replaced.slice(replaced.indexOf('|url='), replaced.lastIndexOf('}}'));
    expect(parameters.match(/[|{}[\]<>~\n]|''|__/g)).toEqual(['|', '|', '|']);
    expect(parameters).toContain("Keeper's & Sons");
  });

  test.each(['javascript:alert(1)', 'not an address', ''])('that is no page of the web is not cited: “%s”', (url) => {
    expect(edit(`${CLAIM}<ref>http://a.example/1</ref>`, { source: { url, title: 'T' } })).toBe('no_address');
  });
});

describe('the template of the old citation', () => {
  const replaced = (reference: string, example: Example = {}) => {
    const cited = { url: 'http://a.example/1', ...example.cited };
    const whole = edit(`${CLAIM}<ref>${reference}</ref>`, { ...example, cited });
    return whole.startsWith(CLAIM) ? whole.slice(CLAIM.length + 5, -6) : whole;
  };

  test('stays, with its layout; what is the old work’s goes', () => {
    const old =
      '{{cite news|url=http://a.example/1|title=A|author=Tull|work=Post|date=1 May 2010|archive-url=http://x.example|ref=none|mode=cs2}}';
    expect(replaced(old, { source: { website: 'The Gazette', date: '2024-03-05' } })).toBe(
      '{{cite news|url=https://gazette.example/mill|title=The mill closes|work=The Gazette|date=5 March 2024|mode=cs2|access-date=2026-11-20}}',
    );
  });

  test('stays a block, with its signs below one another', () => {
    const old = `{{Cite web
 | url         = http://a.example/1
 | title       = A <!-- sic -->
 | last        = Tull
 | access-date = May 1, 2010
}}`;
    expect(replaced(old, { source: { date: '2024' } })).toBe(`{{Cite web
 | url         = https://gazette.example/mill
 | title       = The mill closes
 | access-date = November 20, 2026
 | date        = 2024
}}`);
  });

  test.each([
    ['1 May 2010', '20 November 2026'],
    ['May 1, 2010', 'November 20, 2026'],
    ['2010-05-01', '2026-11-20'],
    ['01.05.2010', '20.11.2026'],
    ['some day', '2026-11-20'],
  ])('an access date like %s is followed by %s', (before, after) => {
    expect(replaced(`{{cite web |url=http://a.example/1 |title=A |access-date=${before}}}`)).toContain(`=${after}}}`);
  });

  test('a quote and a page stand where they stood before, as those of the new source', () => {
    const old = '{{cite web |url=http://a.example/1 |title=A |quote=Old words. |page=7 |access-date=2010-01-01}}';
    const work = { quote: 'It closed in 1931.', page: '12' };
    expect(replaced(old, { source: work })).toContain('|quote=It closed in 1931. |page=12 |');
    expect(replaced('{{cite web |url=http://a.example/1 |title=A}}', { source: work })).not.toContain('quote');
    expect(replaced(old)).not.toMatch(/quote|page/);
  });

  test('is written in the wiki’s own names', () => {
    const old = '{{Internetquelle |url=http://a.example/1 |titel=A |werk=Post |abruf=2010-05-01 |autor=Tull}}';
    const parameters = { url: ['url'], title: ['titel'], website: ['werk'], accessDate: ['abruf'], date: ['datum'] };
    expect(replaced(old, { parameters, source: { website: 'Gazette', date: '2024-03-05' }, language: 'de' })).toBe(
      '{{Internetquelle |url=https://gazette.example/mill |titel=The mill closes |werk=Gazette |abruf=2026-11-20 |datum=2024-03-05}}',
    );
  });

  test('that is not known to cite gives way to the wiki’s own', () => {
    expect(replaced('{{Tull 1998|p=4}} http://a.example/1')).toBe(NEW.slice(5, -6));
    expect(replaced('http://a.example/1', { newTemplate: null })).toBe(
      '[https://gazette.example/mill The mill closes]. 2026-11-20.',
    );
  });

  test('authors that are known take the place of the old ones', () => {
    const authors = [
      { first: 'Ann', last: 'Orme' },
      { first: '', last: 'Pell' },
    ];
    expect(
      replaced('{{cite web |last=Tull |first=J |url=http://a.example/1 |title=A}}', { source: { authors } }),
    ).toMatch(/\|last1=Orme \|first1=Ann \|last2=Pell\}\}$/);
  });

  test('one of several in a reference is changed alone, where its address tells it', () => {
    const other = '{{cite web |url=http://b.example/2 |title=B}}';
    const old = '{{cite web |url=http://a.example/1 |title=A}}';
    const now = NEW.slice(5, -6);
    expect(replaced(`${old}; ${other}.`)).toBe(`${now}; ${other}.`);
    expect(replaced(`${old}; ${old}`)).toBe('bundled');
    expect(replaced(`${old} See also http://b.example/2`)).toBe('bundled');
    expect(replaced('http://a.example/1 and http://b.example/2')).toBe('bundled');
    expect(replaced(`${old}. {{webarchive |url=http://web.archive.org/web/2010/http://a.example/1}}, p. 4`)).toBe(now);
  });

  test('that short footnotes lead to is not taken from them', () => {
    const book = '{{cite book |last=Tull |year=1998 |title=Mills |url=http://a.example/1}}';
    const text = `${CLAIM}<ref>${book}</ref> The inn stayed.{{sfn|Tull|1998|p=4}}`;
    expect(edit(text)).toBe('cited_by_footnotes');
    expect(edit(text.replace('Tull|1998|p', 'Orme|1998|p'))).toContain('gazette.example');
  });
});

describe('other forms of references', () => {
  const named = '<ref name="a">http://a.example/1</ref>';

  test('a named reference that nothing else uses keeps its name and group', () => {
    const text = `${CLAIM}<ref name="a" group='n'>http://a.example/1</ref>`;
    expect(edit(text)).toBe(text.replace('http://a.example/1', NEW.slice(5, -6)));
  });

  test('{{r}} with one name is replaced, with several only that name', () => {
    const text = (uses: string) => `The inn stayed.${named}<ref name="b">B</ref><ref name="c">C</ref> ${CLAIM}${uses}`;
    const cited = { name: 'b', url: null };
    expect(edit(text('{{r|b}}'), { cited })).toBe(text(NEW));
    expect(edit(text('{{r|a|b|c}}'), { cited })).toBe(text(`{{r|a}}${NEW}{{r|c}}`));
    expect(edit(text('{{r|a|b|p1=4}}'), { cited })).toBe('unusual_form');
  });

  test('a definition moves to {{r}}, where this says no more than its name', () => {
    expect(edit(`${CLAIM}${named} The inn stayed.{{r|a}}`)).toBe(`${CLAIM}${NEW} The inn stayed.${named}`);
    expect(edit(`${CLAIM}${named} The inn stayed.{{r|a|p=4}}`)).toBe('unusual_form');
    expect(edit(`${CLAIM}${named} The inn stayed.{{r|b|a}}<ref name="b">B</ref>`)).toBe('unusual_form');
  });

  test('{{refn}} with a citation in it', () => {
    const text = `${CLAIM}{{refn|group=n|{{cite web |url=http://a.example/1 |title=A}}}}`;
    expect(edit(text)).toBe(
      `${CLAIM}{{refn|group=n|{{cite web |url=https://gazette.example/mill |title=The mill closes |access-date=2026-11-20}}}}`,
    );
  });

  test('a reference in {{refn}}', () => {
    const text = `The inn stayed.{{refn|${CLAIM}<ref>http://a.example/1</ref>}} End.`;
    expect(edit(text)).toBe(text.replace(/<ref>.*<\/ref>/, NEW));
  });
});

describe('a source beside the cited one', () => {
  const add = (text: string, example: Example = {}) => edit(text, { ...example, kind: 'add' });

  test('its day is written as that of the citation beside it', () => {
    const cited = '<ref>{{cite web |url=http://a.example/1 |title=A |access-date=8 March 2022}}</ref>';
    expect(add(`${CLAIM}${cited}`)).toContain('|title=The mill closes |access-date=20 November 2026}}');
  });
  const old = '<ref>http://a.example/1</ref>';

  test('stands behind it, its pages and its tag', () => {
    expect(add(`${CLAIM}${old} End.`)).toBe(`${CLAIM}${old}${NEW} End.`);
    const tagged = `${CLAIM}${old}{{rp|4}}{{fv|date=May 2026}}`;
    expect(add(`${tagged}<ref>http://b.example/2</ref> End.`)).toBe(
      `${tagged}${NEW}<ref>http://b.example/2</ref> End.`,
    );
    expect(add(`${CLAIM}{{sfn|Tull|1998}}.`, { cited: { form: 'short_footnote', text: 'Tull 1998.' } })).toBe(
      `${CLAIM}{{sfn|Tull|1998}}${NEW}.`,
    );
  });

  test('is not cited twice', () => {
    expect(add(`${CLAIM}${old}<ref>https://www.gazette.example/mill/</ref>`)).toBe('already_cited');
    expect(edit(`${CLAIM}${old}<ref name="g" /> <ref name="g">https://gazette.example/mill</ref>`)).toBe(
      'already_cited',
    );
  });

  test('has the template that its wiki has for such works', () => {
    const source = { type: 'newspaperArticle', website: 'Gazette', date: '2024-03-05' };
    expect(add(`${CLAIM}${old}`, { source, newTemplate: 'cite news' })).toContain(
      '<ref>{{cite news |url=https://gazette.example/mill |title=The mill closes |website=Gazette |date=2024-03-05 |access-date=',
    );
  });
});

describe('a tag', () => {
  const tag = (text: string, example: Example = {}) => edit(text, { ...example, kind: 'tag' });
  const untag = (text: string, example: Example = {}) => edit(text, { ...example, kind: 'untag' });
  const old = '<ref>http://a.example/1</ref>';
  const TAG = '{{failed verification|date=November 2026|reason=the source does not say this}}';

  test('stands right behind the citation and its pages, with month and reason', () => {
    expect(tag(`${CLAIM}${old}{{rp|4}} End.`)).toBe(`${CLAIM}${old}{{rp|4}}${TAG} End.`);
    expect(tag(`${CLAIM}${old}<ref>B</ref>.`, { verdict: 'contradicted' })).toBe(
      `${CLAIM}${old}{{failed verification|date=November 2026|reason=the source says otherwise}}<ref>B</ref>.`,
    );
  });

  test('is not set twice, by whatever name', () => {
    expect(tag(`${CLAIM}${old} {{Not in source}}`)).toBe('already_tagged');
    expect(tag(`${CLAIM}${old}{{rp|4}}{{fv}}`)).toBe('already_tagged');
  });

  test('is called and dated as the wiki wants', () => {
    const config = {
      templates: { failedVerification: ['Belege prüfen', 'Nicht in Quelle'] },
      parameters: { tagDate: ['Datum'], tagReason: 'Grund' },
      dates: { tag: 'j. F Y' },
      reasons: { source_silent: 'steht nicht da' },
    };
    const german = { config, language: 'de' };
    const tagged = `${CLAIM}${old}{{Belege prüfen|Datum=20. November 2026|Grund=steht nicht da}}`;
    expect(tag(`${CLAIM}${old}`, german)).toBe(tagged);
    expect(untag(tagged, german)).toBe(`${CLAIM}${old}`);
    expect(untag(`${CLAIM}${old}{{Nicht in Quelle}}`, german)).toBe(`${CLAIM}${old}`);
    expect(tag(`${CLAIM}${old}`, { config: { templates: { failedVerification: [] } } })).toBe('no_template');
  });

  test('is removed, with the blank before it', () => {
    expect(untag(`${CLAIM}${old} {{failed verification|date=May 2026}} End.`)).toBe(`${CLAIM}${old} End.`);
    expect(untag(`${CLAIM}${old}{{fv}}<ref>B</ref>`)).toBe(`${CLAIM}${old}<ref>B</ref>`);
  });

  test('of two behind one claim that of the citation is removed', () => {
    const text = `${CLAIM}${old}{{fv}}<ref>http://b.example/2</ref>{{fv}}`;
    expect(untag(text)).toBe(`${CLAIM}${old}<ref>http://b.example/2</ref>{{fv}}`);
    expect(untag(text, { cited: { url: 'http://c.example/' } })).toBe('ambiguous');
  });

  test('that is not there, or stands around its text, is left alone', () => {
    expect(untag(`${CLAIM}${old} Other words.{{fv}}`)).toBe('not_tagged');
    expect(untag(`{{failed verification span|text=${CLAIM}|date=May 2026}}${old}`)).toBe('enclosed');
    expect(untag(`${CLAIM}${old}<!-- {{fv}} -->`)).toBe('not_tagged');
  });
});
