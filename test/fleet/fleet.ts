/**
 * A whole fleet on the hosts of `hosts.ts`: Redis, MariaDB, three Elasticsearch nodes, two dense shards, two workers of each kind, bot,
 * review service, and the wiki and the web that they read. In: a seed, how many articles. Out: its programs, each by its name.
 */
import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { repositoryRoot } from '../../shared/root.ts';
import { disksFolder, type Host, type Network, openNetwork, PUBLIC_WEB } from './hosts.ts';
import { createProgram, type Program } from './programs.ts';
import type { WebArgument } from './serve-web.ts';
import type { WikiArgument } from './serve-wiki.ts';
import { databaseUrl, elasticsearchOn, mariadbCommand, prepareMariadb, redisCommand } from './servers.ts';

export interface FleetOptions {
  seed: number;
  articles: number;
  /** Folder of the compiled program; default: `.build`. */
  build?: string;
  /** Where its programs write what they do. */
  logs: string;
}

export type HostName = (typeof DISKS)[number][0];

export interface Fleet {
  network: Network;
  host(name: HostName): Host;
  /** Those of servers and of Sidelight, without the wiki and the web. */
  programs: readonly Program[];
  program(name: string): Program;
  /** Of every part of Sidelight on a host: what the command line is given there. */
  settings(host: Host): Record<string, string>;
  /** Origin of the review service. */
  review: string;
  close(): Promise<void>;
}

/** MB. The web comes first: its address is everybody's name server. */
const DISKS = [
  ['web', 8],
  ['wiki', 8],
  ['redis', 200],
  ['mariadb', 400],
  ['es1', 120],
  ['es2', 120],
  ['es3', 120],
  ['shard-1', 64],
  ['shard-2', 64],
  ['workers-1', 64],
  ['workers-2', 64],
  ['bot', 32],
  ['review', 32],
] as const;

/** Everything answers when it resolves, and nothing was announced yet. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const network = await openNetwork(disksFolder());
  try {
    const fleet = await layOut(network, options);
    await startServers(fleet);
    return fleet;
  } catch (error) {
    await network.close();
    throw error;
  }
}

async function layOut(network: Network, options: FleetOptions): Promise<Fleet> {
  const hosts = new Map<string, Host>();
  const nameServer = network.addressAt(1);
  for (const [name, diskMb] of DISKS) {
    const isWeb = name === 'web';
    hosts.set(name, await network.add({ name, diskMb, nameServer, ...(isWeb && { publicAddress: PUBLIC_WEB }) }));
  }
  const host = (name: HostName) => {
    const found = hosts.get(name);
    if (found === undefined) throw new RangeError(`no host ${name}`);
    return found;
  };
  const review = `http://${host('review').address}:${REVIEW_PORT}`;
  const since = new Date().toISOString();
  const settings = (on: Host) => ({ ...settingsOn(on, host, review), SINCE: since });
  const outside = outsiders(host, options);
  const programs = [...serversOf(host, options), ...partsOf(host, settings, options)];
  const all = [...outside, ...programs];
  return {
    ...{ network, host, programs, settings, review },
    program(name) {
      const found = all.find((program) => program.name === name);
      if (found === undefined) throw new RangeError(`no program ${name}`);
      return found;
    },
    async close() {
      await Promise.all(all.map((program) => program.end('SIGKILL')));
      await network.close();
      await rm(disksFolder(), { recursive: true, force: true });
    },
  };
}

type FindHost = (name: HostName) => Host;

/** The wiki and the web. */
function outsiders(host: FindHost, options: FleetOptions): Program[] {
  const { seed, articles } = options;
  const web: WebArgument = { seed, host: host('web').address, publicAddress: PUBLIC_WEB, domain: DOMAIN };
  const wiki: WikiArgument = { seed, articles, host: host('wiki').address, domain: DOMAIN };
  const serve = (name: 'web' | 'wiki', argument: WebArgument | WikiArgument) =>
    createProgram({
      ...{ name, host: host(name), port: 81, logFile: `${options.logs}/${name}.log` },
      command: [process.execPath, `${buildOf(options)}/test/fleet/serve-${name}.js`, JSON.stringify(argument)],
    });
  return [serve('web', web), serve('wiki', wiki)];
}

