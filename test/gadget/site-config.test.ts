/** A wiki's settings: each field by itself, whatever stands in the others. */
import fc from 'fast-check';
import { defaultsFor, parseSiteConfig } from '../../gadget/site-config.ts';

test('a field of a wrong type is as it is by default, and the others count', () => {
  const config = parseSiteConfig(
    {
      templates: { failedVerification: 7, pages: ['Seite'] },
      summaries: { tag: 'Markiert' },
      changeTag: ['x'],
      dates: 'F',
    },
    'en',
  );
  const { templates, summaries, changeTag, dates } = defaultsFor('en');
  expect(config.templates).toEqual({ ...templates, pages: ['Seite'] });
  expect(config.summaries).toEqual({ ...summaries, tag: 'Markiert' });
  expect([config.changeTag, config.dates]).toEqual([changeTag, dates]);
});

test('one name stands for a list of it, and a list may be empty', () => {
  const { templates } = parseSiteConfig(
    { templates: { failedVerification: 'Beleg', note: [], pages: ['a', 1] } },
    'en',
  );
  expect([templates.failedVerification, templates.note]).toEqual([['Beleg'], []]);
  expect(templates.pages).toEqual(defaultsFor('en').templates.pages);
});

test('types of works and projects take names of the wiki’s own', () => {
  const config = parseSiteConfig(
    { templateByType: { webpage: 'Internetquelle', film: 'Film' }, projects: { A: 'b', C: 3 } },
    'de',
  );
  expect(config.templateByType).toMatchObject({ webpage: 'Internetquelle', film: 'Film', book: 'cite book' });
  expect(config.projects).toEqual({ A: 'b' });
});

test('a wiki’s own names of tags come before English ones', () => {
  const { failedVerification } = defaultsFor('es').templates;
  expect(failedVerification[0]).toBe('No en fuente citada');
  expect(failedVerification).toContain('failed verification');
  expect(defaultsFor('en').templates.failedVerification[0]).toBe('failed verification');
});

test('anything at all gives settings of the same shape', () => {
  const shape = (value: unknown): unknown =>
    Array.isArray(value) || typeof value !== 'object' || value === null
      ? typeof value
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shape(one)]));
  const fields = fc.dictionary(fc.constantFrom(...Object.keys(defaultsFor('en')), '__proto__', 'x'), fc.jsonValue());
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fields), (json) => {
      const { templateByType, projects, ...config } = parseSiteConfig(json, 'en');
      const { templateByType: types, projects: none, ...defaults } = defaultsFor('en');
      expect(shape(config)).toEqual(shape(defaults));
      for (const name of [...Object.values(templateByType), ...Object.values(projects)])
        expect(typeof name).toBe('string');
    }),
  );
});
