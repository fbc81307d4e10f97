import { readdirSync, readFileSync } from 'node:fs';
import { Extraction, extractClaims } from '../../../bot/claims/extract.ts';
import { BUNDLED } from '../../../bot/vocabulary/bundled.ts';
import { page } from './markup.ts';
import { readable } from './readable.ts';

const FIXTURES = 'test/fixtures/claims';
const cases = readdirSync(FIXTURES).filter((name) => name !== 'templates');

describe.each(cases)('the page of %s', (name) => {
  const extraction = extractClaims(readFixture(name, 'input.html'), 'Orrin Bay');

  test('gives the pairs and reasons that a person expects', () => {
    expect(readable(extraction)).toEqual(JSON.parse(readFixture(name, 'expected.json')));
  });

  test('accounts for every use of a reference', () => {
    expect(Extraction.parse(extraction)).toEqual(extraction);
    expect(extraction.refUses).toBe(extraction.citations + extraction.unpaired.length);
  });
});

describe('the anchor of a claim', () => {
  const before = page('The inn is old. It was built in 1702.[1] Its cellar floods every spring.[2]');

  test('is the same in another revision if the sentence is', () => {
    const after = page(
      '{{cn}}The inn was new once.[3] It was built in  1702.[1][4] Its cellar now floods twice a year.[2]',
    );
    const hashes = hashesOf(before);
    expect(hashesOf(after)).toContain(hashes[0]);
    expect(hashesOf(after)).not.toContain(hashes[1]);
  });

  test('is the same when the marker moves across the full stop', () => {
    expect(hashesOf(page('The inn is old. It was built in 1702[1]. Its cellar floods every spring[2].'))).toEqual(
      hashesOf(before),
    );
  });

  test('is the same for two uses of one reference, which are two pairs', () => {
    const { pairs } = extractClaims(page('The inn is old.[1] It was built in 1702.[1]'), 'Orrin Bay');
    const [first, second] = pairs;
    expect(first?.claim.hash).not.toBe(second?.claim.hash);
    expect(first?.citations[0]?.hash).toBe(second?.citations[0]?.hash);
  });
});

describe('the antecedent of a claim', () => {
  test.each([
    ['a sentence that its opening leans on', 'The inn is old. It was built in 1702.[1]', 'The inn is old.'],
    [
      'a sentence whose names it goes on with',
      'Ode Tarrow ran the inn. Tarrow died there.[1]',
      'Ode Tarrow ran the inn.',
    ],
    ['two sentences at most', 'Ode came. She sang. She stayed. She left.[1]', 'She sang. She stayed.'],
    ['nothing where the sentence stands for itself', 'The inn is old. Boats were built here.[1]', undefined],
    ['no sentence with a marker of its own', 'Fire.[2] The inn is old.[3] It was built in 1702.[1]', undefined],
    [
      'nothing for a clause behind a marker',
      'Ode ran it. She ran the inn well,[1] and she sold it in 1712.[2]',
      undefined,
    ],
  ])('is %s', (_, html, antecedent) => {
    const claim = extractClaims(page(html), 'Orrin Bay').pairs.at(-1)?.claim;
    expect(claim?.antecedent).toBe(antecedent);
    expect(claim?.context.endsWith(antecedent ?? '')).toBe(true);
  });
});

describe('markers that stand together', () => {
  test('are one pair', () => {
    const { pairs } = extractClaims(
      page('The inn is old.[1][2] [3]{{when}}, [4] It was built in 1702.[5]'),
      'Orrin Bay',
    );
    expect(pairs.map(({ citations }) => citations.map(({ url }) => url?.slice(-1)))).toEqual([
      ['1', '2', '3', '4'],
      ['5'],
    ]);
  });

  test('count as uses even if they are the same reference', () => {
    const extraction = extractClaims(page('The inn is old.[1][1]'), 'Orrin Bay');
    expect(extraction).toMatchObject({ refUses: 2, citations: 2, pairs: [{ citations: [{}] }] });
  });
});

describe('a short footnote', () => {
  test('is resolved to a work whose template is noted on the stylesheet before it, as on Wikipedia', () => {
    const params = { url: { wt: 'https://books.example/quays' }, title: { wt: 'Quays' } };
    const data = JSON.stringify({ parts: [{ template: { target: { wt: 'cite book' }, params } }] });
    const style = `<style about="#mwt1" typeof="mw:Extension/templatestyles mw:Transclusion" data-mw='${data}'></style>`;
    const work = `${style}<cite about="#mwt1" id="CITEREFMarsh1971" class="citation book">Marsh 1971. Quays.</cite>`;
    const html = page(`<p>The quay is long.[1]</p><ul><li>${work}</li></ul>`);
    const footnote = html.replace(
      /<a rel="mw:ExtLink[^>]*>Source 1/,
      '<a href="./Orrin_Bay#CITEREFMarsh1971">Marsh 1971',
    );
    expect(extractClaims(footnote, 'Orrin Bay').pairs[0]?.citations).toMatchObject([
      { form: 'short_footnote', url: 'https://books.example/quays', title: 'Quays', text: 'Marsh 1971' },
    ]);
  });
});

