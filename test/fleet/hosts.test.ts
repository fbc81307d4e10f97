import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { describeWith } from '../support/describe-with.ts';
import { disksFolder, type Network, onHost, openNetwork } from './hosts.ts';
import { createProgram } from './programs.ts';

/** No process has it: numbers end at 4,194,304. */
const GONE = 9_999_999;
const run = (command: string) => execFileSync('sh', ['-c', command]).toString();

describeWith(['hosts'], 'hosts as network namespaces', () => {
  let network: Network;
  beforeEach(async () => {
    network = await openNetwork(disksFolder());
  });
  afterEach(() => network.close());

  test('what a killed run left is gone at the next start', async () => {
    const dir = `${disksFolder(GONE)}/redis`;
    mkdirSync(dir, { recursive: true });
    run(`ip netns add slf${GONE}-redis; ip link add slf${GONE} type bridge; mount -t tmpfs -o size=1m test ${dir}`);
    await network.close();
    network = await openNetwork(disksFolder());
    expect(existsSync(`/run/netns/slf${GONE}-redis`)).toBe(false);
    expect(existsSync(`/sys/class/net/slf${GONE}`)).toBe(false);
    expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(dir);
  });

  test('two hosts reach each other until they are cut, and again once they are joined', async () => {
    const [one, other] = [
      await network.add({ name: 'one', diskMb: 1 }),
      await network.add({ name: 'other', diskMb: 1 }),
    ];
    const reaches = () => {
      const [program = '', ...args] = onHost(one, [
        'sh',
        '-c',
        `ip route get ${other.address} >/dev/null 2>&1; echo $?`,
      ]);
      return execFileSync(program, args).toString().trim();
    };
    expect(reaches()).toBe('0');
    await network.cut(one, other);
    expect(reaches()).not.toBe('0');
    await network.join(one, other);
    expect(reaches()).toBe('0');
  });

  test('a disk is full when it is filled, and has room again', async () => {
    const host = await network.add({ name: 'full', diskMb: 1 });
    await network.fill(host);
    expect(statfsSync(host.dir).bavail).toBe(0);
    await network.empty(host);
    expect(statfsSync(host.dir).bavail).toBeGreaterThan(0);
  });

  test('a program that is killed on its host is over, and starts again', async () => {
    const host = await network.add({ name: 'busy', diskMb: 1 });
    const spec = { name: 'sleep', host, command: ['sleep', '600'], logFile: `${host.dir}/log`, port: null };
    const program = createProgram(spec);
    await program.start();
    expect(await program.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await program.start();
    expect(program.isRunning()).toBe(true);
    await program.end('SIGKILL');
  });
});
