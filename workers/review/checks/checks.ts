/**
 * Checks that people ask for: begun, followed, cancelled. A check is kept in the database and its jobs in Redis, so that a restart of
 * the service loses nothing. Who asks for the same while it runs gets the same check and a key of their own; it is cancelled
 * when nobody waits for it any more, or by a maintainer.
 */
import { EventEmitter, on } from 'node:events';
import type { Redis } from 'ioredis';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import { RequestError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { PRIORITY } from '../../../shared/pipeline.ts';
import { createProgress, followProgress } from '../../../shared/progress.ts';
import type { Publisher, Queues } from '../../../shared/queue.ts';
import { queued } from '../../../shared/redis.ts';
import type { Schema } from '../database.ts';
import { type Begun, begin, type CheckedWiki } from './begin.ts';
import type { Check, CheckRequest } from './check.ts';
import { isFinal, standingOf } from './standing.ts';
import * as store from './store.ts';

export interface CheckDependencies {
  db: Kysely<Schema>;
  /** Of role `producer`: who asks is told at once that it is away. */
  redis: Redis;
  publisher: Pick<Publisher, 'publish'>;
  queues: Pick<Queues, 'cancel' | 'holds'>;
  wiki: CheckedWiki;
  log: Logger;
}

/** Whoever cancels holds a key of the check, or is a maintainer. */
export type Canceller = { key: string } | 'maintainer';

export interface Checks {
  /** Throws RequestError `unknown_wiki`, `invalid`, `wiki_away`; every verb TransientError where Redis is away. */
  start(asked: CheckRequest): Promise<{ check: Check; key: string }>;
  /** Throws RequestError `not_found`. */
  get(id: string): Promise<Check>;
  /** As it stands now, and whenever that changes, to its end or the signal's. Throws RequestError `not_found`. */
  watch(id: string, signal: AbortSignal): AsyncGenerator<Check, void>;
  /** What was over stays as it was. Throws RequestError `not_found`, `forbidden` for a key of another check. */
  cancel(id: string, by: Canceller): Promise<Check>;
  /** What it has brought, as the queue orders it. */
  findings(id: string, limit: number): Promise<store.CheckedFinding[]>;
  /** For the review stage. */
  records: store.CheckRecords;
  close(): Promise<void>;
}

export async function openChecks({ db, redis, publisher, queues, wiki, log }: CheckDependencies): Promise<Checks> {
  const progress = createProgress(redis);
  const changes = new EventEmitter().setMaxListeners(0);

  /** Progress first: a job is told to be finished after what it brought is in the database. */
  const look = async (id: string, isLost = false): Promise<Check | null> => {
    const told = await progress.read(id);
    const [row, judged] = [await store.findCheck(db, id), await store.countJudged(db, id)];
    if (row === undefined) return null;
    const check = standingOf({ row, progress: told, judged, isLost, now: Date.now() });
    if (check.state !== row.state) await store.setState(db, id, check);
    return check;
  };
  /** Whether one that is idle is lost takes a look through all queues. */
  const lookClosely = async (id: string): Promise<Check | null> => {
    const check = await look(id);
    const isLost = check !== null && check.idleSince !== null && !(await queues.holds(id));
    return isLost ? look(id, true) : check;
  };
  const get = async (id: string): Promise<Check> => {
    const check = await queued(redis, () => look(id));
    if (check === null) throw new RequestError('not_found', `There is no check ${id}.`);
    return check;
  };

  const lookAgain = async (id: string) => {
    const check = await look(id);
    // what ran when it was cancelled may have published more since
    if (check?.state === 'cancelled') await queues.cancel(id);
    else if (check !== null) changes.emit(id, check);
  };
  const lookAtAll = async () => {
    for (const { id } of await store.openChecks(db)) changes.emit(id, await lookClosely(id));
  };
  const looking = createLooks(async (id) => (id === null ? lookAtAll() : lookAgain(id)), log);
  const oneByOne = pLimit(1); // two who ask at once for the same get one check
  const following = await followProgress(redis, looking.want);
  const timer = setInterval(() => looking.want(null), EVERY_MS);
  looking.want(null);

  return {
    async start(asked) {
      const begun = await begin(asked, wiki, new Date());
      return oneByOne(() => queued(redis, () => join(begun)));
    },
    get,
    watch: (id, signal) => watch(id, signal),
    async cancel(id, by) {
      const check = await get(id);
      if (isFinal(check.state)) return check;
      if (by !== 'maintainer') {
        const waiting = await store.takeKey(db, id, by.key);
        if (waiting === null) throw new RequestError('forbidden', 'Only who asked for a check can cancel it.');
        if (waiting > 0) return check;
      }
      const finishedAt = new Date().toISOString();
      await store.setState(db, id, { state: 'cancelled', reason: null, finishedAt });
      await queued(redis, () => queues.cancel(id));
      const cancelled = await get(id);
      changes.emit(id, cancelled);
      return cancelled;
    },
    findings: (id, limit) => store.checkedFindings(db, id, limit),
    records: store.createRecords(db),
    async close() {
      clearInterval(timer);
      following.stop();
      await looking.stop();
    },
  };

  async function join({ row, job }: Begun): Promise<{ check: Check; key: string }> {
    const running = job === null ? null : await sameRunning(row.subject);
    if (running !== null) return { check: running, key: await store.giveKey(db, running.id) };
    await store.insertCheck(db, row);
    const key = await store.giveKey(db, row.id);
    if (job !== null) await publishOr(() => store.deleteCheck(db, row.id), job);
    return { check: await get(row.id), key };
  }

  async function sameRunning(subject: string): Promise<Check | null> {
    for (const { id } of await store.openChecks(db, subject)) {
      const check = await lookClosely(id);
      if (check !== null && !isFinal(check.state)) return check;
    }
    return null;
  }

  async function publishOr(undo: () => Promise<void>, job: Parameters<Publisher['publish']>[0][number]) {
    try {
      await publisher.publish([job], PRIORITY.gadget);
    } catch (error) {
      await undo();
      throw error;
    }
  }

  async function* watch(id: string, signal: AbortSignal): AsyncGenerator<Check, void> {
    const events = on(changes, id, { signal });
    try {
      const first = await get(id);
      yield first;
      if (isFinal(first.state)) return;
      for await (const [check] of events) {
        yield check;
        if (isFinal(check.state)) return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await events.return?.();
    }
  }
}

/** One look at a time, however much is told meanwhile; null: at all that are not over. */
function createLooks(look: (id: string | null) => Promise<void>, log: Logger) {
  const wanted = new Set<string | null>();
  let looking: Promise<void> | null = null;
  const lookOn = async () => {
    for (const id of wanted) {
      wanted.delete(id);
      await look(id).catch((err: unknown) => log.warn({ check: id, err }, 'check not looked at'));
    }
    looking = null;
  };
  return {
    want(id: string | null): void {
      wanted.add(id);
      looking ??= lookOn();
    },
    async stop(): Promise<void> {
      wanted.clear();
      await looking;
    },
  };
}

const EVERY_MS = 60_000;
