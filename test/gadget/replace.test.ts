import { type Replacement, replaceCitation } from '../../gadget/replace.ts';

const source = { url: 'https://gazette.example/mill', title: 'The mill closes' };
const NEW = '<ref>{{cite web |url=https://gazette.example/mill |title=The mill closes |access-date=2026-11-20}}</ref>';

function replace(wikitext: string, claim: string, url: string | null, extra: Partial<Replacement> = {}): string {
  const cited = url === null ? [] : [{ url, name: null, form: 'ref' as const }];
  const replaced = replaceCitation(wikitext, { claim, cited, source, accessDate: '2026-11-20', ...extra });
  return replaced.kind === 'replaced' ? replaced.wikitext : replaced.kind;
}

test('the citation behind the claim is replaced, and nothing else', () => {
  const text = 'It opened in 1880.<ref>[http://a.example/x A]</ref> The [[water mill|mill]] closed in 1931.<ref>[http://a.example/x A]</ref> End.';
  expect(replace(text, 'The mill closed in 1931.', 'http://a.example/x')).toBe(
    `It opened in 1880.<ref>[http://a.example/x A]</ref> The [[water mill|mill]] closed in 1931.${NEW} End.`,
  );
});

test('one of two adjacent references is replaced', () => {
  const text = 'The mill at Orrin closed in 1931.<ref>http://a.example/1</ref><ref>http://b.example/2</ref>';
  expect(replace(text, 'The mill at Orrin closed in 1931.', 'http://b.example/2')).toBe(
    `The mill at Orrin closed in 1931.<ref>http://a.example/1</ref>${NEW}`,
  );
});

test('a named reference that others reuse moves to its next use', () => {
  const text = 'The mill at Orrin closed early.<ref name="a">http://a.example/1</ref> The inn stayed.<ref name=a />';
  expect(replace(text, 'The mill at Orrin closed early.', 'http://a.example/1')).toBe(
    `The mill at Orrin closed early.${NEW} The inn stayed.<ref name="a">http://a.example/1</ref>`,
  );
});

test('a reuse of a named reference is replaced where the claim stands', () => {
  const text = 'The inn stayed.<ref name="a">http://a.example/1</ref> The mill at Orrin closed early.<ref name="a" />';
  expect(replace(text, 'The mill at Orrin closed early.', 'http://a.example/1')).toBe(
    `The inn stayed.<ref name="a">http://a.example/1</ref> The mill at Orrin closed early.${NEW}`,
  );
});

test('a short footnote is replaced', () => {
  const text = 'The mill at Orrin closed in 1931.{{sfn|Marlow|1998|p=4}} It burnt.';
  const cited = [{ url: 'http://a.example/book', name: null, form: 'short_footnote' as const }];
  expect(replace(text, 'The mill at Orrin closed in 1931.', null, { cited })).toBe(
    `The mill at Orrin closed in 1931.${NEW} It burnt.`,
  );
});

test('{{citation needed}} gives way to the source', () => {
  const text = 'The mill at Orrin closed in 1931.{{citation needed|date=May 2026}}';
  expect(replace(text, 'The mill at Orrin closed in 1931.', null)).toBe(`The mill at Orrin closed in 1931.${NEW}`);
});

test('{{failed verification}} behind the citation goes with it', () => {
  const text = 'The mill at Orrin closed in 1931.<ref>http://a.example/1</ref>{{failed verification|date=May 2026}} End.';
  expect(replace(text, 'The mill at Orrin closed in 1931.', 'http://a.example/1')).toBe(
    `The mill at Orrin closed in 1931.${NEW} End.`,
  );
});

test('a claim or citation that is no longer there is not replaced', () => {
  const text = 'The mill at Orrin closed in 1931.<ref>http://a.example/1</ref>';
  expect(replace(text, 'The lighthouse was automated in spring 1988.', 'http://a.example/1')).toBe('not_found');
  expect(replace(text, 'The mill at Orrin closed in 1931.', 'http://other.example/')).toBe('not_found');
  expect(replace(`<!-- ${text} -->`, 'The mill at Orrin closed in 1931.', 'http://a.example/1')).toBe('not_found');
});

test('a hostile title or address stays inside its parameter', () => {
  const text = 'The mill at Orrin closed in 1931.<ref>http://a.example/1</ref>';
  const hostile = { url: 'https://x.example/a|b}}c?d=[e]', title: 'A | B}} <script> [[C]]\n{{D' };
  const replaced = replace(text, 'The mill at Orrin closed in 1931.', 'http://a.example/1', { source: hostile });
  const parameters = replaced.slice(replaced.indexOf('|url='), replaced.lastIndexOf('}}'));
  expect(parameters.match(/[|{}[\]<>]/g)).toEqual(['|', '|', '|']);
});
