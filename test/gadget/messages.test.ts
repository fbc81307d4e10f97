/** What the gadget says in six languages: no key is left out, and none says more or less than English does. */
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import en from '../../gadget/i18n/en.json' with { type: 'json' };
import { createMessages, LANGUAGES, languageOf, type MessageKey, type Texts } from '../../gadget/messages.ts';
import { noteText } from '../../gadget/wording.ts';
import { repositoryRoot } from '../../shared/root.ts';
import { aFinding } from '../support/examples.ts';
import { searched } from '../workers/review/store.ts';

const say = createMessages('en');
const keys = Object.keys(en) as MessageKey[]; // of this very object

test('one claim is not many, and numbers are written as the language writes them', () => {
  expect([say('coverage', 0, 1), say('coverage', 3, 1200)]).toEqual([
    '0 of 1 claim checked',
    '3 of 1,200 claims checked',
  ]);
});

test('what is found for a claim without a source is no better one', () => {
  const found = searched(aFinding);
  expect(noteText({ ...found, verdict: 'unsourced' }, true, say)).toBe('A source was found.');
  expect(noteText({ ...found, verdict: 'not_supported' }, true, say)).toBe('A better source was found.');
});

test('an argument is text: it is read for nothing', () => {
  fc.assert(fc.property(fc.string(), (text) => expect(say('quoted', text)).toBe(`“${text}”`)));
  expect(say('mismatch', 'Date', '$3', '{{PLURAL:$1|a|b}}')).toBe(
    'Date: the claim says “$3”; the page says “{{PLURAL:$1|a|b}}”',
  );
});

test.each([
  ['de-at', 'de'],
  ['zh-hant', 'en'],
  ['constructor', 'en'],
])('who reads %s gets %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});

describe.each(LANGUAGES)('in %s', (language) => {
  let texts: Texts;
  beforeAll(async () => {
    texts = JSON.parse(await readFile(`${repositoryRoot()}/gadget/i18n/${language}.json`, 'utf8'));
  });

  test('every key is there and no other, each with the arguments that it has in English', () => {
    const argumentsOf = (text: string | undefined) => [...new Set(text?.match(/\$\d/g))].sort().join();
    const differing = keys.filter((key) => argumentsOf(texts[key]) !== argumentsOf(en[key]));
    expect([Object.keys(texts).sort(), differing]).toEqual([[...keys].sort(), []]);
  });

  test('every form of a plural is one that the language has, and none that it needs is missing', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const key of keys) {
      for (const [, forms = ''] of (texts[key] ?? '').matchAll(/\{\{PLURAL:\$\d\|([^}]*)\}\}/g)) {
        const named = forms.split('|').flatMap((form) => /^(\w+)=/.exec(form)?.[1] ?? []);
        expect(pluralCategories).toEqual(expect.arrayContaining(named));
        expect(forms.split('|').at(-1)).not.toMatch(/^\w+=/);
      }
    }
  });

  test('markers of the wiki’s syntax are left to nobody', () => {
    const said = createMessages(language, texts);
    for (const key of keys) expect(said(key, 2, 5, 7)).not.toMatch(/PLURAL|\$\d|undefined/);
  });
});
