/** The gadget as pages: its size, its syntax, the one service that it knows, and what it is on a wiki. */
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { buildGadget, type GadgetPages } from '../../deploy/gadget/build.ts';
import { defineIn, planPages } from '../../deploy/gadget/publish.ts';

const SERVICE = 'http://127.0.0.1:8145/some/path';
const LINE =
  '* sidelight[ResourceLoader|dependencies=mediawiki.api,mediawiki.storage,mediawiki.util]|sidelight.js|sidelight.css';
const GERMAN = '* sidelight-de[ResourceLoader|hidden]|sidelight-de.js';

let built: GadgetPages;
beforeAll(async () => {
  built = await buildGadget(SERVICE);
});

test('script, style and the texts of any one language are under 40 kB together as they go over the wire', async () => {
  const { script } = built;
  const served = async (
    text: string,
    loader: 'css' | 'js', // as ResourceLoader makes it smaller
  ) => gzipSync((await transform(text, { loader, minify: true, charset: 'utf8' })).code).length;
  const languages = await Promise.all(Object.values(built.languages).map((text) => served(text, 'js')));
  expect(gzipSync(script).length + (await served(built.style, 'css')) + Math.max(...languages)).toBeLessThan(40_000);
});

test('scripts are ES2016, as the validator of MediaWiki 1.43 takes them', async () => {
  for (const script of [built.script, ...Object.values(built.languages)]) {
    const [lowered, kept] = await Promise.all(['es2016', 'esnext'].map((target) => transform(script, { target })));
    expect(lowered?.code).toBe(kept?.code);
  }
});

test('it knows the origin of one service, and nothing else of its address', () => {
  expect(built.script).toContain('"http://127.0.0.1:8145"');
  expect(built.script).not.toContain('some/path');
});

test.each(['http://sidelight.example', 'ftp://127.0.0.1', 'javascript:alert(1)', 'sidelight.example', ''])(
  'it is not built for a service that others could listen to: “%s”',
  async (service) => {
    await expect(buildGadget(service)).rejects.toMatchObject({ code: 'insecure_service' });
  },
);

test('the same sources give the same pages, so that nothing is published twice', async () => {
  const again = await buildGadget(SERVICE);
  expect(again).toEqual(built);
  const wiki = new Map<string, string>();
  const reader = { text: async (title: string) => wiki.get(title) ?? null };
  const options = { isDefault: false, language: 'en' };
  for (const { title, after } of await planPages(reader, built, options)) wiki.set(title, after);
  expect(await planPages(reader, again, options)).toEqual([]);
});

test('a config page that the wiki has stays as it is', async () => {
  const reader = { text: async (title: string) => (title.endsWith('.json') ? '{"changeTag":"sidelight"}' : null) };
  const planned = await planPages(reader, built, { isDefault: false, language: 'de' });
  expect(planned.map(({ title }) => title).filter((title) => title.endsWith('.json'))).toEqual([]);
});

describe('its lines among those of other gadgets', () => {
  const define = (definitions: string, isDefault = false) =>
    defineIn(definitions, ['de'], { isDefault, language: 'en' });

  test('come last, and nothing else changes', () => {
    expect(define('== Editing ==\n\n* other[ResourceLoader]|other.js\n')).toBe(
      `== Editing ==\n\n* other[ResourceLoader]|other.js\n${LINE}\n${GERMAN}`,
    );
    expect(define('')).toBe(`${LINE}\n${GERMAN}`);
  });

  test('stay where the wiki has put them, with the options that it chose', () => {
    const old = '* sidelight[ResourceLoader|rights=rollback|dependencies=mediawiki.api]|sidelight.js';
    const chosen = LINE.replace('ResourceLoader|', 'ResourceLoader|rights=rollback|');
    expect(define(`== A ==\n${old}\n* sidelight-fr[hidden]|x.js\n\n== B ==\n`, true)).toBe(
      `== A ==\n${chosen}\n${GERMAN}\n\n== B ==\n`,
    );
  });

  test('are on for everybody only where that was asked for', () => {
    expect(define('', true)).toContain('[ResourceLoader|default|');
    expect(define(LINE, true)).not.toContain('default');
  });
});
