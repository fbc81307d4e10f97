/**
 * Keeps what the wiki's lists say up to date while the bot listens: read at once, then every day. In: config. Out: a handle that
 * stops it. Whatever goes wrong is logged: the bot does its work without it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/config.ts';
import type { Logger } from '../../shared/logger.ts';
import { createAsk } from '../wiki.ts';
import { type ImportDependencies, importLists, type PlaceRead } from './import.ts';
import { createReadList } from './list-pages.ts';
import { loadPlaces } from './places.ts';

export interface Daily {
  /** Settled when suggestions have lists to go by: at once where there are some, else after the first import, or a minute. */
  first: Promise<void>;
  stop(): Promise<void>;
}

type Settings = Pick<Config, 'wiki' | 'reliability'>;
type Store = ImportDependencies['store'] & { lists(wiki: string): Promise<readonly unknown[]> };

export async function importDaily(config: Settings, store: Store, log: Logger): Promise<Daily> {
  const abort = new AbortController();
  const isKnown = (await store.lists(config.wiki.id)).length > 0;
  const first = importLogged(config, store, log, abort.signal);
  const running = repeat(first, () => importLogged(config, store, log, abort.signal), abort.signal);
  return {
    first: isKnown
      ? Promise.resolve()
      : Promise.race([first, sleep(FIRST_MS, null, { ref: false })]).then(() => undefined),
    async stop() {
      abort.abort();
      await running;
    },
  };
}

/** One import of everything. Throws RequestError for a file of places that can't be used, and what is no wiki's being away. */
export async function importFrom(
  config: Settings,
  store: ImportDependencies['store'],
  signal?: AbortSignal,
): Promise<PlaceRead[]> {
  const { lists, global } = config.reliability;
  const own = { wiki: config.wiki.id, read: createReadList(createAsk(config.wiki)) };
  const shared = global === null ? null : { wiki: global.id, read: createReadList(createAsk(global)) };
  return importLists({ own, global: shared, places: await loadPlaces(lists), store }, signal);
}

async function repeat(first: Promise<boolean>, next: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  let complete = await first;
  while (!signal.aborted) {
    await sleep(complete ? DAY_MS : SOON_MS, null, { signal, ref: false }).catch(() => null);
    if (!signal.aborted) complete = await next();
  }
}

/** Whether every place could be read. */
async function importLogged(config: Settings, store: Store, log: Logger, signal: AbortSignal): Promise<boolean> {
  try {
    const read = await importFrom(config, store, signal);
    for (const { place, failed } of read) if (failed !== null) log.warn({ list: place.page, failed }, 'list not read');
    const lists = read.flatMap((one) => one.lists);
    log.info({ lists: lists.length, skipped: lists.flatMap(({ skipped }) => skipped).length }, 'lists of sources read');
    return read.every(({ failed }) => failed === null);
  } catch (error) {
    if (!signal.aborted) log.error({ err: error }, 'lists of sources not read');
    return false;
  }
}

const FIRST_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;
/** A wiki that was away. */
const SOON_MS = 10 * 60 * 1000;
