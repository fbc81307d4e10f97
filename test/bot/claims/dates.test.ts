import { readDate } from '../../../bot/claims/dates.ts';

describe('a day', () => {
  test.each([
    ['2011-03-04', 'en', '2011-03-04'],
    ['4 March 2011', 'en', '2011-03-04'],
    ['Mar. 4, 2011', 'en', '2011-03-04'],
    ['4. März 2011', 'de', '2011-03-04'],
    ['4 août 2011', 'fr', '2011-08-04'],
    ['1er juillet 2011', 'fr', '2011-07-01'],
    ['4 de marzo de 2011', 'es', '2011-03-04'],
    ['4 марта 2011', 'ru', '2011-03-04'],
    ['4 marca 2011', 'pl', '2011-03-04'],
    ['2011年3月4日', 'ja', '2011-03-04'],
    ['4 March 2011', 'pl', '2011-03-04'],
  ])('%s (%s) is %s', (text, language, iso) => {
    expect(readDate(text, language)).toBe(iso);
  });

  test.each([
    ['March 2011', 'en'],
    ['2011', 'en'],
    ['31 February 2011', 'en'],
    ['2011-02-31', 'en'],
    ['4 jui 2011', 'fr'],
    ['soon', 'not a language'],
    ['', ''],
  ])('%s (%s) is none', (text, language) => {
    expect(readDate(text, language)).toBeNull();
  });
});
