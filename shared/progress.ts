/**
 * How far a check is, in Redis: told by who publishes jobs and who drains them, read by who shows it. Sets of job ids, so that
 * telling something twice changes nothing. Jobs of other requests are not followed: a run of a worklist has millions.
 */
import type { Redis } from 'ioredis';
import { isCheck } from './check-name.ts';
import { STAGE_NAMES, type Stage } from './pipeline.ts';
import { PREFIX } from './redis.ts';

export interface FollowedJob {
  /** Undefined: an edit led to it. */
  request: string | undefined;
  stage: Stage;
  id: string;
}

export interface StageProgress {
  stage: Stage;
  /** Finished, those that failed too. */
  done: number;
  failed: number;
  total: number;
}

export interface CheckProgress {
  /** In the order of the stages; those without jobs are left out. */
  stages: StageProgress[];
  /** When its first job was finished, and when anything was last told, ms; null: never, or so long ago that it is forgotten. */
  first: number | null;
  last: number | null;
}

export interface Progress {
  /** To be told before they are queued: what is finished is then never all there is while something comes next. */
  published(jobs: readonly FollowedJob[]): Promise<void>;
  finished(job: FollowedJob, how: 'done' | 'failed'): Promise<void>;
  read(request: string): Promise<CheckProgress>;
}

/** Nothing is asked of Redis for jobs that are not followed. */
export function createProgress(redis: Redis): Progress {
  return {
    async published(jobs) {
      const followed = jobs.filter(isFollowed);
      for (const request of new Set(followed.map((job) => job.request))) {
        await tellPublished(
          redis,
          request,
          followed.filter((job) => job.request === request),
        );
      }
    },
    async finished(job, how) {
      if (isFollowed(job)) await tellFinished(redis, job, how);
    },
    read: (request) => read(redis, request),
  };
}

/** Requests of which something was told, as it is told. Its connection is its own; what was told while it was away is `null`: look at all. */
export async function followProgress(
  redis: Redis,
  onTold: (request: string | null) => void,
): Promise<{ stop(): void }> {
  const subscriber = redis.duplicate();
  subscriber.on('error', () => undefined); // reconnects and subscribes again by itself
  subscriber.on('message', (_channel, request) => onTold(request));
  await subscriber.subscribe(CHANNEL);
  subscriber.on('ready', () => onTold(null));
  return { stop: () => subscriber.disconnect() };
}

type Followed = FollowedJob & { request: string };

function isFollowed(job: FollowedJob): job is Followed {
  return job.request !== undefined && isCheck(job.request);
}

async function tellPublished(redis: Redis, request: string, jobs: readonly Followed[]): Promise<void> {
  const telling = redis.multi();
  for (const stage of new Set(jobs.map((job) => job.stage))) {
    const ids = jobs.filter((job) => job.stage === stage).map(({ id }) => id);
    telling.sadd(keyOf(request, stage, 'published'), ...ids).expire(keyOf(request, stage, 'published'), KEPT_S);
  }
  await tell(telling, request);
}

/** One that is done after it failed is done; one that fails after it was done was done. */
async function tellFinished(redis: Redis, { request, stage, id }: Followed, how: 'done' | 'failed'): Promise<void> {
  const telling = redis.multi();
  for (const state of ['published', how] as const) {
    telling.sadd(keyOf(request, stage, state), id).expire(keyOf(request, stage, state), KEPT_S);
  }
  telling.hsetnx(timesOf(request), 'first', Date.now());
  await tell(telling, request);
}

async function tell(telling: ReturnType<Redis['multi']>, request: string): Promise<void> {
  telling.hset(timesOf(request), 'last', Date.now()).expire(timesOf(request), KEPT_S).publish(CHANNEL, request);
  const answers = await telling.exec();
  const error = answers?.find(([failure]) => failure !== null)?.[0];
  if (error != null) throw error;
}

async function read(redis: Redis, request: string): Promise<CheckProgress> {
  const [first, last] = await redis.hmget(timesOf(request), 'first', 'last');
  const stages = await Promise.all(STAGE_NAMES.map((stage) => readStage(redis, request, stage)));
  return { stages: stages.filter(({ total }) => total > 0), first: toTime(first), last: toTime(last) };
}

async function readStage(redis: Redis, request: string, stage: Stage): Promise<StageProgress> {
  const of = (state: State) => keyOf(request, stage, state);
  const [total, done, failed, both] = await Promise.all([
    redis.scard(of('published')),
    redis.scard(of('done')),
    redis.scard(of('failed')),
    redis.sinter(of('done'), of('failed')),
  ]);
  return { stage, done: done + failed - both.length, failed: failed - both.length, total };
}

function toTime(text: string | null | undefined): number | null {
  return text == null ? null : Number(text);
}

type State = 'published' | 'done' | 'failed';

function keyOf(request: string, stage: Stage, state: State): string {
  return `${timesOf(request)}:${stage}:${state}`;
}

function timesOf(request: string): string {
  return `${PREFIX}:progress:${request}`;
}

const CHANNEL = `${PREFIX}:progress`;
const KEPT_S = 24 * 3600;
