/** What stands on list pages → what is kept of it; a test against a real wiki is in import.test.ts. */
import { parseBlockedDomains, parseSpamLines, parseTitleLines } from '../../../bot/reliability/blacklists.ts';
import { parseMirrors } from '../../../bot/reliability/mirrors.ts';
import { toJavaScript } from '../../../bot/reliability/pcre.ts';
import { parsePerennial } from '../../../bot/reliability/perennial.ts';
import { DEFAULT_PLACES, type PerennialPlace } from '../../../bot/reliability/places.ts';

const place = DEFAULT_PLACES.find((one): one is PerennialPlace => one.form === 'perennial');
const perennial = (rows: string) => {
  if (place === undefined) throw new Error('no perennial sources by default');
  return parsePerennial(`{| class="wikitable"\n! Source\n${rows}\n|}`, place);
};
const statuses = (rows: string) =>
  perennial(rows).entries.map(({ domain, path, status }) => `${domain}${path} ${status}`);

describe('a row of perennial sources', () => {
  test('says its status by the template, by whichever name', () => {
    expect(statuses('|- class="s-gr" id="A"\n| A\n| {{WP:RSPSTATUS|gr}}\n| {{WP:RSPUSES|a.example}}')).toEqual([
      'a.example generally_reliable',
    ]);
    expect(statuses('|-\n| A\n| {{/Status|nc}}\n| {{/Uses|a.example}}')).toEqual(['a.example no_consensus']);
    const long = 'Wikipedia:Reliable sources/Perennial sources';
    expect(statuses(`|-\n| A\n| {{${long}/Status| d }}\n| {{${long}/Uses|a.example}}`)).toEqual([
      'a.example deprecated',
    ]);
  });

  test('says it by its class where a wiki has no template for it', () => {
    expect(statuses('|- class="wide s-mr" id="A"\n| A\n| {{WP:RSPUSES|a.example}}')).toEqual([
      'a.example no_consensus',
    ]);
  });

  test('is blacklisted where it is marked so, whatever else is said', () => {
    expect(statuses('|-\n| {{WP:RSPSTATUS|gu|ef=y|b=y}}\n| {{WP:RSPUSES|a.example}}')).toEqual([
      'a.example blacklisted',
    ]);
    expect(statuses('|-\n| {{/Status|d|blacklisted=yes}}\n| {{/Uses|a.example}}')).toEqual(['a.example blacklisted']);
  });

  test('has several domains, parts of sites, and domains in other scripts', () => {
    const uses = '{{WP:RSPUSES|www.a.example|b.example/blog/|1=|*.c.example|bücher.example|label=x}}';
    const { entries, skipped } = perennial(`|- id="A"\n| {{WP:RSPSTATUS|gr}}\n| ${uses}`);
    expect(entries.map(({ domain, path }) => domain + path)).toEqual([
      'a.example',
      'b.example/blog',
      'c.example',
      'xn--bcher-kva.example',
    ]);
    expect(skipped).toEqual([]);
  });

  test('that names no domain is named', () => {
    expect(perennial('|- id="Printed_Almanac"\n| {{WP:RSPSTATUS|gr}}\n| {{WP:RSPUSES|}}').skipped).toEqual([
      'no domain: Printed_Almanac',
    ]);
  });

  test('that is commented out does not count', () => {
    expect(statuses('<!--\n|-\n| {{WP:RSPSTATUS|gu}}\n| {{WP:RSPUSES|a.example}}\n-->')).toEqual([]);
  });

  test('is user-generated where that makes it unreliable, and not where only a part is', () => {
    const row = (status: string) =>
      `|-\n| {{WP:RSPSTATUS|${status}}}\n| Has [[WP:UGC|user-generated content]].\n| {{WP:RSPUSES|a.example}}`;
    expect(perennial(row('gu')).entries).toMatchObject([{ userGenerated: true }]);
    expect(perennial(row('nc')).entries).toMatchObject([{ userGenerated: false }]);
  });
});

describe('a line of a blacklist', () => {
  test('is read without its comment', () => {
    const { patterns } = parseSpamLines(' # all of it\n\\bspam\\.example\\b # why\n\n', 'block');
    expect(patterns).toEqual([{ about: 'url', effect: 'block', pattern: '\\bspam\\.example\\b' }]);
  });

  test.each([
    ['a possessive quantifier', 'a++b\\.example'],
    ['an atomic group', '(?>a|b)\\.example'],
    ['a quoted part', '\\Qa.b\\E'],
    ['an anchor that JavaScript reads as a letter', '\\Aspam\\.example\\Z'],
    ['a POSIX class', '[[:alnum:]]+\\.example'],
    ['a reference back, which joining would shift', '(a)\\1\\.example'],
    ['a conditional', '(?(1)a|b)'],
    ['a class that begins with its own bracket', '[]x]\\.example'],
    ['brackets that do not pair', 'a)|(b'],
    ['a backslash at its end', 'spam\\'],
  ])('with %s is named, not misread', (_, line) => {
    expect(toJavaScript(line)).toBeNull();
    expect(parseSpamLines(`${line}\ngood\\.example`, 'block')).toMatchObject({ skipped: [line], patterns: [{}] });
  });

  test.each(['\\bspam\\.example\\b', '(?<!good)spam\\.(?:com|net)', 'a\\\\Ab', '(?i)spam[-_.]?shop', '\\d{3}\\/x+?'])(
    'with what JavaScript has, too, is taken: %s',
    (line) => expect(toJavaScript(line)).not.toBeNull(),
  );

  test('of titles counts where it names a site, and for no sites at large', () => {
    const lines = [
      '.*\\bspam-shop\\.example\\b.* <errmsg=titleblacklist-forbidden-edit>',
      '.*[!?]{3,}.* # about titles alone',
      '.*\\.(com|org|net).*',
      'Other\\.example <newaccountonly>',
    ];
    expect(parseTitleLines(lines.join('\n'), 'block').patterns).toEqual([
      { about: 'host', effect: 'block', pattern: '.*\\bspam-shop\\.example\\b.*' },
    ]);
  });
});

test('blocked domains are read from JSON; what is no such list is named', () => {
  const { entries } = parseBlockedDomains('[{"domain": "spam.example", "notes": "", "addedBy": "Ann"}]');
  expect(entries).toEqual([{ domain: 'spam.example', path: '', status: 'blacklisted', userGenerated: false }]);
  expect(parseBlockedDomains('{').skipped).toHaveLength(1);
});

test('mirrors are read from either form of entry, by their front page or their folder', () => {
  const text = `=== A ===
{{Wikipedia mirror
| name = A
| url = <nowiki>http://www.a-copy.example/wiki/Main_Page</nowiki>
| sample = http://elsewhere.example/Heron
}}
=== B ===
* Site: [http://b-copy.example/encyclopedia/ B]
* Example: http://b-copy.example/other`;
  expect(parseMirrors(text).entries.map(({ domain, path }) => domain + path)).toEqual([
    'a-copy.example',
    'b-copy.example/encyclopedia',
  ]);
});