function serversOf(host: FindHost, { logs }: FleetOptions): Program[] {
  const nodes = NODES.map(host);
  const server = (name: HostName, port: number, command: readonly string[]) =>
    createProgram({ name, host: host(name), port, command, logFile: `${logs}/${name}.log` });
  return [
    server('redis', 6379, redisCommand(host('redis'))),
    server('mariadb', 3306, mariadbCommand(host('mariadb'))),
    ...nodes.map((node, at) => server(NODES[at] ?? 'es1', 9200, elasticsearchOn(node, nodes))),
  ];
}

/** Sidelight's own. Two kinds of workers share a process: those that wait for the network, and those that use the models. */
function partsOf(host: FindHost, settings: (host: Host) => Record<string, string>, options: FleetOptions): Program[] {
  const part = (name: string, on: HostName, port: number | null, ...command: string[]) =>
    createProgram({
      ...{ name, host: host(on), port, logFile: `${options.logs}/${name}.log` },
      command: [process.execPath, `${buildOf(options)}/deploy/main.js`, ...command],
      environment: settings(host(on)),
    });
  const workers = (on: 'workers-1' | 'workers-2') => [
    part(`${on}-network`, on, null, 'work', '--stages', 'sources,corpus,retrieval-sparse'),
    part(`${on}-models`, on, null, 'work', '--stages', 'verification,suggestion,find'),
  ];
  return [
    part('shard-1', 'shard-1', null, 'work', '--stages', 'retrieval-dense', '--shards', '0'),
    part('shard-2', 'shard-2', null, 'work', '--stages', 'retrieval-dense', '--shards', '1'),
    ...workers('workers-1'),
    ...workers('workers-2'),
    part('review', 'review', REVIEW_PORT, 'review'),
    part('bot', 'bot', null, 'listen'),
  ];
}

function settingsOn(on: Host, host: FindHost, review: string): Record<string, string> {
  const wiki = `http://${host('wiki').address}`;
  return {
    WIKI: wiki,
    USER_AGENT: 'Fleet/1.0 (fleet@example.org)',
    FEED: 'eventstreams',
    EVENTSTREAMS_URL: `${wiki}/v2/stream/mediawiki.recentchange`,
    DEBOUNCE: '1',
    REDIS_URL: `redis://${host('redis').address}:6379/0`,
    DATABASE_URL: databaseUrl(host('mariadb')),
    DATA_DIR: `${on.dir}/data`,
    MODELS_DIR: `${repositoryRoot()}/workers/models`,
    ELASTICSEARCH_URL: NODES.map((node) => `http://${host(node).address}:9200`).join(),
    ELASTICSEARCH_REPLICAS: '2',
    ELASTICSEARCH_TIMEOUT: '5',
    CORPUS_GROW: '0',
    SOURCE_PAUSE: '0',
    WAYBACK_URL: `http://archive.${DOMAIN}`,
    REVIEW_HOST: '0.0.0.0',
    REVIEW_PORT: String(REVIEW_PORT),
    REVIEW_URL: review,
    OAUTH_CLIENT_ID: 'fleet',
    SESSION_SECRET: 'a secret of a fleet that lives for minutes',
    RATE_READS: '100000',
    RATE_WRITES: '100000',
    RATE_ACCOUNT: '100000',
    OMP_NUM_THREADS: '1',
    ORT_DISABLE_TELEMETRY: '1',
    LOG_LEVEL: 'info',
  };
}

async function startServers({ host, program }: Fleet): Promise<void> {
  await prepareMariadb(host('mariadb'));
  for (const node of NODES) await mkdir(`${host(node).dir}/tmp`, { recursive: true });
  const servers = ['web', 'wiki', 'redis', 'mariadb', ...NODES].map(program);
  for (const server of servers) await server.start();
  await Promise.all(servers.map((server) => server.answers(START_MS)));
  await cluster(host('es1'), `wait_for_nodes=${NODES.length}`);
}

/** Until the health of Elasticsearch is as it is asked for. */
export async function cluster({ address }: Host, until: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const ok = await fetch(`http://${address}:9200/_cluster/health?${until}&timeout=2s`).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    if (Date.now() > deadline) throw new Error(`Elasticsearch is not ${until}`);
    await wait(500);
  }
}

export function buildOf({ build }: Pick<FleetOptions, 'build'>): string {
  return build ?? `${repositoryRoot()}/.build`;
}

export const NODES = ['es1', 'es2', 'es3'] as const;
/** Of the web: nobody's (RFC 2606). */
const DOMAIN = 'fleet.example';
const REVIEW_PORT = 8145;
/** Of everything together, on a machine with two cores that has other things to do. */
const START_MS = 300_000;
