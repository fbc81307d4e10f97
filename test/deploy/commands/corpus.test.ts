import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusalOf, runCommand } from '../../support/command.ts';

let directory: string;
let settings: Record<string, string>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sidelight-corpus-'));
  settings = { DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent' };
});
afterEach(() => rmSync(directory, { recursive: true }));

const PAGES = [
  {
    url: 'https://orrin.example/mill',
    title: 'The mill',
    text: 'The stone mill at Orrin Bay ground its last sack in 1931.',
  },
  { title: 'The choir', text: 'The parish choir of Orrin Bay has sung on Sundays since 1904, and not only there.' },
];

test('a generation is built, shown and switched to, and refuses to be dropped then', async () => {
  const file = join(directory, 'orrin.jsonl');
  writeFileSync(file, PAGES.map((page) => `${JSON.stringify(page)}\n`).join(''));
  const built = await runCommand(['corpus', 'build', 'orrin', '--input', file], settings);
  expect(built.stdout).toMatch(
    /^orrin has 1 page, 1 passage, shards: 0 flat\nbroken: 1 entry \(no_url 1\)\n.*entry 2: no_url: line 2/,
  );
  expect((await runCommand(['corpus', 'switch', 'orrin'], settings)).code).toBe(0);
  const stats = await runCommand(['corpus', 'stats', '--json'], settings);
  expect(JSON.parse(stats.stdout)).toMatchObject({
    generations: [{ generation: 'orrin', current: true, state: 'ready', pages: 1, passages: 1 }],
  });
  expect(await refusalOf(['corpus', 'drop', 'orrin'], settings)).toMatch(/searched now/);
}, 60_000);

test.each([
  ['a name that is none', ['build', 'No Name'], /No Name is no name/],
  ['an input that is not there', ['build', 'orrin', '--input', 'nowhere.jsonl'], /no file nowhere\.jsonl/],
])('%s is refused in one line', async (_, command, expected) => {
  expect(await refusalOf(['corpus', ...command], settings)).toMatch(expected);
});
