/** Trying again with pauses that grow from one to the next. In: work that may fail. Out: its result, however long it takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';

/** Milliseconds. */
export interface BackoffLimits {
  firstMs: number;
  maxMs: number;
}

/** One second, doubled up to a minute. */
export const BACKOFF: BackoffLimits = { firstMs: 1000, maxMs: 60_000 };

export interface Backoff {
  /** How long the next pause will be. */
  nextMs(): number;
  /** Waits that long, or `atLeastMs` where a server asks for it. Throws when aborted. */
  pause(signal: AbortSignal, atLeastMs?: number): Promise<void>;
  /** It worked: the next pause is the first again. */
  reset(): void;
}

export function createBackoff(limits: BackoffLimits): Backoff {
  let attempt = 0;
  const nextMs = () => Math.min(limits.firstMs * 2 ** attempt, limits.maxMs);
  return {
    nextMs,
    async pause(signal, atLeastMs = 0) {
      const ms = Math.max(nextMs(), atLeastMs);
      attempt += 1;
      await sleep(ms, undefined, { signal });
    },
    reset() {
      attempt = 0;
    },
  };
}

export interface Insistence {
  signal: AbortSignal;
  log: Logger;
  limits: BackoffLimits;
  /** Which errors pass by themselves; default: transient ones. */
  passes?: (error: unknown) => boolean;
}

/** Tries until it works. Throws an error that does not pass by itself, and the signal's reason when aborted. */
export async function insist<T>(work: () => Promise<T>, insistence: Insistence): Promise<T> {
  const { signal, log, limits, passes = isTransient } = insistence;
  const pauses = createBackoff(limits);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!passes(error)) throw error;
      log.warn({ err: error, retryInMs: pauses.nextMs() }, 'no answer; will try again');
      await pauses.pause(signal);
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof TransientError;
}
