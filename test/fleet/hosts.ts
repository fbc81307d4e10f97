/**
 * Hosts as network namespaces of this machine, on one bridge, each with an address and a small disk of its own. In: names. Out: hosts on
 * which programs are started, cut off and slowed. Needs root. Everything goes with `close`; what a killed run left goes at the next start.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findProgram } from '../support/program.ts';

export interface Host {
  name: string;
  /** Of its network namespace. */
  space: string;
  /** 10.x, which everybody on the bridge reaches, this process too. */
  address: string;
  /** Its disk, empty at first. */
  dir: string;
}

export interface HostSpec {
  name: string;
  /** Of its disk, MB. */
  diskMb: number;
  /** A second address, which everybody reaches: one that is not private. */
  publicAddress?: string;
  /** Address of a name server for it; default: none. */
  nameServer?: string;
}

export interface Network {
  add(spec: HostSpec): Promise<Host>;
  /** Address that the host added as number `at` (from 1) has, or will have. */
  addressAt(at: number): string;
  /** Nothing gets from one to the other any more. */
  cut(one: Host, other: Host): Promise<void>;
  join(one: Host, other: Host): Promise<void>;
  /** All that it sends goes at so many kbit a second at most, and waits in line. */
  slow(host: Host, kbit: number): Promise<void>;
  quicken(host: Host): Promise<void>;
  /** Leaves less than a page of its disk. */
  fill(host: Host): Promise<void>;
  empty(host: Host): Promise<void>;
  close(): Promise<void>;
}

/** Why there can be no hosts here; null if there can. */
export function hostsUnavailable(): string | null {
  if (process.getuid?.() !== 0) return 'no root: network namespaces need it';
  const missing = ['ip', 'tc', 'mount', 'dd', 'setpriv'].filter((name) => findProgram(name) === null);
  return missing.length === 0 ? null : `no ${missing.join(', no ')}: apt-get install iproute2`;
}

/** `dir`: where disks are mounted. */
export async function openNetwork(dir: string): Promise<Network> {
  await sweep();
  const name = `${PREFIX}${process.pid}`;
  const subnet = await freeSubnet();
  const hosts: Host[] = [];
  await ip(`link add ${name} type bridge`, `addr add ${subnet}.254/24 dev ${name}`, `link set ${name} up`);
  const addressAt = (at: number) => `${subnet}.${at}`;
  return {
    addressAt,
    async add(spec) {
      const number = hosts.length + 1;
      const host = {
        name: spec.name,
        space: `${name}-${spec.name}`,
        address: addressAt(number),
        dir: `${dir}/${spec.name}`,
      };
      hosts.push(host);
      await addSpace(host, `${PREFIX}${process.pid}-${number}`, name, spec);
      await mountDisk(host, spec.diskMb);
      return host;
    },
    async cut(one, other) {
      await ipIn(one, `route replace blackhole ${other.address}/32`);
      await ipIn(other, `route replace blackhole ${one.address}/32`);
    },
    async join(one, other) {
      // where two cuts of the same hosts overlapped, the first that ends mends both
      await ipIn(one, `route del blackhole ${other.address}/32`).catch(() => null);
      await ipIn(other, `route del blackhole ${one.address}/32`).catch(() => null);
    },
    slow: ({ space }, kbit) =>
      run('tc', ['-n', space, ...`${SLOW} rate ${kbit}kbit burst 16kb latency 400ms`.split(' ')]),
    quicken: ({ space }) => run('tc', ['-n', space, ...'qdisc del dev eth0 root'.split(' ')]),
    fill: async ({ dir: disk }) => {
      await promisify(execFile)('dd', ['if=/dev/zero', `of=${disk}/${FILLER}`, 'bs=64k']).catch(() => null); // until there is no room
    },
    empty: ({ dir: disk }) => rm(`${disk}/${FILLER}`, { force: true }),
    async close() {
      for (const host of hosts) await removeSpace(host.space);
      await ip(`link del ${name}`);
      for (const host of hosts) await unmount(host.dir);
    },
  };
}

/** The command line that runs another one on a host; what it starts dies with this process, however that ends. */
export function onHost({ space }: Host, command: readonly string[]): string[] {
  return ['setpriv', '--pdeathsig', 'KILL', '--', 'ip', 'netns', 'exec', space, ...command];
}

