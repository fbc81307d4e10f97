/**
 * Work that keeps a processor busy, in threads of its own and bounded in time and memory, so that one page that takes minutes
 * stops nothing else. In: a compiled module whose default export does one task. Out: its answers. Knows nothing of the work.
 */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { Piscina } from 'piscina';

export interface Threads<Task, Answer> {
  /** Throws TookTooLong, the signal's reason when aborted, and what the work throws. */
  run(task: Task, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface ThreadsOptions {
  /** From when the task begins. Milliseconds. */
  deadlineMs: number;
  /** Of one thread's heap, MiB. */
  memoryMb?: number;
  /** Default: one a processor, four at most. */
  most?: number;
}

/** A task was given up: its deadline passed, or it filled its thread's memory. It would do so again. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/** `file`: URL of the compiled module. Threads begin with the first task, and end when nothing was asked of them for a while. */
export function openThreads<Task, Answer>(file: URL, options: ThreadsOptions): Threads<Task, Answer> {
  const { deadlineMs, memoryMb = 1024, most = Math.min(availableParallelism(), MOST) } = options;
  const pool = new Piscina<Task, Answer>({
    filename: file.href,
    minThreads: 0,
    maxThreads: most,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const limit = pLimit(most); // a task that waits here has not begun: its time does not run
  return {
    run: (task, signal) => limit(() => runBounded(pool, task, deadlineMs, signal)),
    close: () => pool.destroy(),
  };
}

async function runBounded<Task, Answer>(
  pool: Piscina<Task, Answer>,
  task: Task,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    return await pool.run(task, { signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]) });
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.aborted || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new TookTooLong(`given up after ${deadlineMs} ms`, { cause: error });
    }
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
}

const MOST = 4;
const IDLE_MS = 30_000;
