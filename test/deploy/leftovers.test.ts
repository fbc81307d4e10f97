import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { refuseLeftovers } from '../support/leftovers.ts';
import { processesOfGroup, processesWith } from '../support/processes.ts';
import { bundleProgram } from '../support/programs.ts';

test('a process that is left over is named and killed', async () => {
  const left = spawn('sleep', ['600'], { detached: true, env: { ...process.env, LEFT_OVER: 'yes' } });
  await once(left, 'spawn');
  const ended = once(left, 'exit');
  await expect(refuseLeftovers('LEFT_OVER=yes', 0)).rejects.toThrow(`${left.pid} sleep 600`);
  expect(await ended).toEqual([null, 'SIGKILL']);
});

test('what a left-over process has started goes with it', async () => {
  const script = 'env -u LEFT_OVER sleep 600 & wait'; // redis-server, too, hides its environment
  const left = spawn('sh', ['-c', script], { detached: true, env: { ...process.env, LEFT_OVER: 'group' } });
  await once(left, 'spawn');
  const ended = once(left, 'close'); // of its output, which all of them hold
  await expect(refuseLeftovers('LEFT_OVER=group', 0)).rejects.toThrow(`${left.pid} sh`);
  await ended;
  expect(processesOfGroup(left.pid ?? 0)).toEqual([]);
});

test('a process that is about to end is no left-over', async () => {
  const ending = spawn('sleep', ['0.2'], { env: { ...process.env, ABOUT_TO_END: 'yes' } });
  await once(ending, 'spawn');
  await expect(refuseLeftovers('ABOUT_TO_END=yes')).resolves.toBeUndefined();
});

test('every process of this file bears its mark', async () => {
  const child = spawn('sleep', ['600']);
  await once(child, 'spawn');
  expect(processesWith(`SIDELIGHT_TEST=${process.env.SIDELIGHT_TEST}`).map(({ pid }) => pid)).toContain(child.pid);
  child.kill();
  await once(child, 'exit');
});

test('so does a program of ours that knows no other setting', async () => {
  const program = await bundleProgram('test/deploy/systemd-beginning.ts');
  const part = await program.start({ STOP_SECONDS: '1' });
  expect(processesWith(`SIDELIGHT_TEST=${process.env.SIDELIGHT_TEST}`).map(({ pid }) => pid)).toContain(part.pid);
  await part.end('SIGTERM');
  program.remove();
});
