import fc from 'fast-check';
import { parseUrl } from '../../../shared/url.ts';
import { isAllowedAddress, isRefusedHost, isRefusedPort } from '../../../workers/source/address.ts';

const byte = fc.integer({ min: 0, max: 255 });
/** IPv4 that no source lies at. */
const refusedV4 = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), byte, byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
  fc.tuple(fc.constantFrom(192), fc.constant(0), fc.constantFrom(0, 2), byte),
);
type Quad = typeof refusedV4 extends fc.Arbitrary<infer T> ? T : never;

const number = ([a, b, c, d]: Quad) => ((a * 256 + b) * 256 + c) * 256 + d;
const hex = (value: number) => value.toString(16);
const octal = (value: number) => `0${value.toString(8)}`;
const pairs = ([a, b, c, d]: Quad) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

/** Ways to write an IPv4 address in a URL. */
const SPELLINGS: Record<string, (quad: Quad) => string> = {
  dotted: (quad) => quad.join('.'),
  'with a dot at its end': (quad) => `${quad.join('.')}.`,
  decimal: (quad) => String(number(quad)),
  hexadecimal: (quad) => `0x${hex(number(quad))}`,
  octal: (quad) => octal(number(quad)),
  'dotted hexadecimal': (quad) => quad.map((part) => `0X${hex(part)}`).join('.'),
  'dotted octal': (quad) => quad.map(octal).join('.'),
  mixed: ([a, b, c, d]) => `${octal(a)}.0x${hex(b)}.${c * 256 + d}`,
  'of two parts': ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  escaped: (quad) => quad.join('.').replace(/\d/g, (digit) => `%3${digit}`),
  'in wide digits': (quad) => wide(quad.join('.')),
  'with ideographic full stops': (quad) => quad.join('。'),
  'mapped into IPv6': (quad) => `[::ffff:${quad.join('.')}]`,
  'mapped, in hexadecimal': (quad) => `[::FFFF:${pairs(quad)}]`,
  'mapped, in full': (quad) => `[0:0:0:0:0:ffff:${pairs(quad)}]`,
  compatible: (quad) => `[::${quad.join('.')}]`,
  'translated (RFC 6052)': (quad) => `[64:ff9b::${pairs(quad)}]`,
  'translated (RFC 8215)': (quad) => `[64:ff9b:1::${pairs(quad)}]`,
  'translated (SIIT)': (quad) => `[::ffff:0:${pairs(quad)}]`,
  '6to4': (quad) => `[2002:${pairs(quad)}::1]`,
  Teredo: (quad) => `[2001:0:4136:e378:8000:63bf:${pairs(quad)}]`,
};

test.each(Object.entries(SPELLINGS))('a refused address is refused %s', (_, spell) => {
  fc.assert(
    fc.property(refusedV4, (quad) => {
      const address = `http://${spell(quad)}/`;
      const url = parseUrl(address);
      if (url !== null) expect([address, isRefusedHost(url, false)]).toEqual([address, true]);
    }),
  );
});

test('every spelling is one that URLs can have', () => {
  const refused = Object.entries(SPELLINGS).filter(([, spell]) => parseUrl(`http://${spell([10, 1, 2, 3])}/`) === null);
  expect(refused).toEqual([]);
});

test('an IPv6 address within is refused, short or in full, in capitals or not', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const head = fc.constantFrom(
    'fe80',
    'febf',
    'fc00',
    'fdff',
    'fec0',
    'ff02',
    '100',
    '0',
    '3fff:abc',
    '2001:2:0',
    '2001:20',
    '4000',
    '2001:db8',
    '2001:10',
    '5f00',
  );
  fc.assert(
    fc.property(head, fc.array(group, { minLength: 6, maxLength: 6 }), fc.boolean(), (first, groups, isUpper) => {
      const rest = groups.slice(first.split(':').length - 1).map((each) => each.toString(16).padStart(4, '0'));
      const full = [...first.split(':'), ...rest];
      const address = `${full.slice(0, 1).join(':')}:${[...full.slice(1), '0'].slice(0, 7).join(':')}`;
      const url = `http://[${isUpper ? address.toUpperCase() : address}]/`;
      expect([url, isRefusedHost(new URL(url), false)]).toEqual([url, true]);
    }),
  );
});

test('no text throws, and only addresses are allowed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.domain()), fc.boolean(), (text, allowLoopback) => {
      const isAllowed = isAllowedAddress(text, allowLoopback);
      if (isAllowed) expect(parseUrl(text.includes(':') ? `http://[${text}]/` : `http://${text}/`)).not.toBeNull();
      if (isAllowedAddress(text, false)) expect(isAllowedAddress(text, true)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test.each(['', ':80', ':443', ':8080', ':8000', ':8443', ':81', ':32768'])('port %s is a web server’s', (port) => {
  expect(isRefusedPort(new URL(`http://files.example${port}/`))).toBe(false);
});

test.each([':1', ':22', ':25', ':110', ':389', ':445', ':636', ':993', ':3306', ':5432', ':6379', ':9200', ':11211'])(
  'port %s is no web server’s',
  (port) => {
    expect(isRefusedPort(new URL(`https://files.example${port}/`))).toBe(true);
  },
);
