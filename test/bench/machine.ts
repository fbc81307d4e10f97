/** Where and with what the figures were taken: without it they mean nothing. Out: names and values, in the order of the table. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';
import { z } from 'zod';
import { parseJson } from '../../shared/json.ts';
import { repositoryRoot } from '../../shared/root.ts';

const run = promisify(execFile);

export interface Machine {
  processor: string;
  cores: number;
  memory_gb: number;
  kernel: string;
  /** Mean count of processes that ran or waited for a core in the minute before. */
  load_before: number;
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Number((totalmem() / 2 ** 30).toFixed(1)),
    kernel: `${type()} ${release()}`,
    load_before: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}

/** Name → version; null: not installed. */
export type Versions = Record<string, string | null>;

export async function readVersions(python: string): Promise<Versions> {
  const root = repositoryRoot();
  const [node, redis, peers] = await Promise.all([
    Promise.all(PACKAGES.map(async (name) => [name, await packageVersion(`${root}/node_modules/${name}`)] as const)),
    redisVersion(),
    pythonVersions(python),
  ]);
  return {
    node: process.versions.node,
    ...Object.fromEntries(node),
    redis,
    elasticsearch: await elasticsearchVersion(root),
    '@huggingface/transformers': await packageVersion(`${root}/${TRANSFORMERS_FOLDER}/@huggingface/transformers`),
    ...peers,
  };
}

/** Where `npm install --prefix .sidelight/bench @huggingface/transformers` puts the peer. */
export const TRANSFORMERS_FOLDER = '.sidelight/bench/node_modules';

const PACKAGES = ['onnxruntime-node', 'faiss-node', 'bullmq', 'better-sqlite3', 'htmlparser2', 'linkedom'] as const;
const PYTHON_PACKAGES = ['torch', 'transformers', 'sentence-transformers', 'onnxruntime', 'faiss-cpu'] as const;
const Manifest = z.object({ version: z.string() });

async function packageVersion(folder: string): Promise<string | null> {
  const text = await readFile(`${folder}/package.json`, 'utf8').catch(() => '');
  return Manifest.safeParse(parseJson(text)).data?.version ?? null;
}

async function redisVersion(): Promise<string | null> {
  return /v=(\S+)/.exec(await output('redis-server', ['--version']))?.[1] ?? null;
}

/** As the jars that deploy/setup fetched are named. */
async function elasticsearchVersion(root: string): Promise<string | null> {
  const listed = await output('find', [`${root}/.sidelight/elasticsearch`, '-name', 'elasticsearch-[0-9]*.jar']);
  return /elasticsearch-(\d[\d.]*)\.jar/.exec(listed)?.[1] ?? null;
}

async function pythonVersions(python: string): Promise<Versions> {
  const parsed = z.record(z.string(), z.string().nullable()).safeParse(parseJson(await output(python, ['-c', ASK])));
  const versions = parsed.data ?? { version: null };
  const { version = null, ...packages } = versions;
  return {
    python: version,
    ...Object.fromEntries(PYTHON_PACKAGES.map((name) => [`${name} (Python)`, packages[name] ?? null])),
  };
}

const ASK = `
import importlib.metadata, json, platform
found = {"version": platform.python_version()}
for name in ${JSON.stringify(PYTHON_PACKAGES)}:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        found[name] = None
print(json.dumps(found))
`;

/** Empty where the program is missing or fails. */
async function output(program: string, args: readonly string[]): Promise<string> {
  return run(program, args).then(
    ({ stdout }) => stdout,
    () => '',
  );
}
