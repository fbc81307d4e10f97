import { hashCitation, hashCitations, hashClaim } from '../../shared/hash.ts';

test('a claim keeps its hash through changes of case, spacing, quotes and dashes', () => {
  expect(hashClaim('The  “Old Mill” closed in 1901–02.')).toBe(hashClaim('the "old mill" closed in 1901-02.'));
  expect(hashClaim('The mill closed in 1901.')).not.toBe(hashClaim('The mill closed in 1902.'));
});

test('one page cited by several addresses is one citation', () => {
  const hash = (url: string) => hashCitation({ url, text: '' });
  const addresses = [
    'https://www.example.org/a/?utm_source=x&b=1',
    'http://example.org/a?b=1#part',
    'https://web.archive.org/web/20200101000000/https://example.org/a?b=1',
  ];
  expect(new Set(addresses.map(hash)).size).toBe(1);
  expect(hash('https://example.org/a?b=2')).not.toBe(hash('https://example.org/a?b=1'));
});

test('a reference without a URL is known by its text', () => {
  expect(hashCitation({ url: null, text: 'Doe 1999, p. 3' })).toBe(
    hashCitation({ url: null, text: 'doe 1999,  p. 3' }),
  );
});

test('a group of citations has one hash, whatever their order', () => {
  const [a, b] = [{ hash: 'a'.repeat(16) }, { hash: 'b'.repeat(16) }];
  expect(hashCitations([a, b])).toBe(hashCitations([b, a]));
});
