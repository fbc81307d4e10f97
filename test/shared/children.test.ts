/** Children with tasks that take for ever, fill the memory in every way, end their process, or reach for what is not theirs. */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startChild } from '../../shared/children/child.ts';
import { Broken, type Children, openChildren } from '../../shared/children/children.ts';
import { networkSeal, workingSeal } from '../../shared/children/sealed.ts';
import { readMetrics } from '../../shared/metrics.ts';
import { compiled, repositoryRoot } from '../../shared/root.ts';

const WORK = `
import { SelectorType } from '${pathToFileURL(`${repositoryRoot()}/node_modules/css-what/lib/commonjs/index.js`)}';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
const tried = (act) => { try { act(); return 'done'; } catch ({ code, name }) { return code ?? name; } };
const atLoad = tried(() => new Function('return 1')());
let seen = 0;
export default function work(task, context) {
  if (task === 'endless') for (;;);
  if (task === 'wide') { const all = []; for (;;) all.push(new Array(1e5).fill(task)); }
  if (task === 'buffers') { const all = []; for (;;) all.push(Buffer.alloc(1e7, 1)); }
  if (task === 'large') { const all = []; for (let n = 0; n < 12; n += 1) all.push(Buffer.alloc(1e7, 1)); return all.length; }
  if (task === 'end') process.exit(3);
  if (task === 'crash') process.abort();
  if (task === 'killed') { process.kill(process.pid, 'SIGKILL'); for (;;); }
  if (task === 'later') { setTimeout(() => { throw new Error('later'); }); return new Promise(() => undefined); }
  if (task === 'broken') throw new TypeError('broken');
  if (task === 'names') return SelectorType.Attribute;
  if (task === 'pid') return process.pid;
  if (task === 'environment') return Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL'));
  if (task === 'read') return tried(() => readFileSync('/etc/hostname'));
  if (task === 'write') return tried(() => writeFileSync(new URL('./written', import.meta.url), 'x'));
  if (task === 'program') return tried(() => execFileSync('/bin/true'));
  if (task === 'eval') return tried(() => new Function('return 1')());
  if (task === 'eval at load') return atLoad;
  if (task === 'thread') return tried(() => new Worker('0', { eval: true }));
  if (task.startsWith('connect ')) return new Promise((resolve) => {
    connect(Number(task.slice(8)), '127.0.0.1', () => resolve('connected')).on('error', ({ code }) => resolve(code));
  });
  if (context !== undefined) seen += 1;
  return task === 'seen' ? [seen, Buffer.from(context ?? []).toString()] : task.length;
}`;

let folder: string;
let children: Children<string, unknown>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-children-'));
  await writeFile(join(folder, 'work.mjs'), WORK);
});
beforeEach(() => {
  const file = pathToFileURL(join(folder, 'work.mjs'));
  children = openChildren(file, { deadlineMs: 20_000, memoryMb: 200, most: 1 });
});
afterEach(() => children.close());
afterAll(() => rm(folder, { recursive: true }));

test('a task without end is given up, and those that waited behind it are done', async () => {
  const hurried = openChildren<string, unknown>(pathToFileURL(join(folder, 'work.mjs')), { deadlineMs: 500, most: 1 });
  const endless = hurried.run('endless');
  const waiting = hurried.run('pid');
  await expect(endless).rejects.toMatchObject({ name: 'GivenUp', code: 'time' });
  await expect(waiting).resolves.toBeGreaterThan(0);
  await hurried.close();
});

test.each(['wide', 'end', 'crash', 'later'])('a task that ends its process (%s) takes nothing along', async (task) => {
  const ended = children.run(task);
  const waiting = children.run('four');
  await expect(ended).rejects.toMatchObject({ name: 'GivenUp', code: 'crash' });
  await expect(waiting).resolves.toBe(4);
});

test('memory that V8 does not manage is bounded too', async () => {
  await expect(children.run('buffers')).rejects.toMatchObject({ name: 'GivenUp', code: 'memory' });
  await expect(children.run('four')).resolves.toBe(4);
});

test('a process that has grown is not used again', async () => {
  const first = await children.run('pid');
  expect(await children.run('pid')).toBe(first);
  await expect(children.run('large')).resolves.toBe(12);
  expect(await children.run('pid')).not.toBe(first);
});

test('a process that somebody else kills says nothing of its task: it is tried again', async () => {
  const pid = Number(await children.run('pid'));
  process.kill(pid, 'SIGKILL');
  await expect(children.run('four')).resolves.toBe(4);
});

test('a task whose process is killed each time is given up: others miss the memory that it took', async () => {
  await expect(children.run('killed')).rejects.toMatchObject({ name: 'GivenUp', code: 'crash' });
  await expect(children.run('four')).resolves.toBe(4);
});

test('what ends a group of processes leaves the task to its end', async () => {
  const pid = Number(await children.run('pid'));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal);
  expect(await children.run('pid')).toBe(pid);
});

