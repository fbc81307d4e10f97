import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { buildGadget } from '../../deploy/gadget/build.ts';

const SERVICE = 'http://127.0.0.1:8145/some/path';

test('script and style are under 40 kB together as they go over the wire', async () => {
  const { script, style } = await buildGadget(SERVICE);
  expect(gzipSync(script).length + gzipSync(style).length).toBeLessThan(40_000);
});

test('the script is ES2016, as the validator of MediaWiki 1.43 takes it', async () => {
  const { script } = await buildGadget(SERVICE);
  const [lowered, kept] = await Promise.all(['es2016', 'esnext'].map((target) => transform(script, { target })));
  expect(lowered?.code).toBe(kept?.code);
});

test('it knows the origin of one service, and nothing else of its address', async () => {
  const { script } = await buildGadget(SERVICE);
  expect(script).toContain('"http://127.0.0.1:8145"');
  expect(script).not.toContain('some/path');
});

test('the same sources give the same pages, so that nothing is published twice', async () => {
  expect(await buildGadget(SERVICE)).toEqual(await buildGadget(SERVICE));
});
