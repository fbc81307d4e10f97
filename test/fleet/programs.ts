/** Programs on hosts: started, killed, started again. In: a host and a command line. Out: a handle. They end with this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Host, onHost } from './hosts.ts';

export interface ProgramSpec {
  name: string;
  host: Host;
  command: readonly string[];
  environment?: Record<string, string>;
  logFile: string;
  /** TCP port that it answers at once it does its work; null: it has none. */
  port: number | null;
}

export interface Program {
  readonly name: string;
  readonly host: Host;
  isRunning(): boolean;
  /** With other variables than the last time, where they are given. */
  start(changes?: Record<string, string>): Promise<void>;
  /** Resolves once it is over. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null; ms: number }>;
  /** Until its port answers. Throws with the end of its log. */
  answers(withinMs?: number): Promise<void>;
}

export function createProgram(spec: ProgramSpec): Program {
  const { name, host, port } = spec;
  let child: ChildProcess | null = null;
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  return {
    name,
    host,
    isRunning,
    async start(changes = {}) {
      if (isRunning()) return;
      await mkdir(dirname(spec.logFile), { recursive: true });
      child = launch(spec, changes);
    },
    async end(signal) {
      const begun = performance.now();
      if (child === null || !isRunning()) return { code: null, signal: null, ms: 0 };
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      return { code: child.exitCode, signal: child.signalCode, ms: Math.round(performance.now() - begun) };
    },
    async answers(withinMs = 120_000) {
      const deadline = Date.now() + withinMs;
      while (!isRunning() || (port !== null && !(await isOpen(host.address, port)))) {
        if (Date.now() > deadline || !isRunning()) throw new Error(`${name} does not answer: ${tail(spec.logFile)}`);
        await wait(100);
      }
    },
  };
}

function launch({ host, command, environment, logFile }: ProgramSpec, changes: Record<string, string>): ChildProcess {
  const log = openSync(logFile, 'a');
  const [program = '', ...args] = onHost(host, command);
  const env = { PATH: process.env.PATH ?? '', ...MARK(), ...environment, ...changes };
  const child = spawn(program, args, { cwd: host.dir, env, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

/** By which a test file's leftovers are known (test/support/leftovers.ts). */
const MARK = () => (process.env.SIDELIGHT_TEST === undefined ? {} : { SIDELIGHT_TEST: process.env.SIDELIGHT_TEST });

export async function isOpen(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(1000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export function tail(file: string, lines = 5): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
