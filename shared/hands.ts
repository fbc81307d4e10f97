/**
 * The jobs that a process has in hand, each of which ends or is handed back: it waits again at once, with all its attempts, and not
 * after its lock. In: jobs as BullMQ gives them. What is done with them is the runner's.
 */
import { DelayedError, type Job } from 'bullmq';

export interface Hands {
  /** Works on a job unless all are to be handed back. `signal` says when to end; what is thrown after that hands the job back. */
  hold<T>(job: Job, token: string | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** No other job is begun from now on. */
  close(): void;
  /** What is in hand is to end by itself. */
  abort(): void;
  /** Hands back what did not end. Returns how many. */
  giveBack(): Promise<number>;
}

/** `longestMs`: a job that is worked on for so long hangs; it is let go, and that costs an attempt. */
export function openHands(longestMs: number): Hands {
  const held = new Set<Held>();
  const state = { closed: false };
  return {
    async hold(job, token, work) {
      if (state.closed) return handBack({ job, token, abort: new AbortController(), isBack: false });
      const one: Held = { job, token, abort: new AbortController(), isBack: false };
      held.add(one);
      try {
        return await within(longestMs, one.abort, work(one.abort.signal));
      } catch (error) {
        if (one.isBack) throw new DelayedError(); // somebody else may have it by now
        if (state.closed && one.abort.signal.aborted) return await handBack(one);
        throw error;
      } finally {
        held.delete(one);
      }
    },
    close() {
      state.closed = true;
    },
    abort() {
      for (const { abort } of held) abort.abort();
    },
    async giveBack() {
      const back = await Promise.allSettled([...held].map(handBack).map(ignoreDelayed));
      return back.filter(({ status }) => status === 'fulfilled').length;
    },
  };
}

/** A job that was worked on for too long. */
export class Hangs extends Error {
  override readonly name = 'Hangs';
}

interface Held {
  job: Job;
  token: string | undefined;
  abort: AbortController;
  isBack: boolean;
}

/** Always throws. Delayed by nothing, it wakes whoever waits for jobs; BullMQ's own way back (`moveToWait`) does not where it has a priority. */
async function handBack(held: Held): Promise<never> {
  held.isBack = true;
  await held.job.moveToDelayed(Date.now(), held.token);
  throw new DelayedError();
}

async function ignoreDelayed(handing: Promise<never>): Promise<void> {
  await handing.catch((error: unknown) => {
    if (!(error instanceof DelayedError)) throw error;
  });
}

async function within<T>(longestMs: number, abort: AbortController, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Hangs(`worked on for ${longestMs} ms without an end`));
      abort.abort();
    }, longestMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
