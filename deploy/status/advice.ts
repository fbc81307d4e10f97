/** What a maintainer should do, from what is seen: one rule a line of the list. In: a status. Out: lines, the worst first. */
import type { QueueState } from '../../shared/queue-state.ts';
import type { Status, Told } from './read.ts';
import { age, amount } from './words.ts';

/** `broken`: work stands still, or may be lost. `look`: it goes on, less well. */
export interface Advice {
  how: 'broken' | 'look';
  /** What is seen, and what to do: one sentence each. */
  text: string;
}

export function advise(status: Status): Advice[] {
  const found = RULES.flatMap((rule) => rule(status));
  return [...found.filter(({ how }) => how === 'broken'), ...found.filter(({ how }) => how === 'look')];
}

type Rule = (status: Status) => Advice[];

const RULES: Rule[] = [
  ({ redis }) =>
    'away' in redis
      ? broken(`Redis does not answer (${redis.away}). Start it; what it holds on disk is all there.`)
      : [],
  ({ redis }) =>
    'away' in redis || redis.policy === 'noeviction'
      ? []
      : broken(`Redis drops keys (${redis.policy}) and jobs with them. Set maxmemory-policy to noeviction.`),
  ({ redis }) =>
    'away' in redis || redis.appendOnly
      ? []
      : look('Redis keeps no log on disk: a crash loses minutes of jobs. Set appendonly to yes.'),
  ({ redis }) => ('away' in redis ? [] : fullness(redis.usedBytes / redis.limitBytes)),
  ({ sql }) =>
    'away' in sql ? broken(`The database does not answer (${sql.away}). Start it; findings wait in Redis.`) : [],
  ({ elasticsearch }) =>
    elasticsearch !== null && 'away' in elasticsearch
      ? broken(`Elasticsearch does not answer (${elasticsearch.away}). Start it; verdicts go on, suggestions wait.`)
      : [],
  ({ redis }) => queuesOf(redis).filter(nobodyDrains).flatMap(startWorker),
  ({ redis, shards }) => unheldShards(queuesOf(redis), shards),
  ({ redis }) => queuesOf(redis).filter(standsStill).flatMap(lookAtWorker),
  ({ redis }) => queuesOf(redis).filter(isBehind).flatMap(addWorkers),
  ({ redis }) => botLag(redis),
  ({ redis, at }) => ('away' in redis ? [] : waitsForOthers(redis.troubles, Date.parse(at))),
  ({ redis }) => ('away' in redis ? [] : unexpected(redis.troubles)),
  ({ redis }) => ('away' in redis ? [] : troubles(redis.troubles)),
];

function broken(text: string): Advice[] {
  return [{ how: 'broken', text }];
}

function look(text: string): Advice[] {
  return [{ how: 'look', text }];
}

function fullness(share: number): Advice[] {
  const text = `Redis uses ${Math.round(share * 100)} % of its memory; full, it takes no job. Give it more, or lower QUEUE_LIMIT.`;
  return share > 0.95 ? broken(text) : share > 0.8 ? look(text) : [];
}

function queuesOf(redis: Status['redis']): QueueState[] {
  return 'away' in redis ? [] : redis.queues;
}

/** Where nobody is at work, what is begun waits too. */
function waits({ jobs, workers }: QueueState): number {
  return jobs.waiting + jobs.delayed + (workers === 0 ? jobs.active : 0);
}

function nobodyDrains(queue: QueueState): boolean {
  return queue.workers === 0 && waits(queue) > 0;
}

function startWorker(queue: QueueState): Advice[] {
  return broken(`No worker drains ${queue.queue} (${amount(waits(queue))} wait). Start: ${commandFor(queue.queue)}`);
}

/** The command line that drains a queue. */
function commandFor(queue: string): string {
  const shard = /^retrieval-dense-(\d+)$/.exec(queue)?.[1];
  if (shard !== undefined) return `sidelight work --stages retrieval-dense --shards ${shard}`;
  if (queue === 'articles' || queue === 'worklists') return 'sidelight listen';
  return queue === 'review' ? 'sidelight review' : `sidelight work --stages ${queue}`;
}

