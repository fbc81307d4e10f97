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

function troubles(told: readonly Told[]): Advice[] {
  const of = (what: string) => told.filter((each) => each.what === what).length;
  return [
    ...(of('failed') > 0
      ? look(
          `${amount(of('failed'))} jobs were given up in an hour. Read one at /maintain/queues; sidelight requeue does them again.`,
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

/** A small wiki is not edited for longer. */
const LAG_S = 1800;
