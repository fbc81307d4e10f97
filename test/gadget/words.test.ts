/** Claims and words of an article: whether the words up to some place end as the claim does. */
import fc from 'fast-check';
import { endsAs, endsLiterally, words } from '../../gadget/words.ts';

const mill = words('The mill closed in 1931. The inn stayed.');

test('a claim ends where its last word is, whatever comes behind it', () => {
  const letters = words('The mill closed in 1931.').join('');
  expect([4, 5, 6, 99].map((end) => endsLiterally(mill, end, letters))).toEqual([false, true, false, false]);
});

test('a claim begins with a word, however it is parted into words', () => {
  expect(endsLiterally(['turns', 'in', '10', '6', 'litres'], 5, words('in 106 litres').join(''))).toBe(true);
  expect(endsLiterally(['windmill'], 1, 'mill')).toBe(false);
  expect(endsLiterally(['mill'], 1, 'windmill')).toBe(false);
});

test('a claim without words ends nowhere', () => {
  expect(endsLiterally(mill, 3, '')).toBe(false);
});

test('of words that are all known, both ways of asking say the same', () => {
  const few = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba'), { maxLength: 6 });
  fc.assert(
    fc.property(few, few, (text, claim) => {
      expect(endsLiterally(text, text.length, claim.join(''))).toBe(endsAs(text, claim.join(' ')) === 1);
    }),
  );
});
