/**
 * Which faults come when. In: a seed. Out: a plan that says itself in lines and comes again with its seed. Two lanes: what befalls
 * programs, and what befalls networks, disks and the web, so that two faults may fall together. Does nothing.
 */
import { createRandom, type Random } from './random.ts';

/** What befalls programs. */
const PROGRAM_FAULTS = [
  'kill',
  'sigterm',
  'clock_moved',
  'redis_restarted',
  'mariadb_restarted',
  'elasticsearch_node_gone',
  'shard_gone',
] as const;
export const FAULTS = [
  ...PROGRAM_FAULTS,
  'redis_unreachable',
  'network_cut',
  'network_slow',
  'disk_full_redis',
  'disk_full_mariadb',
  'disk_full_elasticsearch',
  'disk_full_workers',
  'disk_full_bot',
  'disk_full_shard',
  'disk_full_review',
  'web_error',
  'web_hang',
  'web_lie',
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface Fault {
  kind: FaultKind;
  /** From the first edit on. */
  atMs: number;
  lastsMs: number;
  /** Names of programs or hosts. */
  targets: readonly string[];
}

export interface ScheduleOptions {
  seed: number;
  /** Each comes once at least. */
  kinds: readonly FaultKind[];
  /** Share of the full durations, but for those that mean something: Redis is out of reach for 30 s, a shard until it is given up. */
  pace: number;
  /** After the first round of all kinds, as many more by chance. */
  more: number;
}

export function makeSchedule({ seed, kinds, pace, more }: ScheduleOptions): Fault[] {
  const random = createRandom(seed, 'faults');
  const chosen = [...shuffle(kinds, random), ...Array.from({ length: more }, () => random.choose(kinds))];
  const lanes = { programs: FIRST_MS, surroundings: FIRST_MS };
  const faults = chosen.map((kind): Fault => {
    const lane = PROGRAMS.has(kind) ? 'programs' : 'surroundings';
    const atMs = lanes[lane] + random.between(1000, Math.round(PAUSE_MS * pace));
    const lastsMs = Math.round(durationOf(kind, random) * (WHOLE.has(kind) ? 1 : pace));
    lanes[lane] = atMs + lastsMs;
    return { kind, atMs, lastsMs, targets: targetsOf(kind, random) };
  });
  return faults.sort((a, b) => a.atMs - b.atMs);
}

export function describeFault({ kind, atMs, lastsMs, targets }: Fault): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return `${seconds(atMs)} ${kind} ${targets.join(' – ')} for ${seconds(lastsMs)}`;
}

function durationOf(kind: FaultKind, random: Random): number {
  const [least, most] = DURATIONS[kind] ?? [5000, 15_000];
  return random.between(least, most);
}

function targetsOf(kind: FaultKind, random: Random): string[] {
  switch (kind) {
    case 'kill':
      return [random.choose([...PARTS, ...SERVERS])];
    case 'sigterm':
    case 'clock_moved':
      return [random.choose(PARTS)];
    case 'redis_restarted':
    case 'redis_unreachable':
    case 'disk_full_redis':
      return ['redis'];
    case 'mariadb_restarted':
    case 'disk_full_mariadb':
      return ['mariadb'];
    case 'elasticsearch_node_gone':
    case 'disk_full_elasticsearch':
      return [random.choose(['es1', 'es2', 'es3'])];
    case 'shard_gone':
    case 'disk_full_shard':
      return [random.choose(['shard-1', 'shard-2'])];
    case 'network_cut':
      return [random.choose(HOSTS), random.choose(SERVERS)];
    case 'network_slow':
      return [random.choose([...HOSTS, ...SERVERS])];
    case 'disk_full_workers':
      return [random.choose(['workers-1', 'workers-2'])];
    case 'disk_full_bot':
      return ['bot'];
    case 'disk_full_review':
      return ['review'];
    default:
      return ['web'];
  }
}

function shuffle<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

export const SERVERS = ['redis', 'mariadb', 'es1', 'es2', 'es3'] as const;
export const PARTS = [
  'shard-1',
  'shard-2',
  'workers-1-network',
  'workers-1-models',
  'workers-2-network',
  'workers-2-models',
  'review',
  'bot',
] as const;
const HOSTS = ['shard-1', 'shard-2', 'workers-1', 'workers-2', 'review', 'bot'] as const;
const PROGRAMS: ReadonlySet<FaultKind> = new Set<FaultKind>(PROGRAM_FAULTS);
/** However fast the others pass. */
const WHOLE: ReadonlySet<FaultKind> = new Set<FaultKind>(['redis_unreachable', 'shard_gone']);
/** ms, least and most. */
const DURATIONS: Partial<Record<FaultKind, readonly [number, number]>> = {
  kill: [1000, 6000],
  sigterm: [1000, 4000],
  clock_moved: [10_000, 20_000],
  redis_restarted: [1000, 5000],
  mariadb_restarted: [1000, 5000],
  elasticsearch_node_gone: [15_000, 40_000],
  /** More than what is waited for a shard that nobody holds; it is given back once something was searched without it. */
  shard_gone: [35_000, 50_000],
  redis_unreachable: [30_000, 30_000],
  web_hang: [12_000, 25_000],
};
/** How far a clock is moved at most: two minutes as a clock that is set by hand may be off, or hours as after a wrong time zone. */
export const OFF_S = [120, 3 * 3600] as const;
const FIRST_MS = 3000;
const PAUSE_MS = 6000;