test('what the work throws is thrown', async () => {
  await expect(children.run('broken')).rejects.toHaveProperty('message', 'broken');
});

test('a task that is stopped ends at once, and its process with it', async () => {
  const pid = Number(await children.run('pid'));
  const abort = new AbortController();
  const endless = children.run('endless', { signal: abort.signal });
  const reason = new Error('stopped');
  await new Promise(setImmediate); // now it has been asked
  abort.abort(reason);
  await expect(endless).rejects.toBe(reason);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await expect(children.run('four')).resolves.toBe(4);
});

test('a child loads what CommonJS modules export by name', async () => {
  await expect(children.run('names')).resolves.toBe('attribute');
});

test('a child has no variable of this process, reads no file but the program, and writes and starts nothing', async () => {
  process.env.SIDELIGHT_SECRET = 'secret';
  try {
    const seen = [];
    for (const task of ['environment', 'read', 'write', 'program', 'thread', 'eval', 'eval at load'])
      seen.push(await children.run(task));
    const denied = 'ERR_ACCESS_DENIED';
    expect(seen).toEqual([
      expect.not.arrayContaining(['SIDELIGHT_SECRET']),
      denied,
      denied,
      denied,
      denied,
      'EvalError',
      'EvalError',
    ]);
  } finally {
    delete process.env.SIDELIGHT_SECRET;
  }
});

describe('a child that connects to a server on this host', () => {
  const server = createServer((socket) => socket.destroy());
  let task: string;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    task = `connect ${(server.address() as AddressInfo).port}`; // it listens at a port
  });
  afterAll(() => server.close());

  test('reaches it where the host does not let us take its network, and else nothing; it is counted either way', async () => {
    const sealed = (await networkSeal()).length > 0;
    expect(await children.run(task)).toBe(sealed ? 'ENETUNREACH' : 'connected');
    expect((await readMetrics()).text).toMatch(
      new RegExp(`sidelight_children_total\\{network="${sealed ? 'none' : 'open'}"\\} [1-9]`),
    );
  });

  test('reaches it without the seal', async () => {
    const file = pathToFileURL(join(folder, 'work.mjs'));
    const open = startChild(file, { memoryMb: 200, cpuSeconds: 20, addons: false, seal: [] });
    await open.ready();
    expect(await open.ask({ task }, 20_000)).toMatchObject({ answer: 'connected' });
    await open.kill();
  });

  test('a seal that does not work is none', async () => {
    expect(await Promise.all([workingSeal(['/missing/unshare', '--']), workingSeal(['false'])])).toEqual([[], []]);
    expect(await workingSeal(['env', '--'])).toEqual(['env', '--']);
  });
});

test('what was too much is counted once, by its reason', async () => {
  const counted = async () => {
    const { text } = await readMetrics();
    return /sidelight_parser_kills_total\{reason="crash"\} (\d+)/.exec(text)?.[1] ?? '0';
  };
  const before = Number(await counted());
  await expect(children.run('killed')).rejects.toHaveProperty('code', 'crash');
  expect(Number(await counted())).toBe(before + 1);
});

test('the kernel holds its limits', async () => {
  const limits = execFileSync('cat', [`/proc/${await children.run('pid')}/limits`], { encoding: 'utf8' });
  const code = Number.parseInt(process.versions.node, 10) >= 24 ? 512 : 0; // MB that V8 reserves and the kernel counts
  expect(limits).toMatch(new RegExp(`Max data size +${(200 + code) * 2 ** 20} `));
  expect(limits).toMatch(/Max cpu time +200 +200/);
  expect(limits).toMatch(/Max core file size +0 +0/);
});

test('what many tasks share is sent once, and again where it is another', async () => {
  const context = (version: number, text: string) => ({ context: { version, bytes: Buffer.from(text) } });
  await children.run('a', context(1, 'first'));
  expect(await children.run('seen', context(1, 'first'))).toEqual([1, '']);
  expect(await children.run('seen', context(2, 'second'))).toEqual([2, 'second']);
});

test('a module that is none is no fault of the task', async () => {
  const missing = openChildren(pathToFileURL(join(folder, 'missing.mjs')), { deadlineMs: 2000 });
  await expect(missing.run('four')).rejects.toBeInstanceOf(Broken);
  await missing.close();
});

test('who closes leaves no process', async () => {
  const pid = Number(await children.run('pid'));
  const endless = children.run('endless');
  const ended = expect(endless).rejects.toBeInstanceOf(Broken);
  await children.close();
  await ended;
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('who closes and has nothing else to do hears of it', async () => {
  const library = compiled(new URL('../../shared/children/children.ts', import.meta.url));
  const program = `
import { openChildren } from '${library}';
const children = openChildren(new URL('${pathToFileURL(join(folder, 'work.mjs'))}'), { deadlineMs: 20_000 });
await children.run('four');
await children.close();
console.log('closed');`;
  const closed = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(closed.stdout).toBe('closed\n');
});
