/**
 * Work on what strangers wrote, in processes of its own that can be killed: bounded in time and in all of their memory, without this
 * process's secrets, and without a network where the host allows that. In: a compiled module whose default export does one task. Out:
 * its answers. Knows nothing of the work.
 */
import { availableParallelism } from 'node:os';
import { types } from 'node:util';
import pLimit from 'p-limit';
import type { Logger } from '../logger.ts';
import { count } from '../metrics.ts';
import { Broken, type Child, GivenUp, Killed, type Limits, startChild } from './child.ts';
import type { Question } from './main.ts';
import { networkSeal } from './sealed.ts';

export { Broken, GivenUp } from './child.ts';

export interface Children<Task, Answer> {
  /** Throws GivenUp, Broken, the signal's reason when aborted, and what the work throws. */
  run(task: Task, options?: RunOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface RunOptions {
  signal?: AbortSignal | undefined;
  /** What many tasks need alike: it goes to a child only where that has another version of it. */
  context?: { version: number; bytes: Uint8Array };
}

export interface ChildrenOptions extends Partial<Omit<Limits, 'seal'>> {
  /** From when the task begins: neither the line nor the start of a child counts. Milliseconds. */
  deadlineMs: number;
  /** Children at most; default: one a processor, and four at most. */
  most?: number;
  /** Told, once a process, that this host lets nobody take the network from children. */
  log?: Logger | undefined;
}

/** `file`: URL of the compiled module. Children begin with the first task, and end when nothing was asked of them for a while. */
export function openChildren<Task, Answer>(file: URL, options: ChildrenOptions): Children<Task, Answer> {
  const { deadlineMs, memoryMb = 1024, addons = false, most = Math.min(availableParallelism(), MOST), log } = options;
  const limits = { memoryMb, addons, cpuSeconds: Math.ceil((deadlineMs / 1000) * TASKS_OF_FULL_LENGTH) };
  const limit = pLimit(most); // a task that waits here has not begun: its time does not run
  const idle: Child[] = [];
  const all = new Set<Child>();
  const forget = (child: Child) => {
    all.delete(child);
    if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
  };
  const start = async (signal: AbortSignal | undefined) => {
    const seal = await networkSeal();
    if (isClosed) throw new Broken('closed');
    tellNetwork(seal, log);
    const child = startChild(file, { ...limits, seal });
    all.add(child);
    void child.ended.then(() => forget(child));
    await child.ready(signal);
    return child;
  };
  const once = async (task: Task, { signal, context }: RunOptions): Promise<Answer> => {
    signal?.throwIfAborted();
    const child = idle.pop() ?? (await start(signal));
    const sent: Question = { task, ...(context && child.version !== context.version && { context: context.bytes }) };
    const reply = await child.ask(sent, deadlineMs, signal);
    child.version = context?.version ?? child.version;
    if (!child.isWorn()) rest(child);
    if (reply.kind === 'error')
      throw isOfMemory(reply.error) ? new GivenUp('memory', reply.error.message, { cause: reply.error }) : reply.error;
    return reply.answer as Answer; // of the module, whose types the caller knows
  };
  const rest = (child: Child) => {
    idle.push(child);
    child.rest(IDLE_MS, () => forget(child));
  };
  let isClosed = false;
  /** What is killed twice took the memory that others missed: else it would come again for ever. */
  const run = (task: Task, options: RunOptions, earlier?: Killed): Promise<Answer> =>
    once(task, options).catch((error: unknown) => {
      if (isClosed || !(error instanceof Killed)) throw error;
      if (earlier !== undefined) throw new GivenUp('crash', error.message);
      return run(task, options, error);
    });
  return {
    run: (task, options = {}) => limit(() => run(task, options).catch(rethrowCounted)),
    async close() {
      isClosed = true;
      limit.clearQueue();
      await Promise.all([...all].map((child) => child.kill()));
    },
  };
}

function rethrowCounted(error: unknown): never {
  if (error instanceof GivenUp) count('sidelight_parser_kills_total', { reason: error.code });
  throw error;
}

/** What buffers throw that get none, and a stack that has grown too high. */
function isOfMemory(error: unknown): error is RangeError {
  return types.isNativeError(error) && error.name === 'RangeError';
}

function tellNetwork(seal: readonly string[], log: Logger | undefined): void {
  const network = seal.length === 0 ? 'open' : 'none';
  count('sidelight_children_total', { network });
  if (network === 'none' || isTold) return;
  isTold = log !== undefined;
  log?.warn({ network }, 'parsers can open connections here: this host does not let us take the network from them');
}

let isTold = false;
const MOST = 4;
const IDLE_MS = 30_000;
/** Of processor time: a child whose parent was killed meets this end, whatever it is doing. */
const TASKS_OF_FULL_LENGTH = 10;
