/**
 * Everything of Sidelight on one machine: Redis, the sample wiki and its web where no other wiki is followed, and each part as
 * a process. In: environment and ports. Out: a handle to watch and stop it. Started in order, stopped in reverse.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, parseConfig } from '../../shared/config.ts';
import { RefuseToStart } from '../../shared/errors.ts';
import { createPublisher, openQueues, type Queues } from '../../shared/queue.ts';
import { connectRedis } from '../../shared/redis.ts';
import type { SampleWeb } from '../sample/web.ts';
import { isFree } from '../servers/port.ts';
import { serveRedis } from '../servers/redis.ts';
import { type Part, type PartOptions, startPart } from './processes.ts';
import { fillSampleCorpus, fillSampleWiki, startSampleWeb, startSampleWiki } from './sample.ts';
import { localEnvironment, type Ports } from './settings.ts';

export interface StackOptions {
  environment: Record<string, string | undefined>;
  ports: Ports;
  /** What is being done, for a person who waits. */
  onStep(step: string): void;
  onWarning: PartOptions['onWarning'];
  onExit: PartOptions['onExit'];
}

export interface Stack {
  config: Config;
  queues: Queues;
  /** null where another wiki is followed. */
  sampleWeb: SampleWeb | null;
  /** Starts listening to the wiki: last, when everything behind it is ready. */
  listen(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts all but the bot. If anything does not start, what did is stopped again. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const environment = localEnvironment(options.environment, options.ports);
  const config = parseConfig(environment);
  const running: Running = { servers: [], parts: [] };
  await refuseTakenPorts(options);
  try {
    const queues = await startQueues(config, options, running);
    const sampleWeb = options.environment.WIKI === undefined ? await startSample(config, options, running) : null;
    options.onStep('starting the workers and the review page');
    await startAll(WORKERS, { ...options, environment }, config, running);
    return {
      config,
      queues,
      sampleWeb,
      listen: () => startAll([BOT], { ...options, environment }, config, running),
      stop: () => stopAll(running),
    };
  } catch (error) {
    await stopAll(running);
    throw error;
  }
}

/** Who starts it twice should read that, and not which server failed. */
async function refuseTakenPorts({ environment, ports }: StackOptions): Promise<void> {
  const needed = [
    ports.review,
    ...(environment.REDIS_URL === undefined ? [ports.redis] : []),
    ...(environment.WIKI === undefined ? [ports.wiki, ports.web] : []),
  ];
  for (const port of needed) {
    if (await isFree(port)) continue;
    throw new RefuseToStart(
      `port ${port} is taken: is Sidelight running already? Stop it, or choose others with --port.`,
    );
  }
}

/** One process a kind of work: see deploy/decisions/parts-are-processes.md. */
const WORKERS: Part[] = [
  { name: 'review', command: ['review'] },
  { name: 'sources', command: ['work', '--stages', 'sources'] },
  { name: 'verification', command: ['work', '--stages', 'verification,suggestion,find'] },
  { name: 'retrieval', command: ['work', '--stages', 'corpus,retrieval-sparse,retrieval-dense'] },
];
const BOT: Part = { name: 'bot', command: ['listen'] };

interface Running {
  servers: { stop(): Promise<void> }[];
  parts: { stop(): Promise<void> }[];
}

async function startQueues(config: Config, { environment, ports, onStep }: StackOptions, running: Running) {
  mkdirSync(join(config.dataDir, 'logs'), { recursive: true });
  if (environment.REDIS_URL === undefined) {
    onStep('starting Redis');
    running.servers.push(await serveRedis({ port: ports.redis, dir: join(config.dataDir, 'redis') }));
  }
  const redis = await connectRedis(config.redisUrl, 'producer');
  const queues = openQueues(redis);
  running.servers.push({
    async stop() {
      await queues.close();
      redis.disconnect();
    },
  });
  return queues;
}

async function startSample(config: Config, { ports, onStep }: StackOptions, running: Running): Promise<SampleWeb> {
  onStep('starting the sample wiki and its web');
  const web = await startSampleWeb(ports);
  running.servers.push(web);
  running.servers.push(await startSampleWiki(config.dataDir, ports));
  await fillSampleWiki(config, ports);
  onStep('reading the pages of the corpus');
  const redis = await connectRedis(config.redisUrl, 'producer');
  const publisher = createPublisher(redis);
  await fillSampleCorpus(config, web, publisher);
  await publisher.close();
  redis.disconnect();
  return web;
}

/** All at once. Where one does not start, the others are waited for, so that they can be stopped. */
async function startAll(parts: Part[], options: StackOptions, config: Config, running: Running): Promise<void> {
  const starting = parts.map(async (part) => {
    const logFile = join(config.dataDir, 'logs', `${part.name}.log`);
    const environment = withOwnPort(options.environment, part);
    const started = await startPart(part, { ...options, environment, logFile });
    running.parts.push({ stop: () => started.stop(PART_DEADLINE_MS) });
  });
  for (const outcome of await Promise.allSettled(starting)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** Each tells how it is at a port of its own, from OPS_PORT on: the bot first, then the workers in their order. */
function withOwnPort(environment: PartOptions['environment'], part: Part): PartOptions['environment'] {
  const first = environment.OPS_PORT;
  if (first === undefined) return environment;
  return { ...environment, OPS_PORT: String(Number(first) + [BOT, ...WORKERS].indexOf(part)) };
}

/** The parts all at once, then what they talk to, the last one first. */
async function stopAll({ servers, parts }: Running): Promise<void> {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
  for (const server of servers.splice(0).reverse()) await server.stop();
}

const PART_DEADLINE_MS = 3000;
