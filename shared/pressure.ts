/**
 * What happens where more comes than can be done: articles of patrol wait while too much waits behind them, and of those that wait
 * the oldest are dropped, and counted. In: Redis and a limit. Nothing that a person asked for is touched. Why so:
 * deploy/decisions/back-pressure.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { tellTrouble } from './attempts.ts';
import { Busy } from './errors.ts';
import { count } from './metrics.ts';
import { PRIORITY, type Priority, STAGE_NAMES, type Stage } from './pipeline.ts';
import { queueOptions } from './queue.ts';
import { PREFIX } from './redis.ts';

/** By which an article of patrol is dropped: it was the oldest of too many, and could be begun (`due`), or not yet (`held`). */
export const DROP_RULES = ['oldest_due', 'oldest_held'] as const;
export type DropRule = (typeof DROP_RULES)[number];

export interface Pressure {
  /** Articles of patrol that wait, by the limit: 1 is full. */
  fullness(): Promise<number>;
  /**
   * Throws Busy for an article of patrol while as much as the limit waits in a stage behind it, and rests before: who refuses at once
   * takes the next, and puts off the whole queue one after the other.
   */
  admit(stage: Stage, priority: Priority): Promise<void>;
  /** Drops the oldest articles of patrol that wait beyond the limit. Returns how many. Safe in several processes at once. */
  relieve(): Promise<number>;
  close(): Promise<void>;
}

/** `limit`: jobs of patrol in a queue. `pauseMs`: how long an article waits before it asks again, about. */
export function createPressure(redis: Redis, limit: number, pauseMs = PAUSE_MS): Pressure {
  const articles = new Queue('articles', queueOptions(redis));
  const isFull = remembered(() => isFullBehind(redis, limit));
  return {
    fullness: async () => (await countWaiting(redis, 'articles')) / limit,
    async admit(stage, priority) {
      if (stage !== 'articles' || priority < PRIORITY.patrol || !(await isFull())) return;
      await sleep(REST_MS);
      throw new Busy('too much waits behind it', pauseMs * (0.5 + Math.random()));
    },
    async relieve() {
      let dropped = 0;
      for (let more = true; more; ) {
        const oldest = await findOldest(redis, articles, limit);
        const gone = await Promise.all(oldest.map((one) => drop(articles, one)));
        const rules = gone.filter((rule) => rule !== null);
        await tell(redis, rules);
        dropped += rules.length;
        more = rules.length > 0 && oldest.length === TOGETHER;
      }
      return dropped;
    },
    close: () => articles.close(),
  };
}

/** What was dropped so far, of all processes together. */
export async function droppedByRule(redis: Redis): Promise<Record<DropRule, number>> {
  const counts = await redis.hmget(DROPPED, ...DROP_RULES);
  const [due = 0, held = 0] = counts.map(Number);
  return { oldest_due: due, oldest_held: held };
}

async function tell(redis: Redis, dropped: readonly DropRule[]): Promise<void> {
  for (const rule of new Set(dropped)) {
    const number = dropped.filter((each) => each === rule).length;
    await redis.hincrby(DROPPED, rule, number);
    count('sidelight_jobs_dropped_total', { reason: rule }, number);
    await tellTrouble(redis, { what: 'dropped', queue: 'articles', code: rule, job: '' });
  }
}

interface Oldest {
  id: string;
  rule: DropRule;
}

/** Null where it was begun meanwhile, or another process dropped it. */
async function drop(articles: Queue, { id, rule }: Oldest): Promise<DropRule | null> {
  const removed = await articles.remove(id).catch(() => 0); // one that runs is locked
  return removed === 1 ? rule : null;
}

/** With a little room made each time: to look for the oldest takes longer than to drop it. */
async function findOldest(redis: Redis, articles: Queue, limit: number): Promise<Oldest[]> {
  const keys = [articles.toKey('prioritized'), articles.toKey('delayed')];
  const room = Math.floor(limit * ROOM);
  const given = [LOWEST_SCORE, articles.toKey(''), PRIORITY.patrol, limit, room, TOGETHER];
  // the script below answers with pairs of strings
  const found = (await redis.eval(OLDEST, keys.length, ...keys, ...given)) as [string, DropRule][];
  return found.map(([id, rule]) => ({ id, rule }));
}