describe('words of another wiki', () => {
  const vocabulary = {
    ...BUNDLED,
    meaningOf: (name: string) => (name === 'beleg nötig' ? ('citation_needed' as const) : BUNDLED.meaningOf(name)),
  };
  const tag = (target: object, text: string) => {
    const data = JSON.stringify({ parts: [{ template: { target, params: { 1: { wt: text } } } }] });
    return `<span about="#mwt1" typeof="mw:Transclusion" data-mw='${data}'>${text}</span><sup about="#mwt1">[Beleg]</sup>`;
  };

  test('name a tag, whatever the wiki calls the namespace', () => {
    const target = { wt: 'Vorlage:Beleg nötig', href: './Vorlage:Beleg_n%C3%B6tig' };
    const { pairs } = extractClaims(
      page(`<p>Es war alt. ${tag(target, 'Es war lange her.')}</p>`),
      'Orrin',
      vocabulary,
    );
    expect(pairs.map(({ claim }) => [claim.text, claim.trigger])).toEqual([['Es war lange her.', 'citation_needed']]);
  });

  test('mean nothing to a vocabulary without them', () => {
    const html = page(`<p>${tag({ wt: 'Beleg nötig' }, 'Es war lange her.')}</p>`);
    expect(extractClaims(html, 'Orrin').pairs).toEqual([]);
  });
});

describe('input in any state', () => {
  test.each([
    ['nothing', ''],
    ['bare text', 'no markup at all'],
    ['angle brackets', '<<<>>> <p'],
    ['an html element in a comment', '<!-- <html > --> text'],
    ['a head only', '<!DOCTYPE html><html><head></head></html>'],
  ])('of %s gives no pairs', (_, html) => {
    expect(extractClaims(html, 'Orrin Bay')).toEqual({ refUses: 0, citations: 0, links: 0, pairs: [], unpaired: [] });
  });

  test('of a page that breaks off keeps its claims', () => {
    const html = page('<p>The inn is old.[1]<table><tr><td>Inn<td>1702[2]').replace('</body></html>', '');
    expect(extractClaims(html, 'Orrin Bay').pairs.map(({ claim }) => claim.text)).toEqual([
      'The inn is old.',
      'Inn; 1702',
    ]);
  });

  test('of broken data-mw falls back to the link of the marker', () => {
    const html = page('The inn is old.[1]').replace(/data-mw='[^']*'/, "data-mw='{broken'");
    expect(extractClaims(html, 'Orrin Bay').pairs[0]?.citations[0]?.url).toBe('https://orrin.example/1');
  });

  test('of one page leaves no trace on the next', () => {
    extractClaims(page('<dt>Weir</dt><dd>The weir is old.[1]</dd>'), 'Orrin Bay');
    const { pairs } = extractClaims(page('<dd>The inn is old.[1]</dd>'), 'Orrin Bay');
    expect(pairs[0]?.claim.context).toBe('');
  });

  test('nested without end is read', () => {
    const html = page(`${'<div><ul><li><b>'.repeat(3000)}The inn is old.[1]`);
    expect(extractClaims(html, 'Orrin Bay').pairs[0]?.claim.text).toBe('The inn is old.');
  });

  test('with a sentence without end keeps the words next to the marker', () => {
    const { claim } =
      extractClaims(page(`${'older than the quay and '.repeat(1000)}very old.[1]`), 'Orrin Bay').pairs[0] ?? {};
    expect(claim?.text.length).toBeLessThanOrEqual(4000);
    expect(claim?.text).toMatch(/^(older|than|the|quay|and) .*very old\.$/);
    expect(claim?.markerOffset).toBe(claim?.text.length);
  });

  test.each([
    ['rows of commas', `${',,,,,,,,'.repeat(400)}x[1]`, 300],
    ['signs that say nothing', '++++[1]', 12_000],
    ['tags that close nothing', '<div></b>', 60_000],
    ['comments without end', '<!-- <!-- ', 100_000],
    ['brackets without end', '[[ ((', 60_000],
  ])('of %s takes no longer than its length', (_, part, times) => {
    const html = page(`<p>The inn is old.[1] ${part.repeat(times)}`);
    expect(extractClaims(html, 'Orrin Bay').refUses).toBeGreaterThan(0);
  });

  test('of five megabytes is read whole', () => {
    const paragraph = 'The inn stands by the quay of the old harbour and has never once been moved from it.[1] ';
    const html = page(`<p>${paragraph.repeat(10)}</p>`.repeat(1600));
    expect(html.length).toBeGreaterThan(5_000_000);
    expect(extractClaims(html, 'Orrin Bay')).toMatchObject({ refUses: 16_000, citations: 16_000, unpaired: [] });
  });
});

function hashesOf(html: string): string[] {
  return extractClaims(html, 'Orrin Bay').pairs.map(({ claim }) => claim.hash);
}

function readFixture(name: string, file: string): string {
  return readFileSync(`${FIXTURES}/${name}/${file}`, 'utf8');
}
