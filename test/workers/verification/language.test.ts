import { detectLanguage, isMeasured } from '../../../workers/verification/language.ts';
import { FULL_OF_NAMES, SENTENCES } from './language-samples.ts';

const english = SENTENCES.en ?? [];

test.each(Object.entries(SENTENCES))('%s is told from a sentence of any length', (language, sentences) => {
  expect(sentences.map((sentence) => detectLanguage(sentence).language)).toEqual(sentences.map(() => language));
});

test('long sentences are told surely, short ones mostly', () => {
  const all = Object.values(SENTENCES);
  const long = all.map((sentences) => detectLanguage(sentences.at(-1) ?? '').confident);
  const short = all.flatMap((sentences) => sentences.slice(0, -1)).map((text) => detectLanguage(text).confident);
  expect(long).not.toContain(false);
  expect(short.filter(Boolean).length / short.length).toBeGreaterThan(0.9);
});

test.each(FULL_OF_NAMES)('English with foreign names is never surely foreign: %s', (claim) => {
  const { language, confident } = detectLanguage(claim);
  expect(confident && language !== 'en').toBe(false);
});

test('a page is told by pieces of all of it, whatever stands at its beginning', () => {
  const menu = 'Please accept all cookies to go on reading this page. '.repeat(10);
  const german = (SENTENCES.de ?? []).join(' ').repeat(20);
  expect(detectLanguage(menu + german)).toEqual({ language: 'de', confident: true });
  expect(detectLanguage(german + english.join(' ').repeat(20)).confident).toBe(false);
});

test('a language that the library does not know is called by its neighbour, but a measured one is never made of it', () => {
  const esperanto = 'La malnova muelejo apud la rivero forbrulis komence de marto, kaj neniu scias kial tio okazis.';
  const { language, confident } = detectLanguage(esperanto);
  expect(confident && isMeasured(language)).toBe(false);
});

test.each([
  ['nothing', ''],
  ['white space', ' \n\t '],
  ['digits', '1931 12 48,000'],
  ['an address', 'https://pages.invalid/muehle/die-alte-muehle-am-fluss'],
  ['control characters', '\u0000\u0007\u001b[31m\u200b\ufeff'],
  ['half a surrogate pair', '\ud83d'],
  ['one word', 'Mühle'],
  ['two scripts', 'The mill at Варн сгорела in March, сообщили власти города today'],
])('%s is told unsurely', (_, text) => {
  expect(detectLanguage(text).confident).toBe(false);
});

test('where there are no words, there is no language', () => {
  expect(detectLanguage('12:30').language).toBe('und');
});

test('two megabytes are told like a page', () => {
  expect(detectLanguage(`${english.join(' ')} `.repeat(7000))).toEqual({ language: 'en', confident: true });
  expect(detectLanguage('a'.repeat(2_000_000)).confident).toBe(false);
});

test('only English was measured', () => {
  expect(isMeasured('en')).toBe(true);
  expect(isMeasured('de')).toBe(false);
  expect(isMeasured('und')).toBe(false);
});
