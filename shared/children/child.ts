/**
 * One process that works for this one, held in limits by the kernel. In: questions. Out: replies; or GivenUp where a task was too much
 * for it, Broken where it ended for a reason that is not the task's.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TransientError } from '../errors.ts';
import { compiled, repositoryRoot } from '../root.ts';
import type { Question, Reply, Used } from './main.ts';

/** The task took too long, or more memory than it may have, or broke the process. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
  readonly code: 'time' | 'memory' | 'crash';
  constructor(code: GivenUp['code'], detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}

/** The child could not start, or somebody else ended it: another try may do better. */
export class Broken extends TransientError {
  override readonly name: string = 'Broken';
}

/** Somebody killed it, as the kernel does where a machine's or a container's memory runs out: which may be the task's doing. */
export class Killed extends Broken {
  override readonly name: string = 'Killed';
}

export interface Limits {
  /** Of all memory that can be written to, whether V8 manages it or not, but for what V8 reserves for code. */
  memoryMb: number;
  cpuSeconds: number;
  /** It loads compiled libraries, which no permission binds. */
  addons: boolean;
  /** What stands before its command: sealed.ts. */
  seal: readonly string[];
}

export type Answered = Extract<Reply, { used: Used }>;

export interface Child {
  /** Of the context that was sent last; 0: none. */
  version: number;
  /** Throws Broken, and the signal's reason. */
  ready(signal?: AbortSignal): Promise<void>;
  /** Throws GivenUp, Broken, and the signal's reason; then the child is dead. */
  ask(question: Question, deadlineMs: number, signal?: AbortSignal): Promise<Answered>;
  /** It has used so much that the next task would not have its full share. Then it is ended here. */
  isWorn(): boolean;
  /** Ends after a while unless it is asked again, and keeps this process from ending no longer. */
  rest(ms: number, onEnd: () => void): void;
  kill(): Promise<void>;
  ended: Promise<unknown>;
}

/** `file`: URL of the compiled module that does the work. */
export function startChild(file: URL, limits: Limits): Child {
  const child = forkLimited(file, limits);
  child.on('error', () => undefined); // whoever waits hears of it
  const complaint = readComplaint(child);
  const ended = once(child, 'exit').catch(() => undefined);
  let used: Used = { cpuMs: 0, residentBytes: 0 };
  let timer: NodeJS.Timeout | undefined;
  const kill = async () => {
    child.ref(); // who waits for its end may have nothing else to do
    child.kill('SIGKILL');
    await ended;
  };
  const next = (deadlineMs: number | null, signal?: AbortSignal) =>
    nextReply(child, { deadlineMs, signal, complaint }).catch(async (error: unknown) => {
      await kill();
      throw error;
    });
  return {
    version: 0,
    ended,
    kill,
    async ready(signal) {
      await next(null, signal).catch((error: unknown) => {
        throw error instanceof GivenUp || error instanceof Killed
          ? new Broken(`can't start: ${error.message}`, { cause: error })
          : error;
      });
    },
    async ask(question, deadlineMs, signal) {
      clearTimeout(timer);
      child.ref();
      child.channel?.ref();
      const replied = next(deadlineMs, signal);
      child.send(question, () => undefined); // a child that has gone says so by its exit
      const reply = await replied;
      if (reply.kind === 'ready') throw new Error('a child is ready once');
      used = reply.used;
      return reply;
    },
    isWorn() {
      const isWorn = used.cpuMs > limits.cpuSeconds * 500 || used.residentBytes > limits.memoryMb * 2 ** 19;
      if (isWorn) void kill();
      return isWorn;
    },
    rest(ms, onEnd) {
      child.unref();
      child.channel?.unref();
      timer = setTimeout(() => {
        onEnd();
        void kill();
      }, ms).unref();
    },
  };
}

/**
 * By a shell, since Node sets no limits of the kernel: written memory (V8's, buffers', pdf.js's), processor time, no core file, no
 * file that grows. Node's own permissions leave it nothing but the program to read, and no other process.
 */
