import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../../shared/root.ts';
import { describeWith } from '../../support/describe-with.ts';
import { freePorts, stackEnvironment } from '../../support/ports.ts';
import { processesWith } from '../../support/processes.ts';

const root = repositoryRoot();
const { first } = await freePorts();
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sidelight-start-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describeWith(['redis', 'wiki'], 'start', () => {
  test('Ctrl-C in the middle of the work stops everything within five seconds', async () => {
    const child = begin();
    await says(child, 'articles read');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(5000) });
    expect(code).toBe(0);
    expect(mine()).toEqual([]);
  }, 120_000);

  test('killed, it takes everything that it started along', async () => {
    const child = begin();
    await says(child, 'articles read');
    child.kill('SIGKILL');
    await once(child, 'exit');
    while (mine().length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }, 120_000);

  test('with --once it goes on where it was killed, shows every finding, stops everything, and exits 0', async () => {
    const child = begin('--once');
    const text = says(child, '… stopping');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(await text).toMatch(/(\d+) of \1 claims checked/);
    expect(mine()).toEqual([]);
  }, 300_000);

  test('a port that is taken is one line that says what to do', async () => {
    const running = begin();
    await says(running, 'articles read');
    const second = begin();
    const text = says(second, 'sidelight: ');
    expect((await once(second, 'exit'))[0]).toBe(1);
    expect(await text).toMatch(/port \d+ is taken: is Sidelight running already\?/);
    running.kill('SIGTERM');
    await once(running, 'exit');
  }, 120_000);
});

function begin(...options: string[]): ChildProcess {
  return spawn(process.execPath, [`${root}/.build/deploy/main.js`, 'start', '--port', String(first), ...options], {
    env: stackEnvironment(dataDir, `${root}/workers/models`),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves with all that was said when the words come; rejects if it ends before. */
function says(child: ChildProcess, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const listen = (chunk: Buffer) => {
      text += chunk;
      if (text.includes(words)) resolve(text);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('close', () => reject(new Error(`it ended without saying “${words}”:\n${text}`)));
  });
}

/** Processes that have our folder in their environment, at whatever depth they were started. */
function mine(): string[] {
  return processesWith(`DATA_DIR=${dataDir}`).map(({ pid, command }) => `${pid} ${command}`);
}
