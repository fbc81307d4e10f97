import { compatible } from '../../../../workers/verification/checks/compare.ts';
import { agree, conflict, findDates } from '../../../../workers/verification/checks/dates.ts';
import { findQuantities, type Quantity } from '../../../../workers/verification/checks/quantities.ts';

function quantities(text: string): Quantity[] {
  return findQuantities(text, findDates(text));
}

function only(text: string): Quantity {
  const [quantity] = quantities(text);
  if (quantity === undefined) throw new Error(`no quantity in ${text}`);
  return quantity;
}

test.each([
  ['12,500 copies', 12_500, 'count'],
  ['1.2 million people', 1_200_000, 'count'],
  ['two hundred and fifty thousand people', 250_000, 'count'],
  ['two dozen boats', 24, 'count'],
  ['half a million sacks', 500_000, 'count'],
  ['$4.6bn', 4_600_000_000, 'money'],
  ['£30m', 30_000_000, 'money'],
  ['38 m', 38, 'length'],
  ['12 km', 12_000, 'length'],
  ['42 per cent', 42, 'share'],
  ['a quarter of the harvest', 25, 'share'],
  ['the 14th president', 14, 'ordinal'],
  ['fell to −41 °C', -41, 'temperature'],
  ['a 43-year-old man', 43, 'age'],
])('"%s" is %d, a %s', (text, value, dimension) => {
  expect(only(text)).toMatchObject({ low: value, dimension });
});

test.each([
  'in 1994',
  'at 10:30 a.m.',
  'the A380',
  'COVID-19',
  'version 3.1.4',
  '10 Acton Street',
  'https://a.invalid/12',
])('no quantity is read in "%s"', (text) => {
  expect(quantities(text)).toEqual([]);
});

test.each([
  ['about 50,000 people', '49,872 people', true],
  ['over 40 people', '43 people', true],
  ['over 40 people', '38 people', false],
  ['between 30 and 45 ferns', '40 ferns', true],
  ['50,000 to 100,000 people', '40,000 to 120,000 people', false],
  ['62 miles', '100 km', true],
  ['62 miles', '140 km', false],
  ['hundreds of thousands of people', '240,000 people', true],
  ['42%', '41.8 per cent', true],
  ['42%', '41 per cent', false],
])('"%s" and "%s" can both be true: %s', (a, b, expected) => {
  expect(compatible(only(a), only(b))).toBe(expected);
});

test.each([
  ['2019', '12 March 2019', null],
  ['12 March 2019', 'March 14, 2019', 'day'],
  ['May 2016', 'March 2016', 'month'],
  ['the 1840s', '1867', 'year'],
  ['the 15th century', '1462', null],
  ['3 October 1998', '1998-10-03', null],
])('"%s" and "%s" differ in: %s', (a, b, part) => {
  const [ours] = findDates(a);
  const [theirs] = findDates(b);
  if (ours === undefined || theirs === undefined) throw new Error('no date');
  expect(conflict(ours, theirs)).toBe(part);
  expect(agree(ours, theirs)).toBe(part === null);
});
