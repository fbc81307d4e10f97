/** How an installation is, asked of its servers. In: Config. Out: what each answered, or that it does not. Changes nothing. */
import { existsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { createCursorStore } from '../../bot/cursor.ts';
import { readTroubles, type Trouble } from '../../shared/attempts.ts';
import type { Config } from '../../shared/config.ts';
import { codeOf } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { droppedByRule } from '../../shared/pressure.ts';
import { type QueueState, type RedisState, readQueueStates, readRedisState } from '../../shared/queue-state.ts';
import { isShared, openSql } from '../../shared/sql.ts';
import { openSparseEngine } from '../../workers/retrieval/corpus/sparse-engine.ts';

/** What could not be asked says why, by a code. */
export type Answered<T> = T | { away: string };

export interface Status {
  wiki: string;
  /** ISO time. */
  at: string;
  redis: Answered<RedisState & { queues: QueueState[]; troubles: Told[]; bot: Bot; dropped: Record<string, number> }>;
  sql: Answered<{ kind: 'mariadb' | 'sqlite'; openFindings: number | null; lastDecision: string | null }>;
  /** Null: the sparse index is a file. */
  elasticsearch: Answered<{ generation: string | null }> | null;
  /** Of the current generation; null: there is none, or it can't be asked. */
  shards: number[] | null;
}

export type Told = Trouble & { at: number };

interface Bot {
  /** Seconds since the last change that was heard; null: none was ever. */
  lag: number | null;
}

/** Each server gets a few seconds. `now`: ms. */
export async function readStatus(config: Config, log: Logger, now: number = Date.now()): Promise<Status> {
  const [redis, database, corpus] = await Promise.all([
    within(() => askRedis(config, now)),
    within(() => askSql(config.databases.review)),
    within(() => askCorpus(config, log)),
  ]);
  const generation = 'away' in corpus ? corpus : { generation: corpus.generation };
  return {
    wiki: config.wiki.id,
    at: new Date(now).toISOString(),
    redis,
    sql: database,
    elasticsearch: config.elasticsearch === null ? null : generation,
    shards: 'away' in corpus || corpus.generation === null ? null : corpus.shards,
  };
}

async function askRedis(config: Config, now: number) {
  const redis = new Redis(config.redisUrl, {
    ...{ lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null, connectTimeout: ANSWER_MS },
  });
  let why: Error | null = null; // what `connect` throws says only that there is no connection
  redis.on('error', (error) => {
    why = error;
  });
  try {
    await redis.connect().catch((error: unknown) => {
      throw why ?? error;
    });
    const [state, queues, troubles] = await Promise.all([
      readRedisState(redis),
      readQueueStates(redis),
      readTroubles(redis),
    ]);
    const dropped = await droppedByRule(redis);
    const { cursor } = await createCursorStore(redis, config.wiki.id, config.feed.kind).load();
    const lag = cursor === null ? null : Math.max(now - Date.parse(cursor.time), 0) / 1000;
    return { ...state, queues, troubles: troubles.filter(({ at }) => at > now - LATELY_MS), bot: { lag }, dropped };
  } finally {
    redis.disconnect();
  }
}

async function askSql(place: string) {
  const kind = isShared(place) ? ('mariadb' as const) : ('sqlite' as const);
  const nothing = { kind, openFindings: null, lastDecision: null };
  if (kind === 'sqlite' && !existsSync(place)) return nothing;
  const db = openSql<Asked>(place);
  try {
    const tables = await db.introspection.getTables();
    if (!tables.some(({ name }) => name === 'findings')) return nothing;
    const findings = db.selectFrom('findings').select(({ fn }) => fn.countAll<number>().as('open'));
    const { open } = await findings.where('state', '=', 'open').executeTakeFirstOrThrow();
    const decisions = db.selectFrom('decisions').select(({ fn }) => fn.max('created_at').as('last'));
    const { last } = await decisions.executeTakeFirstOrThrow();
    return { kind, openFindings: Number(open), lastDecision: last };
  } finally {
    await db.destroy();
  }
}

/** The columns that are asked for; the tables are the review service's. */
interface Asked {
  findings: { state: string };
  decisions: { created_at: string };
}

async function askCorpus(config: Config, log: Logger) {
  const engine = openSparseEngine(config, log);
  try {
    const current = await engine.generations.current();
    return { generation: current?.generation ?? null, shards: (current?.shards ?? []).map(({ shard }) => shard) };
  } finally {
    await engine.close();
  }
}

async function within<T extends object>(ask: () => Promise<T>): Promise<Answered<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ away: string }>((resolve) => {
    timer = setTimeout(() => resolve({ away: 'no answer in time' }), 2 * ANSWER_MS);
  });
  const asked = ask().catch((error: unknown) => ({ away: codeOf(error) }));
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

const ANSWER_MS = 3000;
/** What went wrong before is history. */
const LATELY_MS = 3600_000;
