/**
 * Somebody else's server (Redis, PHP) as a child of this process. In: a command line and a way to ask whether it answers.
 * Out: a handle that stops it. It ends with this process, however that goes (see keep.sh).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { RefuseToStart } from '../../shared/errors.ts';
import { repositoryRoot } from '../../shared/root.ts';
import { isFree } from './port.ts';

export interface ServerOptions {
  /** For messages: 'Redis'. */
  name: string;
  /** Where it will listen, on 127.0.0.1. */
  port: number;
  command: readonly string[];
  /** Added to this process's environment. */
  environment?: Record<string, string>;
  logFile: string;
  /** Whether the server does its work; asked until it says yes. */
  answers(): Promise<boolean>;
  /** How long that may take; default 30 s. */
  withinMs?: number;
}

export interface RunningServer {
  /** Of the process group that holds the server and its workers. */
  pid: number;
  /** Resolves when all its processes have ended and its port is free; they are killed after `deadlineMs` (default 2000). */
  stop(deadlineMs?: number): Promise<void>;
}

/**
 * Resolves when the server answers. Throws RefuseToStart if its port is taken, or with the last line of its log if it ends
 * before it answers or takes too long.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  if (!(await isFree(options.port))) {
    throw new RefuseToStart(`${options.name} did not start: port ${options.port} is taken`);
  }
  const child = spawnKept(options);
  const server = { pid: child.pid ?? 0, stop: (deadlineMs = 2000) => stop(child, options.port, deadlineMs) };
  const deadline = Date.now() + (options.withinMs ?? START_MS);
  while (Date.now() < deadline && !hasEnded(child)) {
    if (await options.answers()) return server;
    await wait(POLL_MS);
  }
  await server.stop();
  throw new RefuseToStart(`${options.name} did not start: ${lastLine(options.logFile)} (${options.logFile})`);
}

function spawnKept(options: ServerOptions): ChildProcess {
  const log = openSync(options.logFile, 'a');
  const variables = Object.entries(options.environment ?? {}).map(([name, value]) => `${name}=${value}`);
  const command = ['env', ...variables, ...options.command];
  const child = spawn(`${repositoryRoot()}/deploy/servers/keep.sh`, command, {
    detached: true,
    // the last one is held by all processes of the group, so that `close` says that all have ended
    stdio: ['pipe', log, log, 'pipe'],
  });
  closeSync(log);
  return child;
}

async function stop(child: ChildProcess, port: number, deadlineMs: number): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'close');
  signalGroup(child, 'SIGTERM');
  const killing = setTimeout(() => signalGroup(child, 'SIGKILL'), deadlineMs);
  await ended;
  clearTimeout(killing);
  // the kernel closes a process's files one after another, its socket not first
  for (let polls = 0; polls < 30 && !(await isFree(port)); polls += 1) await wait(POLL_MS);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && !hasEnded(child)) process.kill(-child.pid, signal);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function lastLine(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1) || 'it said nothing';
}

const START_MS = 30_000;
const POLL_MS = 30;
