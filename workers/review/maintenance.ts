/**
 * What maintainers do beside deciding: requeue, cancel, keep worklists and opt-outs, see what waits and what fails. In: settings and a
 * Redis that says at once when it is away. Out: verbs for routes/api and the maintainers' page, which differ only in what they answer.
 */
import { existsSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { Kysely } from 'kysely';
import { createAsk, createWiki } from '../../bot/wiki.ts';
import { addWorklist, type ShownWorklist, showWorklist, type WorklistMeans } from '../../bot/worklists/acts.ts';
import { createCollect } from '../../bot/worklists/collect.ts';
import { openSchedules } from '../../bot/worklists/schedule.ts';
import { openWorklists, type WorklistStore } from '../../bot/worklists/store.ts';
import type { ListSource, Worklist } from '../../bot/worklists/worklist.ts';
import type { Config } from '../../shared/config.ts';
import { RequestError } from '../../shared/errors.ts';
import { createOptOuts } from '../../shared/opt-outs.ts';
import { createPublisher, openQueues, type QueueCounts } from '../../shared/queue.ts';
import { queued } from '../../shared/redis.ts';
import type { DatabasePlace } from '../../shared/sql.ts';
import { isShared } from '../../shared/sql.ts';
import { cancelRequeue, type Requeued, requeue } from '../requeue/requeue.ts';
import { countWaiting, countWorkers, type FailedJob, newestFailures, type Waiting } from '../requeue/waiting.ts';
import { type Named, wantedOf } from '../requeue/wanted.ts';
import type { Schema } from './database.ts';
import { addOptOut, listOptOuts, type OptOut, removeOptOut } from './opt-outs.ts';

export type MaintenanceSettings = Pick<Config, 'wiki' | 'modelsDir' | 'tools'> & {
  databases: Pick<Config['databases'], 'worklists'>;
};

export interface QueuesNow {
  /** `workers`: how many processes drain it now. */
  queues: (QueueCounts & { queue: string; workers: number })[];
  /** The most first. */
  waiting: Waiting[];
  /** The newest first. */
  failures: FailedJob[];
}

export interface TitleList {
  kind: 'titles';
  titles: readonly string[];
}

export interface Maintenance {
  /** Counts only where `dryRun`. */
  requeue(named: Named, options: { dryRun: boolean; signal: AbortSignal }): Promise<Requeued>;
  /** How many jobs were taken out. */
  cancelRequeue(request: string): Promise<number>;
  queues(): Promise<QueuesNow>;
  /** Throws RequestError `worklists_elsewhere` where they lie in a file of another machine. */
  worklists<T>(act: (means: WorklistMeans) => T | Promise<T>): Promise<T>;
  showWorklist(name: string): Promise<ShownWorklist>;
  /** Asks the wiki or the tool for its first part. Titles come along where it is a list of them. */
  addWorklist(name: string, from: ListSource | TitleList, signal: AbortSignal): Promise<Worklist>;
  optOuts(): Promise<OptOut[]>;
  /** By its title on the wiki. Throws RequestError `not_found`. */
  optOut(title: string, by: { userId: number; comment: string | null }, signal: AbortSignal): Promise<void>;
  optIn(wiki: string, pageId: number): Promise<void>;
  /** Gives the bot the opt-outs: once at the start, since Redis may have lost them. */
  tellOptOuts(): Promise<void>;
  close(): Promise<void>;
}

/** `redis`: a connection of role `producer`. Every verb throws RequestError, or TransientError where wiki, tool or Redis is away. */
export function openMaintenance(settings: MaintenanceSettings, db: Kysely<Schema>, redis: Redis): Maintenance {
  const ask = createAsk(settings.wiki);
  const [publisher, queues, schedules] = [createPublisher(redis), openQueues(redis), openSchedules(redis)];
  const optOuts = createOptOuts(redis);
  const worklists = openOnce(settings.databases.worklists);
  const tellOptOuts = () => queued(redis, async () => optOuts.tell((await listOptOuts(db)).map(pageOf)));
  const listed: Maintenance['worklists'] = (act) =>
    queued(redis, async () =>
      act({ wikiId: settings.wiki.id, store: await worklists.open(), publisher, queues, schedules }),
    );
  return {
    requeue: (named, { dryRun, signal }) =>
      queued(redis, async () => {
        const wanted = await wantedOf(settings, named, signal);
        return nameIfCut((onProgress) => requeue({ db, ask, publisher }, wanted, { dryRun, signal, onProgress }));
      }),
    cancelRequeue: (request) => queued(redis, () => cancelRequeue(queues, request)),
    queues: () => queued(redis, () => lookAt(redis, queues)),
    worklists: listed,
    showWorklist: (name) => listed((means) => showWorklist(means, db, name)),
    addWorklist: (name, from, signal) =>
      listed((means) =>
        addWorklist(means, { name, ...listOf(from) }, async (source) => {
          await createCollect({ ask, tools: settings.tools, titles: async () => [] })({ id: 0, source }, null, signal);
        }),
      ),
    optOuts: () => listOptOuts(db),
    async optOut(title, by, signal) {
      const found = await createWiki(settings.wiki).latestRevision(title, signal);
      if (found === null) throw new RequestError('not_found', `There is no page “${title}” in ${settings.wiki.id}.`);
      await addOptOut(db, { wiki: settings.wiki.id, page: found.page, ...by });
      await tellOptOuts();
    },
    async optIn(wiki, pageId) {
      await removeOptOut(db, wiki, pageId);
      await tellOptOuts();
    },
    tellOptOuts,
    async close() {
      await Promise.all([publisher.close(), queues.close(), schedules.close()]);
      await worklists.close();
    },
  };
}

async function lookAt(redis: Redis, queues: ReturnType<typeof openQueues>): Promise<QueuesNow> {
  const counts = await queues.count();
  const drained = [...counts].map(async ([queue, count]) => {
    return { queue, ...count, workers: await countWorkers(redis, queue) };
  });
  return {
    queues: await Promise.all(drained),
    waiting: await countWaiting(redis, counts.keys()),
    failures: await newestFailures(redis, counts.keys(), FAILURES),
  };
}

const FAILURES = 20;

/** What a list of titles is kept as. */
function listOf(from: ListSource | TitleList): { source: ListSource; titles: readonly string[] } {
  if (from.kind === 'file') throw new RequestError('invalid', 'source.kind: a file is read where the command runs');
  if (from.kind !== 'titles') return { source: from, titles: [] };
  return { source: { kind: 'file', name: 'titles', titles: from.titles.length }, titles: from.titles };
}

function pageOf({ wiki, page }: OptOut) {
  return { wiki, pageId: page.id };
}

/** Of a file the bot makes it; where there is none, it is not this machine's. One that did not open is tried again. */
function openOnce(place: DatabasePlace) {
  let store: Promise<WorklistStore> | null = null;
  return {
    async open(): Promise<WorklistStore> {
      if (store === null && !isShared(place) && !existsSync(place)) {
        throw new RequestError('worklists_elsewhere', ELSEWHERE);
      }
      store ??= openWorklists(place);
      store.catch(() => {
        store = null;
      });
      return store;
    },
    close: async () => (await store)?.close(),
  };
}

const ELSEWHERE =
  'Worklists lie in a file of the machine that the bot runs on, which is not this one: use `sidelight worklist` there, or ' +
  'DATABASE_URL, by which all machines share them.';

/** What was published by then can still be cancelled, by who knows its name. */
async function nameIfCut(work: (onProgress: (so: Requeued) => void) => Promise<Requeued>): Promise<Requeued> {
  let request: string | null = null;
  try {
    return await work((so) => {
      request = so.request;
    });
  } catch (error) {
    if (request === null) throw error;
    throw new RequestError('cut_short', `It was cut short: ${String(error)}. What began is the requeue ${request}.`);
  }
}

const refuse = async (): Promise<never> => {
  throw new RequestError('no_queues', 'This service runs without queues: nothing can be checked again from here.');
};

/** Of a service that runs without queues. */
export const NO_MAINTENANCE: Maintenance = {
  requeue: refuse,
  cancelRequeue: refuse,
  queues: refuse,
  worklists: refuse,
  showWorklist: refuse,
  addWorklist: refuse,
  optOuts: refuse,
  optOut: refuse,
  optIn: refuse,
  tellOptOuts: refuse,
  close: async () => undefined,
};
