/**
 * Elasticsearch nodes of our own on loopback, for tests and benchmarks (built by build.sh, without security). In: port, folder and
 * how many nodes. Out: a handle that stops them. A production cluster is somebody else's and is only named in ELASTICSEARCH_URL.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../../../shared/root.ts';
import { freePort } from '../port.ts';
import { type RunningServer, startServer } from '../server.ts';

export interface ElasticsearchOptions {
  /** Of the first node; the others take any. */
  port: number;
  /** Holds the data and logs of every node. */
  dir: string;
  nodes?: number;
  /** Memory of each node's heap, as Java writes it. */
  heap?: string;
  /** Quicker to start, slower once it is warm; for anything but measuring. */
  quickStart?: boolean;
}

export interface RunningElasticsearch {
  /** Of all nodes, comma-separated, as ELASTICSEARCH_URL takes them. */
  url: string;
  nodes: readonly (RunningServer & { url: string })[];
  stop(deadlineMs?: number): Promise<void>;
}

/** Where deploy/setup builds it. */
export function elasticsearchProgram(): string {
  return `${repositoryRoot()}/.sidelight/elasticsearch`;
}

/**
 * Resolves when all nodes have found each other. Throws RefuseToStart if one does not start, e.g. because its port is taken; then
 * none is left running.
 */
export async function serveElasticsearch(options: ElasticsearchOptions): Promise<RunningElasticsearch> {
  const members = await chooseMembers(options);
  const started = await Promise.allSettled(members.map((member) => serveNode(member, members, options)));
  const nodes = started.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const stop = async (deadlineMs?: number) => void (await Promise.all(nodes.map((node) => node.stop(deadlineMs))));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed === undefined) return { url: nodes.map((node) => node.url).join(), nodes, stop };
  await stop(0);
  throw failed.reason;
}

/** A node of a cluster. */
export interface Member {
  name: string;
  /** The address that it binds. */
  host: string;
  port: number;
  transportPort: number;
}

async function chooseMembers({ port, nodes = 1 }: ElasticsearchOptions): Promise<Member[]> {
  const free = await Promise.all(Array.from({ length: 2 * nodes }, freePort));
  return Array.from({ length: nodes }, (_, at) => ({
    name: `node-${at + 1}`,
    host: '127.0.0.1',
    port: at === 0 ? port : (free[at] ?? 0),
    transportPort: free[nodes + at] ?? 0,
  }));
}

async function serveNode(member: Member, members: Member[], options: ElasticsearchOptions) {
  const folder = join(options.dir, member.name);
  await mkdir(join(folder, 'tmp'), { recursive: true });
  const url = `http://127.0.0.1:${member.port}`;
  const server = await startServer({
    name: 'Elasticsearch',
    port: member.port,
    command: elasticsearchCommand(member, members, { ...options, folder }),
    logFile: join(folder, 'elasticsearch.log'),
    withinMs: START_MS * members.length,
    answers: () => hasFound(url, members.length),
  });
  return { ...server, url };
}

/** What runs one of the members. `folder`: its own, with a folder `tmp` in it. */
export function elasticsearchCommand(
  member: Member,
  members: readonly Member[],
  { folder, ...options }: Pick<ElasticsearchOptions, 'heap' | 'quickStart'> & { folder: string },
): string[] {
  return [
    'java',
    ...javaOptions(folder, options),
    'sidelight.Launcher',
    elasticsearchProgram(),
    join(folder, 'config'),
    ...Object.entries(settings(member, members, folder)).map(([name, value]) => `${name}=${value}`),
  ];
}

function javaOptions(
  folder: string,
  { heap = '512m', quickStart = true }: Pick<ElasticsearchOptions, 'heap' | 'quickStart'>,
): string[] {
  const program = elasticsearchProgram();
  return [
    `-Xms${heap}`,
    `-Xmx${heap}`,
    '-XX:+UseG1GC',
    '-XX:-UsePerfData',
    ...(quickStart ? ['-XX:TieredStopAtLevel=1'] : []),
    `-Djava.io.tmpdir=${folder}/tmp`,
    '-Dlog4j2.disable.jmx=true',
    '-cp',
    `${program}/lib/*:${program}/launcher.jar`,
  ];
}

function settings(member: Member, members: readonly Member[], folder: string): Record<string, string | number> {
  const transport = members.map(({ host, transportPort }) => `${host}:${transportPort}`).join();
  return {
    'cluster.name': `sidelight-${members[0]?.port}`,
    'node.name': member.name,
    'path.data': `${folder}/data`,
    'path.logs': `${folder}/logs`,
    'network.host': member.host,
    'http.port': member.port,
    'transport.port': member.transportPort,
    // a limit that is low in most systems would have to be raised for it as root
    'node.store.allow_mmap': 'false',
    // a developer's full disk says nothing about the index
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
    ...(members.length === 1
      ? { 'discovery.type': 'single-node' }
      : {
          'discovery.seed_hosts': transport,
          'cluster.initial_master_nodes': members.map(({ name }) => name).join(),
        }),
  };
}

async function hasFound(url: string, nodes: number): Promise<boolean> {
  try {
    const health = await fetch(`${url}/_cluster/health?wait_for_nodes=${nodes}&timeout=1s`);
    await health.body?.cancel();
    // they may have found each other, and refuse everything until their state is recovered
    const state = await fetch(`${url}/_cluster/state/blocks`);
    return health.ok && Blocks.parse(await state.json()).blocks.global === undefined;
  } catch {
    return false;
  }
}

/** https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-cluster-state */
const Blocks = z.object({ blocks: z.object({ global: z.unknown().optional() }) });
/** Seconds on a machine at rest. */
const START_MS = 120_000;
