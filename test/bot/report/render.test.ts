import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { Mwn } from 'mwn';
import { z } from 'zod';
import { renderTable } from '../../../bot/report/render.ts';
import type { Finding } from '../../../shared/citation.ts';
import { parseUrl } from '../../../shared/url.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { tell } from './findings.ts';

/** What breaks pages where it is not escaped. */
const HOSTILE = [
  ']]{{delete}}[[Category:Mills]]<nowiki>',
  '</nowiki>{{PAGENAME}}<nowiki/>',
  '|}\n{|\n|-\n! a !! b\n| c || d',
  '\n* item\n# item\n: item\n; term\n== Heading ==\n----\n preformatted',
  "'''bold''' ''italics'' ~~~~ ~~~ {{subst:PAGENAME}}",
  '__TOC__ __NOINDEX__ __NEWSECTIONLINK__ #REDIRECT [[Mill]]',
  '[[User:Admin]] [[User talk:Admin|Admin]] @Admin [[:Category:Mills]] [[Mill]] [[w:Mill]]',
  '[[File:Mill.png|thumb|x]] http://images.example/a.png [http://spam.example spam] //spam.example mailto:a@spam.example',
  'ISBN 978-0-306-40615-7 RFC 2324 PMID 12345 rfc 1',
  '<ref>x</ref><references /><script>alert(1)</script><b onclick="x">y</b><div style="position:fixed">',
  '<!-- Sidelight report end --> <!-- open &lt;b&gt; &#91;&#91;Mill&#93;&#93; &nbsp; &amp;lt;',
  '-{zh-hans:a;zh-hant:b}- {{{1}}} {{#if:x|y}} {{Sidelight report|max=9}}',
  '\u0338 begins with a mark that merges',
  '\ud800 half a character \u0000\u0007 control \u202e turned \ufffe',
  '\u007f\'"`UNIQ--nowiki-00000001-QINU`"\'\u007f',
  'Größe „10 m²“ – 5 °C, 50 % – naïve 日本語 العربية 😀',
];

