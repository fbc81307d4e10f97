import fc from 'fast-check';
import { canonicalUrl, isArchiveToday, originalOfArchived, parseHttpUrl, parseUrl } from '../../shared/url.ts';
import { ownAddress } from '../../workers/source/extract/metadata.ts';
import { copiedAt, originalOfArchiveToday, parseSnapshot } from '../../workers/source/wayback.ts';

/** Text that is an address, nearly one, or one in disguise. */
const odd = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .tuple(
      fc.constantFrom('http://', 'https://', '//', 'HTTP:\\\\', 'http:', 'ftp://', 'javascript:', ' https://', ''),
      fc.constantFrom(
        'www.',
        'www.www.',
        'WWW.',
        '',
        'user:pass@',
        'www.web.archive.org/web/2020/',
        'web.archive.org/web/20200101id_/http://',
      ),
      fc.oneof(
        fc.domain(),
        fc.ipV4(),
        fc.ipV6().map((ip) => `[${ip}]`),
        fc.constantFrom('www.com', 'müller.example', 'example.org.', 'xn--a'),
      ),
      fc.constantFrom('', ':80', ':443', ':8080', ':', ':99999'),
      fc.constantFrom(
        '',
        '/',
        '//',
        '/a/../b',
        '/%2e%2e/x',
        '/a%2fb',
        '/%C3%A9',
        '/%c3%a9',
        '/é',
        '/%',
        '/web/2020/http://x.example/',
        '/a//',
      ),
      fc.constantFrom('', '?', '?b=2&a=1', '?utm_source=x', '?a=%20+&a', '?%ff', '?&&=', '?q=é&UTM_medium=1'),
      fc.constantFrom('', '#', '#part', '#:~:text=a', '#%'),
    )
    .map((parts) => parts.join('')),
);

test('nothing that is written as an address throws', () => {
  fc.assert(
    fc.property(odd, (text) => {
      for (const read of [
        canonicalUrl,
        parseHttpUrl,
        originalOfArchived,
        isArchiveToday,
        parseSnapshot,
        originalOfArchiveToday,
      ])
        read(text);
      copiedAt({ finalUrl: text, headers: { 'memento-datetime': text } });
    }),
    { numRuns: 2000 },
  );
});

test('the canonical form of a canonical form is itself', () => {
  fc.assert(
    fc.property(odd, (text) => {
      const form = canonicalUrl(text);
      if (form !== null) expect(canonicalUrl(`https://${form}`)).toBe(form);
    }),
    { numRuns: 3000 },
  );
});

test('what is no http address has no canonical form, and all else has one', () => {
  fc.assert(
    fc.property(odd, (text) => {
      expect(canonicalUrl(text) === null).toBe(parseHttpUrl(text.trim()) === null);
    }),
    { numRuns: 1000 },
  );
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{1,8}$/);
const page = fc.record({
  host: fc.tuple(label, label, fc.constantFrom('example', 'test')).map((labels) => labels.join('.')),
  path: fc.array(fc.stringMatching(/^[a-zA-Z0-9_~é-]{1,8}$/), { maxLength: 4 }),
  query: fc.uniqueArray(fc.tuple(label, fc.stringMatching(/^[a-z0-9é]{0,6}$/)), {
    maxLength: 3,
    selector: ([name]) => `p${name}`,
  }),
});
type Page = typeof page extends fc.Arbitrary<infer T> ? T : never;

/** Ways to write the same address. */
const WAYS: readonly ((address: string, page: Page) => string)[] = [
  (address) => address.replace('https:', 'http:'),
  (address) => address.replace('https:', ''),
  (address) => address.replace('https://', 'https://www.'),
  (address, { host }) => address.replace(host, host.toUpperCase()),
  (address, { host }) => address.replace(host, `${host}:443`),
  (address, { host }) => address.replace('https:', 'http:').replace(host, `${host}:80`),
  (address, { host }) => address.replace(host, `${host}.`),
  (address, { host }) => address.replace(host, `me:secret@${host}`),
  (address) => `${address}#part`,
  (address) => `${address}#:~:text=ferry,quay`,
  (address) => `${address}${address.includes('?') ? '&' : '?'}utm_source=a&fbclid=b`,
  (address) => address.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
  (address) => address.replaceAll('~', '%7E').replaceAll('_', '%5f'),
  (address) => decodeURI(address),
  (address) => (address.includes('?') ? address.replace('?', '/?') : `${address}/`),
  (address) => `  ${address}\n`,
  (address) => `https://web.archive.org/web/20200102030405/${address}`,
  (address) => `http://archive.org/web/2020id_/${address}`,
  (address) => `//web.archive.org/web/20200102030405if_/${address}`,
  (address) => `https://web.archive.org/web/2021/https://web.archive.org/web/2020/${address}`,
  (address) => `https://web.archive.org/web/20200102030405/${address.replace('https://', '')}`,
];

test('one page has one form, however its address is written', () => {
  fc.assert(
    fc.property(page, fc.subarray([...WAYS], { minLength: 1, maxLength: 3 }), (each, ways) => {
      const path = each.path.map(encodeURIComponent).join('/');
      const query = each.query.map(([name, value]) => `p${name}=${encodeURIComponent(value)}`).join('&');
      const address = `https://${each.host}/${path}${query === '' ? '' : `?${query}`}`;
      const form = canonicalUrl(address);
      expect(form).not.toBeNull();
      for (const way of WAYS)
        expect([way(address, each), canonicalUrl(way(address, each))]).toEqual([way(address, each), form]);
      // the query is taken first, so that what is added to it stands before a fragment
      const written = ways
        .toSorted((a, b) => WAYS.indexOf(a) - WAYS.indexOf(b))
        .reduce((text, way) => way(text, each), address);
      if (parseHttpUrl(written.trim()) !== null)
        expect(parseHttpUrl(`https://${canonicalUrl(written)}`)).not.toBeNull();
    }),
    { numRuns: 200 },
  );
});

test('parameters in another order are the same page, other values another one', () => {
  expect(canonicalUrl('https://example.org/a?c=1&b=2')).toBe(canonicalUrl('https://example.org/a?b=2&c=1'));
  expect(canonicalUrl('https://example.org/a?b=2')).not.toBe(canonicalUrl('https://example.org/a?b=3'));
  expect(canonicalUrl('https://example.org/a')).not.toBe(canonicalUrl('https://example.org/A'));
  expect(canonicalUrl('https://example.org:8080/a')).not.toBe(canonicalUrl('https://example.org/a'));
});

test('an international name is the same in letters and in ASCII', () => {
  expect(canonicalUrl('https://www.Überblick.example/ä')).toBe(canonicalUrl('http://xn--berblick-55a.example/%c3%a4'));
});

test('an archive that names no page stands for itself', () => {
  expect(canonicalUrl('https://web.archive.org/web/2020/http://')).toBe('web.archive.org/web/2020/http:');
  expect(originalOfArchived('https://web.archive.org/web/20200101000000/ferry.example/a')).toBe(
    'http://ferry.example/a',
  );
  expect(originalOfArchived('https://web.archive.org/about')).toBe('https://web.archive.org/about');
});

test('an address with an umlaut is read the ten thousandth time as it was the first', () => {
  const [page, own] = ['https://bücher.example/straße', 'https://bücher.example/größe'];
  const answers = Array.from({ length: 10_000 }, () => `${parseUrl(page)?.href} ${ownAddress(own, page)}`);
  expect([...new Set(answers)]).toEqual([
    'https://xn--bcher-kva.example/stra%C3%9Fe https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe',
  ]);
});
