/**
 * Sidelight as it runs embedded: Redis, bot, workers and review service, each a process, over a wiki and a web that are made up. In:
 * how many worker processes. Out: what was done, when, and what each process used.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../../deploy/servers/port.ts';
import { type Config, parseConfig } from '../../../shared/config.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { repositoryRoot } from '../../../shared/root.ts';
import { findProgram } from '../../support/program.ts';
import { startRedis } from '../../support/redis.ts';
import { ASKED } from './asked.ts';
import { usedBy } from './processes.ts';
import { WARM, World } from './world.ts';

export interface StackOptions {
  articles: number;
  /** Of each cited page. */
  words: number;
  modelsDir: string;
  /** Processes that judge, each with one thread. */
  workers: number;
}

export type Kind = 'bot' | 'sources' | 'retrieval' | 'judging' | 'review' | 'redis' | 'world';

/** Seconds of cores and of models within them, and memory, by kind of process. */
export type Usage = Record<Kind, { seconds: number; modelSeconds: number; megabytes: number }>;

export interface Stack {
  config: Config;
  used(): Promise<Usage>;
  stop(): Promise<void>;
}

interface Part {
  kind: Kind;
  pid: number;
  /** Null: it has no models. */
  ask: (() => Promise<number>) | null;
  stop(): Promise<void>;
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sidelight-bench-'));
  const parts: Part[] = [];
  const stop = async () => {
    await Promise.all(parts.slice(2).map((part) => part.stop()));
    for (const part of parts.slice(0, 2)) await part.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const redis = await startRedis();
    parts.push({ kind: 'redis', pid: redis.pid, ask: null, stop: () => redis.stop(5000) });
    const { part, world } = await startWorld(options);
    parts.push(part);
    const environment = await settings(world, redis.url, dataDir, resolve(options.modelsDir));
    const starting = commands(options.workers).map(([kind, command]) => startPart(kind, command, environment));
    const started = await Promise.allSettled(starting);
    parts.push(...started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    return { config: parseConfig(environment), used: () => usage(parts), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The worker processes of `sidelight start`, of which those that judge are as many as are asked for. */
function commands(workers: number): [Kind, string[]][] {
  return [
    ['review', ['review']],
    ['sources', ['work', '--stages', 'sources']],
    ['retrieval', ['work', '--stages', 'corpus,retrieval-sparse,retrieval-dense']],
    ...Array.from({ length: workers }, (): [Kind, string[]] => [
      'judging',
      ['work', '--stages', 'verification,suggestion'],
    ]),
    ['bot', ['listen']],
  ];
}

async function settings(world: z.infer<typeof World>, redisUrl: string, dataDir: string, modelsDir: string) {
  return {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, OMP_NUM_THREADS: '1' },
    ...{ WIKI: world.wiki, FEED: 'eventstreams', EVENTSTREAMS_URL: world.eventStreamsUrl, DEBOUNCE: '0' },
    ...{
      WAYBACK_URL: world.waybackUrl,
      ALLOW_LOOPBACK_SOURCES: '1',
      SOURCE_PAUSE: '0',
      RELIABILITY_GLOBAL_WIKI: 'none',
    },
    ...{ REDIS_URL: redisUrl, DATA_DIR: dataDir, MODELS_DIR: modelsDir, REVIEW_PORT: String(await freePort()) },
    ...{ SOURCE_HOST_DAILY: '1000000', LOG_LEVEL: 'error' },
  };
}

async function startPart(kind: Kind, command: readonly string[], env: NodeJS.ProcessEnv): Promise<Part> {
  const hasModels = kind === 'judging' || kind === 'retrieval';
  const preload = new URL('./model-time.js', import.meta.url).href;
  const imports = hasModels ? ['--import', preload] : [];
  const program = [process.execPath, ...imports, `${repositoryRoot()}/.build/deploy/main.js`, ...command];
  // on one core while it starts, it makes models of one thread: workers scale by processes
  const isPinned = hasModels && findProgram('taskset') !== null;
  const [first = '', ...rest] = isPinned ? ['taskset', '-c', '0', ...program] : program;
  const child = spawn(first, rest, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit').then(() => null);
  if ((await Promise.race([once(child, 'message'), exited])) === null) throw new RefuseToStart(`${kind} did not start`);
  if (isPinned) await once(spawn('taskset', ['-acp', ALL_CORES, String(child.pid)], { stdio: 'ignore' }), 'exit');
  return {
    ...{ kind, pid: child.pid ?? 0, ask: hasModels ? () => modelSeconds(child) : null },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const ALL_CORES = `0-${cpus().length - 1}`;
const ModelTime = z.object({ modelSeconds: z.number() });

async function modelSeconds(child: ChildProcess): Promise<number> {
  const answered = once(child, 'message');
  child.send(ASKED);
  return ModelTime.parse((await answered)[0]).modelSeconds;
}

async function startWorld({ articles, words }: StackOptions): Promise<{ part: Part; world: z.infer<typeof World> }> {
  const child = fork(process.argv[1] ?? '', ['serve-world', JSON.stringify({ articles: articles + WARM, words })]);
  const [world] = await once(child, 'message');
  const stop = async () => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { part: { kind: 'world', pid: child.pid ?? 0, ask: null, stop }, world: World.parse(world) };
}

async function usage(parts: readonly Part[]): Promise<Usage> {
  const none = () => ({ seconds: 0, modelSeconds: 0, megabytes: 0 });
  const used: Usage = {
    ...{
      bot: none(),
      sources: none(),
      retrieval: none(),
      judging: none(),
      review: none(),
      redis: none(),
      world: none(),
    },
  };
  for (const { kind, pid, ask } of parts) {
    const { seconds, megabytes } = usedBy(pid);
    used[kind].seconds += seconds;
    used[kind].megabytes += megabytes;
    used[kind].modelSeconds += ask === null ? 0 : await ask();
  }
  return used;
}
