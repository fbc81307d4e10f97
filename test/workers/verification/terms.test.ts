import { containment, findTerms } from '../../../workers/verification/terms.ts';

const numbers = (text: string) => [...findTerms(text).numbers].sort();
const dates = (text: string) => [...findTerms(text).dates].sort();

test('a number is the same however it is written', () => {
  expect(numbers('1,200 seats')).toEqual(numbers('1200 seats'));
  expect(numbers('1 200 seats')).toEqual(['1200']);
  expect(numbers('cost 1.2 million')).toEqual(numbers('cost 1,200,000'));
  expect(numbers('£3.5m')).toEqual(['3500000']);
  expect(numbers('twenty-one ships')).toEqual(numbers('21 ships'));
  expect(numbers('12.50 percent')).toEqual(numbers('12.5%'));
});

test('near numbers stay apart', () => {
  expect(numbers('4,180 voters')).not.toEqual(numbers('4,108 voters'));
  expect(numbers('1.2 million')).not.toEqual(numbers('1.2 billion'));
});

test('"one" is a pronoun more often than a number', () => {
  expect(numbers('one of them')).toEqual([]);
});

test('a date is the same in every order', () => {
  const expected = ['d4-9', 'm4', 'y1968'];
  expect(dates('on April 9, 1968')).toEqual(expected);
  expect(dates('on 9 April 1968')).toEqual(expected);
  expect(dates('on the 9th of April 1968')).toEqual(expected);
  expect(dates('1968-04-09T10:00:00Z')).toEqual(expected);
  expect(dates('Apr. 9, 1968')).toEqual(expected);
});

test('four digits may be a year or a number, with a comma they are a number', () => {
  expect(dates('in 1968')).toEqual(['y1968']);
  expect(numbers('in 1968')).toEqual(['1968']);
  expect(dates('1,968 people')).toEqual([]);
});

test('names are capitalised words inside a sentence, and acronyms', () => {
  const { names } = findTerms('Yesterday the painter Inga Holm met UNESCO. Then she left.');
  expect([...names].sort()).toEqual(['holm', 'inga', 'unesco']);
});

test('words are compared without inflection, accents and stop words', () => {
  expect(findTerms('The cafés were closing').words).toEqual(findTerms('a cafe closes').words);
});

test('containment is a share of the claim, whatever else the page says', () => {
  const claim = findTerms('a red mill burned').words;
  expect(containment(claim, findTerms('The mill was red, wooden, old and famous').words, 0)).toBeCloseTo(2 / 3);
  expect(containment(new Set(), claim, 1)).toBe(1);
});
