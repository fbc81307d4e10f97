/** Faults of a plan, done to a fleet at their time and mended after it. In: a fleet, its supervisor, a plan. Out: what was not as it must be. */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { control } from './control.ts';
import type { Fleet, HostName } from './fleet.ts';
import type { Host } from './hosts.ts';
import { readKept } from './outcomes.ts';
import { createRandom } from './random.ts';
import { describeFault, type Fault, type FaultKind, OFF_S, PARTS, SERVERS } from './schedule.ts';
import { databaseUrl } from './servers.ts';
import type { Supervisor } from './supervisor.ts';

export interface FaultDependencies {
  fleet: Fleet;
  supervisor: Supervisor;
  tell(line: string): void;
}

/** Resolves when all are over. Gives a line for each program that did not stop as it was asked to. */
export async function befall(dependencies: FaultDependencies, plan: readonly Fault[]): Promise<string[]> {
  const begun = Date.now();
  const wrongs = await Promise.all(
    plan.map(async (fault) => {
      await wait(Math.max(0, begun + fault.atMs - Date.now()));
      dependencies.tell(describeFault(fault));
      return MENDED[fault.kind](dependencies, fault);
    }),
  );
  return wrongs.flatMap((wrong) => wrong ?? []);
}

type Befall = (dependencies: FaultDependencies, fault: Fault) => Promise<string | null>;

const MENDED: Record<FaultKind, Befall> = {
  kill: (all, fault) => gone(all, fault, 'SIGKILL'),
  sigterm: async (all, fault) => {
    const { code, signal, ms } = await take(all, fault, 'SIGTERM');
    await restore(all, fault);
    return code === 0 && ms <= STOP_MS
      ? null
      : `${fault.targets.join()}: asked to stop, ended with ${code ?? signal} after ${ms} ms`;
  },
  clock_moved: moveClock,
  redis_restarted: (all, fault) => gone(all, fault, 'SIGTERM'),
  mariadb_restarted: (all, fault) => gone(all, fault, 'SIGTERM'),
  elasticsearch_node_gone: (all, fault) => gone(all, fault, 'SIGKILL'),
  shard_gone: async (all, fault) => {
    await take(all, fault, 'SIGKILL');
    await searchedPartly(all.fleet);
    await restore(all, fault);
    return null;
  },
  redis_unreachable: async ({ fleet }, { lastsMs }) => {
    const redis = fleet.host('redis');
    return cutFor(
      fleet,
      hostsOf(fleet).map((host) => [host, redis] as const),
      lastsMs,
    );
  },
  network_cut: ({ fleet }, { targets: [one, other], lastsMs }) =>
    cutFor(fleet, [[fleet.host(one as HostName), fleet.host(other as HostName)]], lastsMs), // schedule.ts names hosts
  network_slow: async ({ fleet }, { targets: [name], lastsMs }) => {
    const host = fleet.host(name as HostName); // schedule.ts names hosts
    await fleet.network.slow(host, SLOW_KBIT);
    await wait(lastsMs);
    await fleet.network.quicken(host);
    return null;
  },
  disk_full_redis: fillDisk,
  disk_full_mariadb: fillDisk,
  disk_full_elasticsearch: fillDisk,
  disk_full_workers: fillDisk,
  disk_full_bot: fillDisk,
  disk_full_shard: fillDisk,
  disk_full_review: fillDisk,
  web_error: (all, fault) => trouble(all, fault, 'error'),
  web_hang: (all, fault) => trouble(all, fault, 'hang'),
  web_lie: (all, fault) => trouble(all, fault, 'lie'),
};

async function gone(all: FaultDependencies, fault: Fault, signal: NodeJS.Signals): Promise<null> {
  await take(all, fault, signal);
  await restore(all, fault);
  return null;
}

async function take({ fleet, supervisor }: FaultDependencies, { targets, lastsMs }: Fault, signal: NodeJS.Signals) {
  const ended = await supervisor.take(fleet.program(targets[0] ?? ''), signal);
  await wait(lastsMs);
  return ended;
}

async function restore({ fleet, supervisor }: FaultDependencies, { targets }: Fault, changes = {}): Promise<void> {
  await supervisor.giveBack(fleet.program(targets[0] ?? ''), changes);
}

/** Until a search was given what the others have, or so late that none is under way. */
async function searchedPartly({ host }: Fleet): Promise<void> {
  const deadline = Date.now() + GIVEN_UP_MS;
  const look = () =>
    readKept(databaseUrl(host('mariadb'))).then(
      ({ partly }) => partly,
      () => 0, // it is away too, or has no tables yet
    );
  while (Date.now() < deadline && (await look()) === 0) await wait(3000);
}

/** Its process comes again with another clock, and once more with the right one. */
async function moveClock(all: FaultDependencies, fault: Fault): Promise<null> {
  const { between, choose } = createRandom(fault.atMs, fault.targets.join());
  const offset = `${choose(['-', '+'])}${between(30, choose(OFF_S))}`;
  all.tell(`  ${fault.targets.join()}: ${offset} s`);
  const program = all.fleet.program(fault.targets[0] ?? '');
  await all.supervisor.take(program, 'SIGKILL');
  await restore(all, fault, { LD_PRELOAD: FAKETIME, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' });
  await wait(fault.lastsMs);
  await all.supervisor.take(program, 'SIGKILL');
  await restore(all, fault);
  return null;
}

async function cutFor({ network }: Fleet, pairs: readonly (readonly [Host, Host])[], ms: number): Promise<null> {
  const [...cut] = pairs.filter(([one, other]) => one !== other);
  for (const [one, other] of cut) await network.cut(one, other);
  await wait(ms);
  for (const [one, other] of cut) await network.join(one, other);
  return null;
}

function hostsOf({ program }: Fleet): Host[] {
  const hosts = PARTS.map((name) => program(name).host);
  return [...new Set(hosts)];
}

async function fillDisk({ fleet }: FaultDependencies, { targets, lastsMs }: Fault): Promise<null> {
  const host = fleet.host(targets[0] as HostName); // schedule.ts names hosts
  await fleet.network.fill(host);
  await wait(lastsMs);
  await fleet.network.empty(host);
  return null;
}

async function trouble({ fleet }: FaultDependencies, { lastsMs }: Fault, mood: string): Promise<null> {
  const { address } = fleet.host('web');
  await control(address, { mood });
  await wait(lastsMs);
  await control(address, { mood: 'well' });
  return null;
}

/** Why no clock can be moved here; null if it can. */
export function clockUnavailable(): string | null {
  return existsSync(FAKETIME) ? null : 'no libfaketime: apt-get install faketime';
}

/** Whatever is still wrong when a plan is over: a server that ended by itself is up again. */
export async function mendAll({ fleet }: FaultDependencies): Promise<void> {
  const deadline = Date.now() + MEND_MS;
  for (const name of [...SERVERS, ...PARTS]) {
    while (!(await answers(fleet, name)) && Date.now() < deadline) await wait(500);
  }
}

async function answers({ program }: Fleet, name: string): Promise<boolean> {
  return program(name)
    .answers(1000)
    .then(
      () => true,
      () => false,
    );
}

const MEND_MS = 300_000;
const GIVEN_UP_MS = 120_000;
const FAKETIME = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
const SLOW_KBIT = 128;
/** STOP_SECONDS and a little for what comes after. */
const STOP_MS = 25_000;
