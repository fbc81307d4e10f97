/** Threads with tasks that take for ever, fill the memory, or fail. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openThreads, type Threads, TookTooLong } from '../../shared/threads.ts';

const WORK = `
export default function work(task) {
  if (task === 'endless') for (;;);
  if (task === 'wide') { const all = []; for (;;) all.push(new Array(1e5).fill(task)); }
  if (task === 'broken') throw new RangeError('broken');
  return task.length;
}`;

let folder: string;
let threads: Threads<string, number>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-threads-'));
  await writeFile(join(folder, 'work.mjs'), WORK);
});
beforeEach(() => {
  const file = pathToFileURL(join(folder, 'work.mjs'));
  threads = openThreads(file, { deadlineMs: 1500, memoryMb: 64, most: 1 });
});
afterEach(() => threads.close());
afterAll(() => rm(folder, { recursive: true }));

test('a task without end is given up, and those that waited behind it are done', async () => {
  const endless = threads.run('endless');
  const waiting = threads.run('four');
  await expect(endless).rejects.toBeInstanceOf(TookTooLong);
  await expect(waiting).resolves.toBe(4);
});

test('a task that fills its memory is given up, and takes nothing along', async () => {
  await expect(threads.run('wide')).rejects.toBeInstanceOf(TookTooLong);
  await expect(threads.run('four')).resolves.toBe(4);
});

test('what the work throws is thrown', async () => {
  await expect(threads.run('broken')).rejects.toHaveProperty('message', 'broken');
});

test('a task that is stopped ends at once, and its thread with it', async () => {
  const abort = new AbortController();
  const endless = threads.run('endless', abort.signal);
  const reason = new Error('stopped');
  abort.abort(reason);
  await expect(endless).rejects.toBe(reason);
  await expect(threads.run('four')).resolves.toBe(4);
});
