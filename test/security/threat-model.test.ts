/** The threat model names a test for each line, and each is there. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const model = readFileSync('deploy/threat-model.md', 'utf8');
const linked = [...model.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);

test('each test that it names is there', () => {
  expect(linked.length).toBeGreaterThan(15);
  expect(linked.filter((path) => !existsSync(resolve('deploy', path)))).toEqual([]);
});

test('each test of attacks is named', () => {
  for (const name of ['ssrf', 'hostile-files', 'routes', 'token', 'warc', 'xss', 'dependencies']) {
    expect(linked).toContain(`../test/security/${name}.test.ts`);
  }
});
