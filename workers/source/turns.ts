/**
 * Whose turn it is to ask a host: one request at a time, a pause between two, and no more a day than the budgets allow. Shared by
 * all workers of a Redis, or kept in one process. In: a host. Out: a turn to be ended. Fetches nothing.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { Busy } from '../../shared/errors.ts';

export interface Turns {
  /** Throws Busy where a budget is spent, or, unless they are patient, where some wait for the host already. */
  take(host: string, signal: AbortSignal): Promise<Turn>;
}

export interface Turn {
  /** The next one begins after the pause; a host may ask for a longer one (`Crawl-delay`). Milliseconds. */
  end(pauseMs?: number): Promise<void>;
}

export interface TurnSettings {
  /** Between two requests to a host, milliseconds. */
  pauseMs: number;
  /** Requests a day (UTC) to all hosts, and to one host. */
  daily: number;
  hostDaily: number;
  /** Waits however many wait before: for whoever has no other host to ask meanwhile. */
  patient?: boolean;
}

/** Where it is written down who has a turn. */
interface Ledger {
  /** 0: the turn is taken by `token`. Else: milliseconds after which to look again; Infinity: not today. */
  take(host: string, token: string): Promise<number>;
  end(host: string, token: string, pauseMs: number): Promise<void>;
}

/** For workers: holds across processes and machines. */
export function createSharedTurns(redis: Redis, settings: TurnSettings): Turns {
  return createTurns(redisLedger(redis, settings), settings);
}

/** For command lines, which have no Redis, and wait. */
export function createProcessTurns(settings: TurnSettings): Turns {
  return createTurns(memoryLedger(settings), { patient: true, ...settings });
}

function createTurns(ledger: Ledger, settings: TurnSettings): Turns {
  const waiting = new Map<string, number>();
  return {
    async take(host, signal) {
      const before = waiting.get(host) ?? 0;
      if (before >= MOST_WAITING && !settings.patient)
        throw new Busy(`${host} is busy`, (before + 1) * Math.max(settings.pauseMs, SOON_MS));
      waiting.set(host, before + 1);
      try {
        return await wait(host, signal);
      } finally {
        const left = (waiting.get(host) ?? 1) - 1;
        if (left === 0) waiting.delete(host);
        else waiting.set(host, left);
      }
    },
  };

  async function wait(host: string, signal: AbortSignal): Promise<Turn> {
    const token = randomUUID();
    for (;;) {
      const ms = await ledger.take(host, token);
      if (ms === 0) return { end: (pauseMs = 0) => ledger.end(host, token, Math.max(pauseMs, settings.pauseMs)) };
      if (ms === Number.POSITIVE_INFINITY) throw new Busy(`the day's requests to ${host} are spent`, untilTomorrow());
      await sleep(Math.min(ms, LOOK_MS) + Math.random() * 10, undefined, { signal });
    }
  }
}

function redisLedger(redis: Redis, { daily, hostDaily }: TurnSettings): Ledger {
  return {
    async take(host, token) {
      const keys = [`${KEY}:turn:${host}`, `${KEY}:requests:${today()}`, `${KEY}:requests:${today()}:${host}`];
      const answer = Number(
        await redis.eval(TAKE, keys.length, ...keys, token, HELD_MS, daily, hostDaily, KEPT_SECONDS),
      );
      return answer < 0 ? Number.POSITIVE_INFINITY : answer;
    },
    async end(host, token, pauseMs) {
      await redis.eval(END, 1, `${KEY}:turn:${host}`, token, Math.ceil(pauseMs));
    },
  };
}

/** One step, so that two workers never both see the turn free. */
const TAKE = `
local function spent(key, most) return tonumber(redis.call('get', key) or '0') >= tonumber(most) end
if spent(KEYS[2], ARGV[3]) or spent(KEYS[3], ARGV[4]) then return -1 end
if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return math.max(redis.call('pttl', KEYS[1]), 1) end
for _, key in ipairs({KEYS[2], KEYS[3]}) do
  redis.call('incr', key)
  redis.call('expire', key, ARGV[5])
end
return 0`;
const END = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return end
if tonumber(ARGV[2]) > 0 then redis.call('set', KEYS[1], '', 'PX', ARGV[2]) else redis.call('del', KEYS[1]) end`;

function memoryLedger({ daily, hostDaily }: TurnSettings): Ledger {
  const turns = new Map<string, { token: string; until: number }>();
  const requests = new Map<string, number>();
  let day = '';
  return {
    async take(host, token) {
      if (day !== today()) requests.clear();
      day = today();
      const [all, own] = [requests.get('') ?? 0, requests.get(host) ?? 0];
      if (all >= daily || own >= hostDaily) return Number.POSITIVE_INFINITY;
      const left = (turns.get(host)?.until ?? 0) - Date.now();
      if (left > 0) return left;
      turns.set(host, { token, until: Date.now() + HELD_MS });
      requests.set('', all + 1).set(host, own + 1);
      return 0;
    },
    async end(host, token, pauseMs) {
      if (turns.get(host)?.token === token) turns.set(host, { token: '', until: Date.now() + pauseMs });
    },
  };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function untilTomorrow(): number {
  return DAY_MS - (Date.now() % DAY_MS);
}

/** Under the queues' prefix, so that a cluster's rules for it hold here too. */
const KEY = '{sidelight}:hosts';
/** Longer than a fetch may take: the turn of a worker that was killed runs out. */
const HELD_MS = 60_000;
/** How often a turn that another one holds is looked at. */
const LOOK_MS = 200;
/** Of one host in one process: more would keep its workers from all other hosts. */
const MOST_WAITING = 2;
const SOON_MS = 500;
const DAY_MS = 24 * 3600 * 1000;
/** Longer than its day, so that clocks that differ a little count in one key. */
const KEPT_SECONDS = 2 * 24 * 3600;
