import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusalOf, runCommand } from '../../support/command.ts';

let directory: string;
let settings: Record<string, string>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sidelight-requeue-'));
  settings = { DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', REDIS_URL: 'redis://127.0.0.1:1/0' };
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a dry run asks neither Redis nor the wiki, and says what would be done', async () => {
  const chosen = ['--reason', 'blocked', '--model', 'other', '--older-than', '30', '--dry-run'];
  const text = await runCommand(['requeue', ...chosen], settings);
  expect([text.code, text.stdout, text.stderr]).toEqual([0, 'no finding is like that\n', '']);
  const json = await runCommand(['requeue', ...chosen, '--json'], settings);
  expect(JSON.parse(json.stdout)).toEqual({ request: null, articles: 0, findings: 0, left: 0, dryRun: true });
}, 60_000);

test.each([
  ['nothing to choose by', [], /say which findings/],
  ['an address that is none', ['--citation', 'nowhere'], /nowhere is no http/],
  ['an age that is none', ['--older-than', 'long'], /long is no whole number/],
  ['a Redis that is away', ['--verdict', 'unavailable'], /Redis does not answer/],
  ['what is no requeue, to cancel', ['cancel', 'w1_2'], /w1_2 is no requeue/],
])('%s is refused in one line', async (_, options, expected) => {
  expect(await refusalOf(['requeue', ...options], settings)).toMatch(expected);
});
