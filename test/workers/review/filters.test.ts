import fc from 'fast-check';
import { parseList, queryOf } from '../../../workers/review/request.ts';
import { addressOf } from '../../../workers/review/views/address.ts';
import { filters } from './filters-arbitrary.ts';

const parsed = (address: string) =>
  parseList(Object.fromEntries(new URL(address, 'http://review.example').searchParams));
const refusal = (query: Record<string, unknown>): unknown => {
  try {
    return parseList(query);
  } catch (error) {
    return error;
  }
};

test('every filter comes back from its address, and one filter has one address', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const address = addressOf(null, filter);
      const { filter: back } = parsed(address);
      expect(back).toEqual(filter);
      expect(addressOf(null, back)).toBe(address);
    }),
  );
});

test('what is the default is left out of the address, in whatever order it was asked for', () => {
  expect(addressOf(null, parsed('/?sort=queue&state=open&verdict=&limit=').filter)).toBe('/');
  expect(addressOf(7, parsed('/?views-min=10&score-max=0.50&page=Orrin_Bay').filter)).toBe(
    '/findings/7?page=Orrin+Bay&score-max=0.5&views-min=10',
  );
  expect(addressOf(null, { state: 'all' }, { limit: 20, after: 9 })).toBe('/?state=all&limit=20&after=9');
});

test('all that may be given is tried above', () => {
  const [one] = fc.sample(
    filters.filter((filter) => Object.keys(filter).length >= 18),
    1,
  );
  expect(one && queryOf(one).length).toBeGreaterThanOrEqual(17);
});

test.each([
  ['score-min', '1.5', 'score-min: a number of at most four decimals from 0 to 1'],
  ['score-max', 'NaN', 'score-max: a number'],
  ['min-age', '-1', 'min-age: a whole number from 0 to 36500'],
  ['max-age', '1e3', 'max-age: a whole number'],
  ['views-min', '1.5', 'views-min: a whole number'],
  ['suggestion', 'maybe', 'suggestion: one of yes, no'],
  ['state', 'gone', 'state: one of open, accepted, closed, unmended, all'],
  ['verdict', 'bad', 'verdict: one of supported, '],
  ['reason', 'bad', 'reason: one of dead, '],
  ['decision', 'bad', 'decision: one of accept, reject, cant_tell, skip'],
  ['sort', 'random', 'sort: one of queue, gain, score, newest, views'],
  ['page', 'x'.repeat(513), 'page: at most 512 characters'],
  ['limit', '201', 'limit: a whole number from 1 to 200'],
  ['after', '0', 'after: a whole number from 1'],
  ['after', '9007199254740993', 'after: a whole number from 1'],
])('%s=%s is refused with what is asked for', (name, value, message) => {
  expect(refusal({ [name]: value })).toMatchObject({ code: 'invalid', message: expect.stringContaining(message) });
});

test('what is given twice is refused, and so is a range that nothing is in', () => {
  expect(refusal({ wiki: ['a', 'b'] })).toMatchObject({ code: 'invalid', message: 'wiki: given more than once' });
  expect(refusal({ state: ['open', 'closed'] })).toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^state: .*once/),
  });
  expect(refusal({ 'score-min': '0.9', 'score-max': '0.1' })).toMatchObject({
    message: 'score-min: more than score-max',
  });
  expect(refusal({ 'min-age': '9', 'max-age': '1' })).toMatchObject({ message: 'min-age: more than max-age' });
});