async function addSpace(host: Host, link: string, bridge: string, spec: HostSpec): Promise<void> {
  await ip(`netns add ${host.space}`);
  await ip(`link add ${link} type veth peer name eth0 netns ${host.space}`, `link set ${link} master ${bridge} up`);
  await ipIn(host, `addr add ${host.address}/24 dev eth0`, 'link set lo up', 'link set eth0 up');
  await ipIn(host, `route add ${PUBLIC_NET} dev eth0`);
  if (spec.publicAddress !== undefined) await ipIn(host, `addr add ${spec.publicAddress}/32 dev eth0`);
  await mkdir(`/etc/netns/${host.space}`, { recursive: true });
  // asked at once, and no other: the machine's own name servers are out of reach
  await writeFile(`/etc/netns/${host.space}/resolv.conf`, `nameserver ${spec.nameServer ?? '127.0.0.1'}\n`);
}

async function mountDisk({ dir }: Host, diskMb: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'sidelight-fleet', dir]);
}

/** Spaces of processes that are gone. */
async function sweep(): Promise<void> {
  const spaces = existsSync('/run/netns') ? readdirSync('/run/netns') : [];
  const links = readdirSync('/sys/class/net');
  const left = [...spaces, ...links].flatMap((name) => OWNED.exec(name)?.[1] ?? []);
  for (const pid of new Set(left.filter((owner) => !existsSync(`/proc/${owner}`)))) {
    for (const space of spaces.filter((name) => name.startsWith(`${PREFIX}${pid}-`))) await removeSpace(space);
    if (existsSync(`/sys/class/net/${PREFIX}${pid}`)) await ip(`link del ${PREFIX}${pid}`);
    for (const dir of await disksOf(pid)) await unmount(dir);
  }
}

/** Where a run mounts its disks: the process that does is named in the path. */
export function disksFolder(pid: number | string = process.pid): string {
  return `/tmp/sidelight-fleet-${pid}`;
}

async function disksOf(pid: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('mount', ['-t', 'tmpfs']);
  return stdout.split('\n').flatMap((line) => {
    const dir = line.split(' ')[2] ?? '';
    return dir.startsWith(`${disksFolder(pid)}/`) ? [dir] : [];
  });
}

/** With all that runs in it. */
async function removeSpace(space: string): Promise<void> {
  const { stdout } = await promisify(execFile)('ip', ['netns', 'pids', space]).catch(() => ({ stdout: '' }));
  for (const pid of stdout.split('\n').filter(Boolean)) killIfThere(Number(pid));
  await ip(`netns del ${space}`).catch(() => null); // somebody was quicker
  await rm(`/etc/netns/${space}`, { recursive: true, force: true });
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has just ended by itself
  }
}

/** What a process that is just ending still holds open goes with it. */
async function unmount(dir: string): Promise<void> {
  await run('umount', ['--lazy', dir]).catch(() => null);
  await rm(dir, { recursive: true, force: true });
}

/** 10.x.y of which this machine has no route yet. */
async function freeSubnet(): Promise<string> {
  const { stdout } = await promisify(execFile)('ip', ['route']);
  for (let at = 0; ; at += 1) {
    const subnet = `10.${100 + ((process.pid + at) % 100)}.${process.pid % 250}`;
    if (!stdout.includes(`${subnet}.`)) return subnet;
  }
}

async function ip(...commands: string[]): Promise<void> {
  for (const command of commands) await run('ip', command.split(' '));
}

async function ipIn({ space }: Host, ...commands: string[]): Promise<void> {
  for (const command of commands) await run('ip', ['-n', space, ...command.split(' ')]);
}

async function run(program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(program, args);
}

const PREFIX = 'slf';
const OWNED = /^slf(\d+)(?:-|$)/;
const SLOW = 'qdisc replace dev eth0 root tbf';
const FILLER = 'filler';
/** Nobody's outside a fleet: no route leads out of it. Sources are refused at private addresses, so theirs are of here. */
export const PUBLIC_NET = '11.8.0.0/16';
export const PUBLIC_WEB = '11.8.0.1';
