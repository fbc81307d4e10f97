/**
 * Checks that people ask for: begun, followed, cancelled. A check is kept in the database and its jobs in Redis, so that a restart of
 * the service loses nothing. Who asks for the same while it runs gets the same check and a key of their own; it is cancelled
 * when nobody waits for it any more, or by a maintainer.
 */
import { EventEmitter, on } from 'node:events';
import type { Redis } from 'ioredis';
import type { Kysely } from 'kysely';
import { RequestError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import { createProgress, followProgress } from '../../../shared/progress.ts';
import type { Publisher, Queues } from '../../../shared/queue.ts';
import { queued } from '../../../shared/redis.ts';
import type { Schema } from '../database.ts';
import { type AdmitPage, begin, type CheckedWiki } from './begin.ts';
import type { Check, CheckRequest } from './check.ts';
import { join } from './join.ts';
import { createLook, createLooks } from './look.ts';
import { isFinal } from './standing.ts';
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
  start(asked: CheckRequest, admitPage?: AdmitPage): Promise<{ check: Check; key: string }>;
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
  const changes = new EventEmitter().setMaxListeners(0);

  const { look, closely } = createLook({ db, progress: createProgress(redis), queues });
  const get = async (id: string): Promise<Check> => {
    const check = await queued(redis, () => look(id));
    if (check === null) throw new RequestError('not_found', `There is no check ${id}.`);
    return check;
  };

  const lookAgain = async (id: string) => {
    const check = await look(id);
    if (check !== null && check.state !== 'cancelled') changes.emit(id, check);
  };
  const lookAtAll = async () => {
    for (const { id } of await store.openChecks(db)) {
      const check = await closely(id);
      if (check !== null) changes.emit(id, check);
    }
  };
  const looking = createLooks(async (id) => (id === null ? lookAtAll() : lookAgain(id)), log);
  const following = await followProgress(redis, looking.want);
  const timer = setInterval(() => looking.want(null), EVERY_MS);
  looking.want(null);

  return {
    async start(asked, admitPage) {
      const begun = await begin(asked, wiki, new Date());
      if (begun.row.page_id !== null) await admitPage?.(begun.row.page_id);
      const { id, key } = await queued(redis, () => join({ db, publisher, closely }, begun));
      return { check: await get(id), key };
    },
    get,
    watch: (id, signal) => watch(changes, get, id, signal),
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
}

async function* watch(
  changes: EventEmitter,
  get: Checks['get'],
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Check, void> {
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

const EVERY_MS = 60_000;