function forkLimited(file: URL, { memoryMb, cpuSeconds, addons, seal }: Limits): ChildProcess {
  const limited = 'ulimit -d "$0" && ulimit -t "$1" && ulimit -c 0 && ulimit -f 0; shift; exec "$@"';
  const heap = `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`;
  return fork(fileURLToPath(compiled(new URL('./main.ts', import.meta.url))), [file.href], {
    execPath: '/bin/sh',
    execArgv: [
      '-c',
      limited,
      String((memoryMb + CODE_MB) * 1024),
      String(cpuSeconds),
      ...seal,
      process.execPath,
      heap,
      ...permissions(file, addons),
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** https://nodejs.org/docs/latest-v20.x/api/permissions.html */
function permissions(file: URL, addons: boolean): string[] {
  const root = repositoryRoot();
  const folders = [`${root}/.build`, `${root}/node_modules`, realpathSync(`${root}/node_modules`)];
  const own = dirname(fileURLToPath(file));
  if (!own.startsWith(`${root}/`)) folders.push(own);
  // Node ends where one is named twice
  const readable = new Set([`${root}/package.json`, ...folders.map((folder) => `${folder}/*`)]);
  const name = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  return [
    name,
    ...[...readable].map((path) => `--allow-fs-read=${path}`),
    ...(addons ? ['--allow-addons'] : []),
    ...QUIET,
  ];
}

interface Waiting {
  /** Null: as long as it takes. */
  deadlineMs: number | null;
  signal: AbortSignal | undefined;
  complaint: () => string;
}

/** The first of: a reply, the child's end, the deadline, the signal. */
function nextReply(child: ChildProcess, { deadlineMs, signal, complaint }: Waiting): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const settle =
      <T>(by: (value: T) => void) =>
      (value: T) => {
        clearTimeout(timer);
        over.abort();
        child.off('message', replied).off('exit', exited).off('error', failed);
        by(value);
      };
    const replied = settle(resolve);
    const failed = settle(reject);
    const exited = (code: number | null, by: NodeJS.Signals | null) => failed(endOf(code, by, complaint()));
    const late = () => failed(new GivenUp('time', `given up after ${deadlineMs} ms`));
    const timer = deadlineMs === null ? undefined : setTimeout(late, deadlineMs);
    child.once('message', replied).once('exit', exited).once('error', failed);
    signal?.addEventListener('abort', () => failed(signal.reason), { signal: over.signal });
    if (signal?.aborted) failed(signal.reason);
  });
}

/** What a process does to itself, or the kernel for its limits, is the task's doing; what others do to it is not. */
function endOf(code: number | null, by: NodeJS.Signals | null, complaint: string): Error {
  const detail = `ended by ${by ?? `exit code ${code}`} ${complaint}`.trim();
  if (by === 'SIGKILL') return new Killed(detail);
  return by !== null && FROM_OUTSIDE.has(by) ? new Broken(detail) : new GivenUp('crash', detail);
}

/** The last of what it says of itself, for who looks for the reason. */
function readComplaint({ stderr }: ChildProcess): () => string {
  let said = '';
  stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-KEPT_CHARACTERS);
  });
  return () => said.trim();
}

/** No text becomes a program: fonts of PDF files were once tried for that (https://nvd.nist.gov/vuln/detail/CVE-2024-4367). */
const QUIET = [
  // Node 22 before 22.23 finds what CommonJS exports by `eval`, and loads no such module without: there main.ts forbids it
  ...(/^2[23]\./.test(process.versions.node) ? [] : ['--disallow-code-generation-from-strings']),
  '--no-warnings',
];
/**
 * What V8 makes writable at once for the code that it will make (`mprotect` of 512 MB at the start, seen by `strace` on 24.19), of which
 * little is used: the kernel counts it whole, and Node 24 ends below it with "Failed to reserve virtual memory for CodeRange".
 */
const CODE_MB = Number.parseInt(process.versions.node, 10) >= 24 ? 512 : 0;
const HEAP_SHARE = 0.7;
const KEPT_CHARACTERS = 500;
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP']);
