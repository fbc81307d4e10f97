/** `sidelight gadget` as a person runs it. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusalOf, runCommand } from '../../support/command.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';

test('build writes its pages into a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-gadget-'));
  const out = join(folder, 'a', 'b');
  const { code, stdout } = await runCommand([
    'gadget',
    'build',
    '--out',
    out,
    '--service',
    'https://sidelight.example/x',
  ]);
  expect([code, stdout.trim().split('\n').sort()]).toEqual([
    0,
    (await readdir(out)).map((name) => join(out, name)).sort(),
  ]);
  expect(await readFile(join(out, 'Gadget-sidelight.js'), 'utf8')).toContain('"https://sidelight.example"');
  await rm(folder, { recursive: true });
});

test('a service that others could listen to, and a missing account, are refused', async () => {
  expect(await refusalOf(['gadget', 'publish', '--dry-run', '--service', 'http://sidelight.example'])).toContain(
    'https',
  );
  const wiki = ['--wiki', 'http://127.0.0.1:9'];
  expect(await refusalOf(['gadget', 'publish', ...wiki])).toContain('BOT_USERNAME');
});

describeWith(['wiki'], 'publish --dry-run', () => {
  let wiki: TestWiki;
  beforeAll(async () => {
    wiki = await startWiki();
  }, 60_000);
  afterAll(() => wiki?.stop());

  test('prints the difference of every page, and saves nothing', async () => {
    const command = ['gadget', 'publish', '--dry-run', '--default', '--wiki', wiki.origin];
    const { code, stdout } = await runCommand(command);
    expect(code).toBe(0);
    expect(stdout).toContain('+++ MediaWiki:Gadget-sidelight.json\tnot saved');
    expect(stdout).toMatch(/^\+\* sidelight\[ResourceLoader\|default\|/m);
    expect(stdout.trim().endsWith('Nothing was saved: without --dry-run it is.')).toBe(true);
    expect((await runCommand(command)).stdout).toBe(stdout);
  });
});