describeWith(['wiki'], 'a report that the wiki renders', () => {
  let wiki: TestWiki;
  let mwn: Mwn;

  beforeAll(async () => {
    wiki = await startWiki();
    mwn = new Mwn({ apiUrl: wiki.apiUrl, userAgent: 'test', silent: true, suppressAPIWarnings: true });
  });
  afterAll(() => wiki?.stop());

  const prefixes = new Map([
    ['user', 2],
    ['category', 14],
    ['file', 6],
  ]);

  function render(findings: readonly Finding[], options: Partial<Parameters<typeof renderTable>[1]> = {}) {
    return renderTable(
      findings.map((finding, at) => ({ id: at + 1, finding })),
      {
        wikiOrigins: [wiki.origin],
        indexPath: '/w/index.php',
        prefixes,
        unlinkable: new Set(),
        reviewUrl: 'https://review.example',
        total: findings.length,
        room: 1e6,
        ...options,
      },
    );
  }

  /** As it would be shown after it was saved. */
  async function parse(text: string) {
    const prop = 'text|templates|categories|links|externallinks|images|iwlinks|sections|properties';
    const asked = {
      action: 'parse',
      title: 'Project:Mills',
      contentmodel: 'wikitext',
      pst: true,
      disablelimitreport: true,
    };
    const { parse } = Parsed.parse(await mwn.request({ ...asked, prop, text }));
    return { ...parse, document: parseHTML(`<body>${parse.text}</body>`).document };
  }

  function rowsOf({ document }: Awaited<ReturnType<typeof parse>>) {
    return [...document.querySelectorAll('table tr')].map((row) => [...row.children]);
  }

  /** Nothing but our table, its links and quotes. */
  async function expectHarmless(findings: readonly Finding[]) {
    const parsed = await parse(render(findings).text);
    const { document, links, externallinks, ...others } = parsed;
    const { templates, categories, images, iwlinks, sections, properties } = others;
    expect({ templates, categories, images, iwlinks, sections, properties }).toEqual({
      templates: [],
      categories: [],
      images: [],
      iwlinks: [],
      sections: [],
      properties: {},
    });
    expect(links.filter(({ ns }) => ns !== 0)).toEqual([]);
    const rows = rowsOf(parsed);
    expect(rows).toHaveLength(findings.length + 1);
    expect(new Set(rows.map((cells) => cells.length))).toEqual(new Set([6]));
    expect(document.querySelectorAll('table').length).toBe(1);
    const used = new Set([...document.querySelectorAll('body *')].map(({ localName }) => localName));
    expect([...used].filter((name) => !OURS.has(name))).toEqual([]);
    findings.forEach((finding, at) => {
      expect(rows[at + 1]?.[1]?.querySelector('q')?.textContent?.replaceAll('\u00a0', ' ')).toBe(
        shown(finding.claim.text), // but for the wiki's typography: no line break before %
      );
    });
    const linked = new Set(findings.flatMap(hostsOf));
    for (const link of externallinks) expect(linked).toContain(new URL(link).host);
    return parsed;
  }

  function hostsOf({ citations, suggestion }: Finding): string[] {
    const urls = [...citations.map(({ url }) => url), suggestion?.url, 'https://review.example', wiki.origin];
    return urls.flatMap((url) => parseUrl(url ?? '')?.host ?? []);
  }

  test('shows hostile claims, quotes and titles word by word, and lets them do nothing', async () => {
    const findings = HOSTILE.map((words, at) =>
      tell(wiki.origin.slice(7), {
        claim: words,
        quote: words,
        citedTitle: words,
        suggestion: { url: `https://better.example/${at}`, title: words, quote: words },
      }),
    );
    await expectHarmless(findings);
  });

  test('shows what chance makes of such pieces', async () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(...HOSTILE),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('[', ']', '{', '}', '|', '\n', '<', '>', '-', '!', "'"),
      ),
      { minLength: 1, maxLength: 6 },
    );
    const text = words.map((parts) => parts.join('').slice(0, 500)).filter((joined) => joined.trim() !== '');
    const told = fc.record({ claim: text, quote: text, citedTitle: text });
    await expectHarmless(fc.sample(told, { numRuns: 60, seed: 31 }).map((one) => tell(wiki.origin.slice(7), one)));
  });

  test('links what can be linked, and the address stays the same', async () => {
    const urls = [
      'https://a.example/x|y[z]{{w}}',
      "https://a.example/it's''two''?q=<b>&lt;b&gt;&copy=1",
      'https://a.example/__NOTOC__/~~~~/-{x}-',
      'https://a.example/a b\tc\u3000d"e',
      'https://bücher.example/straße?ä=ö#ü',
      'https://a.example/?a=1&amp;b=2&#91;x',
      'HTTPS://A.example:8443/%41%5B',
    ];
    const parsed = await expectHarmless(
      urls.map((url, at) => tell(wiki.origin.slice(7), { url, claim: `Claim ${at}.` })),
    );
    const linked = rowsOf(parsed)
      .slice(1)
      .map((cells) => cells[3]?.querySelector('a')?.getAttribute('href') ?? '');
    expect(linked.map(decoded)).toEqual(urls.map((url) => decoded(new URL(url).href)));
  });

  test('shows addresses that must not be linked as text', async () => {
    const urls = [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.example/',
      'https://user:secret@a.example/',
      'https://[::1]/',
      'https://archive.today/abcde',
      'https://bad.example/page',
      `https://a.example/${'x'.repeat(3000)}`,
      'no address',
    ];
    const findings = urls.map((url, at) =>
      tell(wiki.origin.slice(7), { url, citedTitle: url.slice(0, 1000), claim: `Claim ${at}.` }),
    );
    const parsed = await parse(render(findings, { unlinkable: new Set(['bad.example']) }).text);
    const cells = rowsOf(parsed)
      .slice(1)
      .map((row) => row[3]);
    expect(cells.flatMap((cell) => [...(cell?.querySelectorAll('a') ?? [])])).toEqual([]);
    expect(cells.map((cell) => cell?.textContent?.trim())).toEqual(urls.map((url) => url.slice(0, 1000)));
  });

  test('links articles, whatever their titles, and nothing else', async () => {
    const titles = [
      'AC/DC',
      "Rock 'n' Roll",
      'C++',
      '100% (album)',
      'Mill & Sons; Ltd',
      'Ölmühle “A”',
      '-30-',
      'Foo: the Bar',
      '.hack//Sign',
      "''Mill''",
      '*Mill',
    ];
    const others = [
      'User:Admin',
      'user: Admin',
      'Category:Mills',
      'File:Mill.png',
      'A]]{{delete}}',
      'a|b',
      'x#y',
      '%41dmin',
      ':Mill',
      '../Mill',
      '&#85;ser:Admin',
    ];
    const findings = [...titles, ...others].map((title, at) =>
      tell(wiki.origin.slice(7), { title, claim: `Claim ${at}.` }),
    );
    const parsed = await expectHarmless(findings);
    expect(parsed.links.map(({ title }) => title).sort()).toEqual([...titles].sort());
    const shownTitles = rowsOf(parsed)
      .slice(1)
      .map((cells) => cells[0]?.textContent?.trim());
    expect(shownTitles).toEqual([...titles, ...others]);
  });

  test('says what was found, and quotes what was read', async () => {
    const [row] = rowsOf(
      await parse(
        render([
          tell(wiki.origin.slice(7), {
            verdict: 'contradicted',
            quote: 'The mill closed in 1935.',
            suggestion: {
              url: 'https://better.example/mill',
              title: 'Mills of the bay',
              quote: 'It shut its doors in 1931.',
            },
          }),
        ]).text,
      ),
    ).slice(1);
    expect(row?.map((cell) => cell.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      'Orrin Bay',
      'revision: The mill at Orrin Bay closed in 1931.',
      'Contradicted',
      'The mill: The mill closed in 1935.',
      'Mills of the bay: It shut its doors in 1931.',
      '1',
    ]);
    const hrefs = row?.flatMap((cell) => [...cell.querySelectorAll('a')].map((link) => link.getAttribute('href')));
    expect(hrefs).toEqual([
      expect.stringContaining('title=Orrin_Bay'),
      expect.stringMatching(/title=Orrin_Bay&oldid=12#:~:text=The%20mill/),
      expect.stringMatching(/^https:\/\/orrin\.example\/mill#:~:text=The%20mill%20closed/),
      expect.stringMatching(/^https:\/\/better\.example\/mill#:~:text=/),
      'https://review.example/findings/1',
    ]);
  });

  test('says why a source was not read, and does not quote what a person gave in private', async () => {
    const findings = [
      tell(wiki.origin.slice(7), { verdict: 'unavailable', reason: 'paywall', claim: 'One.' }),
      tell(wiki.origin.slice(7), { quote: 'Private words.', given: true, claim: 'Two.' }),
      tell(wiki.origin.slice(7), { url: null, citedTitle: 'Doe, p. 3', claim: 'Three.' }),
    ];
    const rows = rowsOf(await parse(render(findings, { reviewUrl: null }).text)).slice(1);
    expect(rows[0]?.[2]?.textContent?.trim()).toBe('Could not be read: paywall');
    expect(rows[1]?.[3]?.textContent?.trim()).toBe('The mill');
    expect(rows[2]?.[3]?.innerHTML.trim()).toBe('Doe, p. 3');
    expect(rows.map((row) => row[5]?.textContent?.trim())).toEqual(['', '', '']);
  });

  test('says how many findings found no room', async () => {
    const findings = Array.from({ length: 30 }, (_, at) =>
      tell(wiki.origin.slice(7), { claim: `Claim ${at} – ümlaut.` }),
    );
    const all = render(findings);
    expect(all).toMatchObject({ shown: 30, text: expect.stringMatching(/30 of 30 open findings$/) });
    const some = render(findings, { room: Buffer.byteLength(all.text) - 1000 });
    expect(some.shown).toBeLessThan(30);
    expect(some.shown).toBeGreaterThan(20);
    expect(Buffer.byteLength(some.text)).toBeLessThanOrEqual(Buffer.byteLength(all.text) - 1000);
    expect(some.text).toContain(`${some.shown} of 30 open findings: [https://review.example/ all of them]`);
  });
});

/** Without the percent signs that say the same. */
function decoded(href: string): string {
  return href.replace(/%(?:5[B-F]|60|7[B-E]|27)/g, (code) => decodeURIComponent(code));
}

/** One line, without what is no character, in the form that wikis keep. */
function shown(text: string): string {
  const whole = text.replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
  return whole
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .normalize('NFC')
    .trim();
}

const OURS = new Set(['div', 'p', 'table', 'tbody', 'tr', 'th', 'td', 'a', 'q', 'br']);

const Parsed = z.object({
  parse: z.object({
    text: z.string(),
    templates: z.array(z.unknown()),
    categories: z.array(z.unknown()),
    links: z.array(z.object({ ns: z.int(), title: z.string() })),
    externallinks: z.array(z.string()),
    images: z.array(z.unknown()),
    iwlinks: z.array(z.unknown()),
    sections: z.array(z.unknown()),
    properties: z.unknown(),
  }),
});
