import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusalOf, runCommand } from '../../support/command.ts';
import { startWeb, type Web } from '../../support/web.ts';

const CLAIM = 'The Hallin ropeway was opened on 4 June 1912.';
const PAGE = '<p>Mules went up to the quarry before. The Hallin ropeway was opened on 4 June 1912 by the mayor.</p>';
const LOOPBACK = { ALLOW_LOOPBACK_SOURCES: '1' };

let folder: string;
let web: Web;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-verify-'));
  web = await startWeb({ '/ropeway': PAGE });
});
afterAll(async () => {
  await web.close();
  await rm(folder, { recursive: true });
});

test('verify judges a claim by a page or a file, and quotes what it found', async () => {
  const file = join(folder, 'ropeway.html');
  await writeFile(file, PAGE);
  for (const source of [`${web.origin}/ropeway`, file]) {
    const { code, stdout } = await runCommand(['verify', '--claim', CLAIM, '--source', source, '--json'], LOOPBACK);
    expect(code).toBe(0);
    const { verdict, score, evidence } = JSON.parse(stdout);
    expect(verdict).toBe('supported');
    expect(score).toBeGreaterThan(0.5);
    expect(evidence.quote).toContain('was opened on 4 June 1912');
  }
});

test('a page that is not there is an answer: unavailable, and why', async () => {
  const { code, stdout } = await runCommand(['verify', '--claim', CLAIM, '--source', `${web.origin}/gone`], {
    ...LOOPBACK,
    WAYBACK_URL: web.origin,
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'unavailable (not_found)\n' });
});

test.each([
  ['a source that is no address and no file', CLAIM, '/nowhere/at/all', /--source: .*ENOENT/],
  ['a folder as a source', CLAIM, tmpdir(), /--source: .*EISDIR/],
  ['an address that does not parse', CLAIM, 'https://', /--source: https:\/\/ is no http/],
  ['an empty claim', ' ', 'https://hallin.example/', /--claim: is empty/],
  ['a claim of dots', '…', 'https://hallin.example/', /--claim: is empty/],
])('%s is refused in one line', async (_, claim, source, line) => {
  expect(await refusalOf(['verify', '--claim', claim, '--source', source])).toMatch(line);
});
