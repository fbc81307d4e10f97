/**
 * Keeps what is known of pages that have findings up to date while the service runs: views, WikiProjects, categories once a day,
 * worklists every few minutes. In: the wiki, the stores. Out: a handle that stops it. Whatever goes wrong is logged and tried again
 * later: findings are reviewed without it.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type BackoffLimits, createBackoff } from '../../../bot/recent-changes/backoff.ts';
import { createAsk } from '../../../bot/wiki.ts';
import { openWorklists } from '../../../bot/worklists/store.ts';
import type { Config } from '../../../shared/config.ts';
import { TransientError } from '../../../shared/errors.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { DatabasePlace } from '../../../shared/sql.ts';
import { isShared } from '../../../shared/sql.ts';
import type { Schema } from '../database.ts';
import { keepFacts, pagesToRead } from './keep.ts';
import { AT_ONCE, createReadFacts, type ReadFacts } from './read.ts';
import { keepWorklists } from './worklists.ts';

export interface FactsDependencies {
  db: Kysely<Schema>;
  /** As findings have it. */
  wiki: string;
  read: ReadFacts;
  /** Of the worklists; nothing is done while it is a file that is not on this machine. */
  worklists: DatabasePlace;
  log: Logger;
  /** ms; default: the clock. */
  now?: () => number;
  pauses?: Pauses;
}

/** ms */
export interface Pauses {
  /** Between two requests. */
  nextMs: number;
  /** When all is fresh. */
  idleMs: number;
  /** When the wiki is away. */
  away: BackoffLimits;
}

const PAUSES: Pauses = { nextMs: 2000, idleMs: 300_000, away: { firstMs: 10_000, maxMs: 3_600_000 } };

/** Runs until it is stopped. */
export function followFacts(config: Pick<Config, 'wiki' | 'databases'>, db: Kysely<Schema>, log: Logger) {
  const read = createReadFacts(createAsk(config.wiki));
  return runFacts({ db, wiki: config.wiki.id, read, worklists: config.databases.worklists, log });
}

export function runFacts(dependencies: FactsDependencies): { stop(): Promise<void> } {
  const abort = new AbortController();
  const running = repeat(dependencies, abort.signal);
  return {
    async stop() {
      abort.abort();
      await running;
    },
  };
}

async function repeat(dependencies: FactsDependencies, signal: AbortSignal): Promise<void> {
  const { log, pauses = PAUSES } = dependencies;
  const away = createBackoff(pauses.away);
  while (!signal.aborted) {
    try {
      const more = await readOnce(dependencies, signal);
      away.reset();
      await sleep(more ? pauses.nextMs : pauses.idleMs, null, { signal, ref: false });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TransientError)
        log.info({ err: error, retryInMs: away.nextMs() }, 'facts of pages not read');
      else log.error({ err: error }, 'facts of pages not kept');
      await away.pause(signal).catch(() => null);
    }
  }
}

/** One request's worth of pages; worklists when there are no pages left. Whether there may be more. */
export async function readOnce(dependencies: FactsDependencies, signal?: AbortSignal): Promise<boolean> {
  const { db, wiki, read, now = Date.now } = dependencies;
  const at = now();
  const pages = await pagesToRead(db, wiki, new Date(at - DAY_MS).toISOString(), AT_ONCE);
  if (pages.length > 0) await keepFacts(db, wiki, await read(pages, signal), new Date(at).toISOString());
  if (pages.length === AT_ONCE) return true;
  await readWorklists(dependencies);
  return false;
}

/** Opened for a moment: it may appear later, and others write to it. */
async function readWorklists({ db, wiki, worklists }: FactsDependencies): Promise<void> {
  if (!isShared(worklists) && !existsSync(worklists)) return;
  const store = await openWorklists(worklists);
  try {
    await keepWorklists(db, wiki, store);
  } finally {
    await store.close();
  }
}

const DAY_MS = 24 * 3600 * 1000;
