import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { repositoryRoot } from '../../../shared/root.ts';
import { processesOfGroup } from '../../support/processes.ts';

const KEEP = `${repositoryRoot()}/deploy/servers/keep.sh`;

test('a server and its workers end when whoever started them is gone', async () => {
  const keeper = spawn(KEEP, ['sh', '-c', 'sleep 600 & sleep 600'], { detached: true });
  await once(keeper, 'spawn');
  keeper.stdin.end(); // as the kernel does when a process is killed
  await once(keeper, 'close');
  expect(processesOfGroup(keeper.pid ?? 0)).toEqual([]);
});

test('workers that a server leaves behind end with it', async () => {
  const keeper = spawn(KEEP, ['sh', '-c', 'sleep 600 & exit'], { detached: true });
  await once(keeper, 'close');
  expect(processesOfGroup(keeper.pid ?? 0)).toEqual([]);
});
