/** How many requests may still be sent today. In: a count that all workers share, or one of this process. Sends nothing. */
import type { Redis } from 'ioredis';

export interface Budget {
  /** True: one more request may be sent, and is counted. */
  take(): Promise<boolean>;
}

export interface BudgetSettings {
  /** Requests a day, by UTC. */
  daily: number;
  now?: () => Date;
}

/** Counted across all workers of that Redis; its connection's errors are thrown. */
export function createRedisBudget(redis: Redis, { daily, now = today }: BudgetSettings): Budget {
  return {
    async take() {
      const key = `${KEY}:${dayOf(now())}`;
      await redis.set(key, 0, 'EX', KEPT_SECONDS, 'NX');
      return (await redis.incr(key)) <= daily;
    },
  };
}

/** For command lines, which have no Redis: the count begins anew with the process. */
export function createProcessBudget({ daily, now = today }: BudgetSettings): Budget {
  let day = '';
  let taken = 0;
  return {
    async take() {
      if (day !== dayOf(now())) taken = 0;
      day = dayOf(now());
      taken += 1;
      return taken <= daily;
    },
  };
}

function today(): Date {
  return new Date();
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Under the queues' prefix, so that a cluster's rules for it hold here too. */
const KEY = '{sidelight}:second-opinion';
/** Longer than its day, so that clocks that differ a little count in one key. */
const KEPT_SECONDS = 2 * 24 * 3600;