/**
 * A job's priority holds the minute of its edit, the older the larger (`patrolPriority`). BullMQ's score of what is due begins with it;
 * what is delayed is in the order of its time, so all of it is looked at.
 */
const OLDEST = `
local due = redis.call('ZCOUNT', KEYS[1], ARGV[1], '+inf')
local limit, room, most = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
if due + redis.call('ZCARD', KEYS[2]) <= limit then return {} end
local jobs = {}
local function take(id, rule)
  local known = redis.call('HMGET', ARGV[2] .. id, 'priority', 'timestamp')
  local priority = tonumber(known[1] or 0)
  if priority >= tonumber(ARGV[3]) then jobs[#jobs + 1] = { id, rule, priority, tonumber(known[2] or 0) } end
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do take(id, 'oldest_held') end
local waiting = due + #jobs
if waiting <= limit then return {} end
local excess = math.min(waiting - limit + room, most)
local before = '+inf'
for _ = 1, excess do
  local last = redis.call('ZREVRANGEBYSCORE', KEYS[1], before, ARGV[1], 'WITHSCORES', 'LIMIT', 0, 1)
  if #last == 0 then break end
  local minute = string.format('%.0f', math.floor(tonumber(last[2]) / 4294967296) * 4294967296)
  local ids = redis.call('ZRANGEBYSCORE', KEYS[1], minute, before, 'LIMIT', 0, excess)
  for _, id in ipairs(ids) do take(id, 'oldest_due') end
  excess = excess - #ids
  if excess <= 0 then break end
  before = '(' .. minute
end
excess = math.min(waiting - limit + room, most)
table.sort(jobs, function(a, b) return a[3] > b[3] or (a[3] == b[3] and a[4] < b[4]) end)
local oldest = {}
for at = 1, math.min(excess, #jobs) do oldest[at] = { jobs[at][1], jobs[at][2] } end
return oldest`;

async function isFullBehind(redis: Redis, limit: number): Promise<boolean> {
  const counts = await Promise.all(BEHIND.map((stage) => countWaiting(redis, stage)));
  return counts.some((waiting) => waiting >= limit);
}

/** Jobs of patrol that can be begun, and all that wait for a time or for their children. */
async function countWaiting(redis: Redis, stage: Stage): Promise<number> {
  const key = (state: string) => `${PREFIX}:${stage}:${state}`;
  const [due, delayed, parents] = await Promise.all([
    redis.zcount(key('prioritized'), LOWEST_SCORE, '+inf'),
    redis.zcard(key('delayed')),
    redis.zcard(key('waiting-children')),
  ]);
  return due + delayed + parents;
}

/** What was found lately is found again without asking. */
function remembered(ask: () => Promise<boolean>): () => Promise<boolean> {
  let last = { at: 0, answer: Promise.resolve(false) };
  return () => {
    if (Date.now() - last.at > REMEMBERED_MS) last = { at: Date.now(), answer: ask() };
    return last.answer;
  };
}

/** The stages that articles lead to. A dense shard's queue is no longer than `suggestion`, whose children are in it. */
const BEHIND = STAGE_NAMES.filter((stage) => !['worklists', 'articles', 'retrieval-dense', 'find'].includes(stage));
/** Of patrol, as BullMQ scores it: https://github.com/taskforcesh/bullmq/blob/master/src/commands/includes/getPriorityScore.lua */
const LOWEST_SCORE = PRIORITY.patrol * 2 ** 32;
/** Redis hash: how many were dropped, by rule. */
const DROPPED = `${PREFIX}:dropped`;
const ROOM = 0.05;
/** Also how many a process that is killed just then has dropped without counting them, at most. */
const TOGETHER = 500;
const PAUSE_MS = 30_000;
const REMEMBERED_MS = 500;
const REST_MS = 2 * REMEMBERED_MS;
