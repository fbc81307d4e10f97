/**
 * The parts of Sidelight as child processes of this one. In: a name and a command line. Out: a handle that stops it. Their
 * logs go to a file each; warnings are also handed on, so that a person at the terminal sees them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { RefuseToStart } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { repositoryRoot } from '../../shared/root.ts';

export interface Part {
  name: string;
  /** Arguments of the `sidelight` command. */
  command: string[];
}

export interface PartOptions {
  environment: Record<string, string | undefined>;
  logFile: string;
  /** A warning or error that the part logged. */
  onWarning(name: string, message: string): void;
  /** The part ended without being asked to. */
  onExit(name: string): void;
}

export interface RunningPart {
  stop(deadlineMs: number): Promise<void>;
}

/** Resolves when the part says that it is ready. Throws RefuseToStart with its own words if it ends before. */
export async function startPart(part: Part, options: PartOptions): Promise<RunningPart> {
  const child = spawn(process.execPath, [`${repositoryRoot()}/.build/deploy/main.js`, ...part.command], {
    env: options.environment,
    // its own process group: Ctrl-C reaches only the terminal's, and this process stops the parts in order.
    // ipc: a part ends by itself when this process is gone, however it went.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const log = keepLog(child, part.name, options);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await Promise.race([
    new Promise<true>((resolve) => child.once('message', () => resolve(true))),
    exited.then(() => false as const),
  ]);
  if (!ready) throw new RefuseToStart(`${part.name} did not start: ${log.reason}`);
  let asked = false;
  exited.then(() => asked || options.onExit(part.name));
  return {
    async stop(deadlineMs) {
      asked = true;
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      await exited;
      clearTimeout(killing);
    },
  };
}

/** Writes the part's log to its file and remembers why it gave up. */
function keepLog(child: ChildProcess, name: string, options: PartOptions): { reason: string } {
  const seen = { reason: `see ${options.logFile}` };
  if (child.stderr === null) return seen;
  const file = createWriteStream(options.logFile, { flags: 'a' });
  child.stderr.pipe(file);
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('sidelight: ')) seen.reason = line.slice('sidelight: '.length);
    const warning = warningOf(line);
    if (warning !== null) options.onWarning(name, warning);
  });
  return seen;
}

const LogLine = z.object({ level: z.number(), msg: z.string(), err: z.object({ message: z.string() }).optional() });
const WARNING = 40;

function warningOf(line: string): string | null {
  const parsed = LogLine.safeParse(parseJson(line));
  if (!parsed.success || parsed.data.level < WARNING) return null;
  const { msg, err } = parsed.data;
  return err === undefined ? msg : `${msg} (${err.message.split('\n')[0]})`;
}