/** Nothing may wait for a shard whose searches give up on it. */
function unheldShards(queues: readonly QueueState[], shards: Status['shards']): Advice[] {
  const idle = (shards ?? []).filter((shard) => {
    const queue = queues.find((each) => each.queue === `retrieval-dense-${shard}`);
    return queue !== undefined && queue.workers === 0 && waits(queue) === 0;
  });
  if (idle.length === 0) return [];
  return look(
    `No worker holds shard ${idle.join(',')}. Start: sidelight work --stages retrieval-dense --shards ${idle.join(',')}`,
  );
}

/** A worker is there, and has had one job in hand for an hour. */
function standsStill({ oldest, workers }: QueueState): boolean {
  return workers > 0 && (oldest.active ?? 0) > 3600;
}

function lookAtWorker({ queue, oldest }: QueueState): Advice[] {
  return look(
    `A job of ${queue} has been worked on for ${age(oldest.active)}. Read the log of its worker, and restart it.`,
  );
}

function isBehind({ oldest, workers }: QueueState): boolean {
  return workers > 0 && (oldest.waiting ?? 0) > 6 * 3600;
}

function addWorkers({ queue, oldest, workers }: QueueState): Advice[] {
  return look(
    `${queue} is ${age(oldest.waiting)} behind with ${amount(workers)} at work. Start more: ${commandFor(queue)}`,
  );
}

function botLag(redis: Status['redis']): Advice[] {
  if ('away' in redis || redis.bot.lag === null || redis.bot.lag < LAG_S) return [];
  const bot = redis.queues.find(({ queue }) => queue === 'articles');
  const since = `Nothing was heard of the wiki for ${age(redis.bot.lag)}.`;
  return (bot?.workers ?? 0) === 0
    ? broken(`${since} Start the bot: sidelight listen`)
    : look(`${since} If it was edited since, restart the bot; it goes on where it was.`);
}

/** What is away may be nobody's who reads this: the wiki, the web. What was away before, and is back, needs nothing. */
function waitsForOthers(told: readonly Told[], now: number): Advice[] {
  const put = told.filter(({ what, at }) => what === 'postponed' && at > now - JUST_NOW_MS);
  const newest = new Map(put.toReversed().map(({ queue, code }) => [queue, code] as const));
  return [...newest].flatMap(([queue, code]) =>
    look(
      `${queue} is put off (${code}): ${ASKED.get(queue) ?? 'the corpus'} does not answer. Its log says which address; it goes on by itself.`,
    ),
  );
}

/** The stages that ask something else than the corpus. */
const ASKED: ReadonlyMap<string, string> = new Map([
  ['worklists', 'the wiki, or who keeps the list,'],
  ['articles', 'the wiki'],
  ['sources', 'the database, or an archive,'],
  ['verification', 'the database, the corpus or a second opinion'],
  ['review', 'the database'],
]);

function unexpected(told: readonly Told[]): Advice[] {
  const again = told.filter(({ what }) => what === 'retried');
  const [stalled, others] = [again.filter(({ code }) => code === 'stalled'), again.filter(isNoStall)];
  return [
    ...(stalled.length > 0
      ? look(
          `A worker of ${queuesIn(stalled)} was killed or hung in the last hour (jobs begun again: ${amount(stalled.length)}). See its log, and whether its memory is enough.`,
        )
      : []),
    ...(others.length > 0
      ? look(
          `${queuesIn(others)} met an error that nobody expected (${others[0]?.code}), and tries again. Read the log for it, and report it as a bug.`,
        )
      : []),
  ];
}

function isNoStall({ code }: Told): boolean {
  return code !== 'stalled';
}

function queuesIn(told: readonly Told[]): string {
  return [...new Set(told.map(({ queue }) => queue))].join(', ');
}

function troubles(told: readonly Told[]): Advice[] {
  const of = (what: string) => told.filter((each) => each.what === what).length;
  return [
    ...(of('failed') > 0
      ? look(
          `${amount(of('failed'))} jobs were given up in an hour. A maintainer reads why at /maintain/queues and, after mending, tries them again there.`,
        )
      : []),
    ...(of('silent') > 0
      ? look(
          `${amount(of('silent'))} searches in an hour lacked a part of the corpus. Look at the workers of that shard.`,
        )
      : []),
    ...(of('dropped') > 0
      ? look(`More is edited than is checked: patrol work is dropped. Start workers for the longest queue.`)
      : []),
  ];
}

/** The longest pause of a job that is put off is five minutes (shared/runner.ts). */
const JUST_NOW_MS = 600_000;
/** A small wiki is not edited for longer. */
const LAG_S = 1800;
