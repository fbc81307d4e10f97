/** What Toolforge is given: jobs as its loader takes them, processes that start, and a Redis that the workers accept. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { parse } from 'yaml';
import { z } from 'zod';
import { freePort } from '../../deploy/servers/port.ts';
import { connectRedis } from '../../shared/redis.ts';
import { repositoryRoot } from '../../shared/root.ts';
import { describeWith } from '../support/describe-with.ts';

const ROOT = repositoryRoot();

/** https://wikitech.wikimedia.org/wiki/Help:Toolforge/Jobs_framework, of continuous jobs; unknown keys are refused. */
const ContinuousJob = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    .max(52),
  command: z.string().min(1),
  image: z.string().regex(/^tool-[\w-]+\/[\w-]+:latest$/),
  continuous: z.literal(true),
  mount: z.enum(['all', 'none']),
  port: z.int().min(1).max(65535),
  mem: z.string().regex(/^\d+(Mi|Gi)$/),
  cpu: z.string().regex(/^(\d+m|\d+(\.\d+)?)$/),
  replicas: z.int().min(0),
  emails: z.enum(['none', 'all', 'onfinish', 'onfailure']),
  'health-check-http': z.string().startsWith('/').optional(),
  'health-check-script': z.string().optional(),
  'filelog-stdout': z.string().optional(),
  'filelog-stderr': z.string().optional(),
});

describe('jobs for Toolforge', () => {
  test('jobs.yaml holds what the loader takes, within what a tool has', async () => {
    const jobs = z.array(ContinuousJob).parse(parse(await readFile(`${ROOT}/deploy/toolforge/jobs.yaml`, 'utf8')));
    const processes = [...(await procfile()).keys()];
    expect(jobs.map(({ command }) => command).filter((command) => !processes.includes(command))).toEqual([]);
    expect(processes.filter((name) => name !== 'web' && !jobs.some(({ command }) => command === name))).toEqual([]);
    const sum = (of: (job: z.infer<typeof ContinuousJob>) => number) =>
      jobs.reduce((total, job) => total + of(job) * job.replicas, 0);
    expect(sum(({ mem }) => Number.parseFloat(mem) * (mem.endsWith('Gi') ? 1024 : 1))).toBeLessThan(8192);
    expect(sum(({ cpu }) => (cpu.endsWith('m') ? Number.parseFloat(cpu) / 1000 : Number(cpu)))).toBeLessThanOrEqual(3);
  });

  test('each process says what it lacks, in one line', async () => {
    const lacks = { REDIS_PASSWORD: '', TOOL_TOOLSDB_USER: 'u123', TOOL_TOOLSDB_PASSWORD: 'x' };
    for (const [name, command] of await procfile()) {
      const { code, stderr } = await run(command, lacks);
      expect({ name, code }).toEqual({ name, code: 1 });
      expect(stderr).toMatch(/is set where NFS is mounted|toolforge envvars create REDIS_PASSWORD/);
    }
  });

  test('the database is the account’s own, which nobody else reads, and no secret is an argument', async () => {
    const settings = {
      TOOL_TOOLSDB_USER: 's1',
      TOOL_TOOLSDB_PASSWORD: 'geheim',
      REDIS_PASSWORD: 'leise',
      TOOLSDB_HOST: '127.0.0.1',
      REDIS_HOST: '127.0.0.1',
    };
    const folder = await mkdtemp(join(tmpdir(), 'sidelight-tool-'));
    // stands where node would be started, and says how it would be
    await writeFile(join(folder, 'node'), '#!/bin/bash\necho "argv: $*"\nenv\n', { mode: 0o755 });
    const { stdout } = await run('deploy/toolforge/run --version', {
      ...settings,
      PATH: `${folder}:${process.env.PATH}`,
    });
    await rm(folder, { recursive: true });
    expect(stdout).toContain('DATABASE_URL=mariadb://s1:geheim@127.0.0.1:3306/s1__sidelight');
    expect(stdout).toContain('argv: .build/deploy/main.js --version\n');
    expect(stdout).toContain('CORPUS_GROW=0');
  });
});

describeWith(['redis'], 'the Redis of a tool', () => {
  test('is one that workers accept, asks for its password and shows it to nobody', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sidelight-tool-'));
    const port = await freePort();
    const settings = { REDIS_DIR: folder, REDIS_PORT: String(port), REDIS_PASSWORD: 'leise' };
    const server: ChildProcess = spawn(`${ROOT}/deploy/toolforge/redis`, [], {
      env: { ...process.env, ...settings },
      stdio: 'ignore',
    });
    try {
      const early = new Redis(port, '127.0.0.1', { password: 'leise' }); // asks until it is there
      early.on('error', () => undefined);
      await early.ping();
      early.disconnect();
      const redis = await connectRedis(`redis://:leise@127.0.0.1:${port}/0`, 'worker');
      await redis.set('job', '1');
      redis.disconnect();
      const stranger = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
      stranger.on('error', () => undefined);
      await expect(stranger.get('job')).rejects.toThrow(/NOAUTH/);
      stranger.disconnect();
      expect(await readFile(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain('leise');
    } finally {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    }
  });
});

/** Name → command. */
async function procfile(): Promise<Map<string, string>> {
  const lines = (await readFile(`${ROOT}/Procfile`, 'utf8')).trim().split('\n');
  return new Map(lines.map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]));
}

/** As buildpacks run a process: by bash, in the image's folder. */
function run(
  command: string,
  settings: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { DATABASE_URL, REDIS_URL, DATA_DIR, ...environment } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      'bash',
      ['-c', command],
      { cwd: ROOT, env: { ...environment, ...settings } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
