import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '../../shared/root.ts';

/** A repository of its own, in which everything that setup does is done. */
let clone: string;

beforeEach(async () => {
  const root = repositoryRoot();
  clone = await mkdtemp(join(tmpdir(), 'sidelight-setup-'));
  await cp(`${root}/deploy/setup`, `${clone}/deploy/setup`);
  await cp(`${root}/deploy/setup.d`, `${clone}/deploy/setup.d`, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'node_modules']) {
    await symlink(`${root}/${file}`, `${clone}/${file}`);
  }
  for (const folder of ['bot', 'workers', 'shared', 'test', '.build', '.sidelight/mediawiki/mw']) {
    await mkdir(`${clone}/${folder}`, { recursive: true });
  }
  await writeFile(`${clone}/.sidelight/mediawiki/mw/index.php`, '');
  await writeFile(`${clone}/.build/finished`, '');
});
afterEach(() => rm(clone, { recursive: true }));

test('says that there is nothing to do when everything is in place', async () => {
  const { status, said } = await setUp({});
  expect(said).toMatch(/^setup: nothing to do\n$/m);
  expect(said).not.toMatch(/missing|done/);
  expect(status).toBe(0);
});

test('says which feature is missing, and how to get it, where nobody may install packages', async () => {
  const { status, said } = await setUp({
    'dpkg-query': dpkgWithout('php-cli', 'chromium'),
    id: 'echo 1000',
    sudo: 'exit 1',
  });
  expect(said).toContain(
    'missing: PHP for the sample wiki and its tests. To get it: as root, apt-get install php-cli\n',
  );
  expect(said).toContain(
    'missing: Chromium for the tests in a browser. To get it: as root, apt-get install chromium\n',
  );
  expect(said).not.toContain('missing: Redis');
  expect(status).toBe(0);
});

test('installs the packages that are missing, and only those, as root', async () => {
  await setUp({
    'dpkg-query': dpkgWithout('redis-server'),
    id: 'echo 1000',
    sudo: `shift; echo "$*" > ${clone}/sudo`,
  });
  expect(await readFile(`${clone}/sudo`, 'utf8')).toBe(`${clone}/deploy/setup.d/install-packages redis-server\n`);
});

test('goes on without MediaWiki where no mirror can be reached', async () => {
  await rm(`${clone}/.sidelight/mediawiki`, { recursive: true });
  const { status, said } = await setUp({ 'apt-get': 'echo "no mirror" >&2; exit 100' });
  expect(said).toContain('missing: the sample wiki and its tests (MediaWiki)');
  expect(status).toBe(0);
});

test('fails where the npm packages cannot be had', async () => {
  await withoutNpmPackages();
  const { status, said } = await setUp({ npm: 'echo "no registry" >&2; exit 1' });
  expect(said).toContain('    no registry\n');
  expect(status).toBe(1);
});

test('refuses a Node that is too old', async () => {
  await rm(`${clone}/package.json`);
  await writeFile(`${clone}/package.json`, JSON.stringify({ engines: { node: '>=99.0.0' } }));
  const { status, said } = await setUp({});
  expect(said).toContain('is too old');
  expect(status).toBe(1);
});

test('ends what it has begun when it is interrupted', async () => {
  await withoutNpmPackages();
  const setup = await startSetup({ npm: "sh -c 'sleep 600; true'" });
  await untilItSays(setup, 'npm packages');
  const ended = once(setup, 'close'); // of its output, which all that it began hold
  setup.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
});

/** Runs setup with these shell scripts in place of the machine's programs. Every Debian package seems to be installed. */
async function setUp(programs: Record<string, string>): Promise<{ status: unknown; said: string }> {
  const setup = await startSetup(programs);
  const ended = once(setup, 'close');
  const said = setup.stderr === null ? '' : await text(setup.stderr);
  const [status] = await ended;
  return { status, said };
}

async function startSetup(programs: Record<string, string>): Promise<ChildProcess> {
  const bin = `${clone}/bin`;
  const scripts = { npm: 'exit 1', 'dpkg-query': dpkgWithout('-'), ...programs };
  await mkdir(bin);
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return spawn(`${clone}/deploy/setup`, { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
}

/** Says of every package but these that it is installed. */
function dpkgWithout(...missing: string[]): string {
  return `for package; do case $package in -*|*'$'*|${missing.join('|')}) ;; *) echo "installed $package" ;; esac; done`;
}

async function withoutNpmPackages(): Promise<void> {
  await rm(`${clone}/node_modules`);
  await mkdir(`${clone}/node_modules`);
}

async function untilItSays(setup: ChildProcess, words: string): Promise<void> {
  let said = '';
  for await (const chunk of setup.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk;
    if (said.includes(words)) break;
  }
  setup.stderr?.resume();
}
