/**
 * Recent changes of any wiki by asking its API again and again. In: a cursor's time. Out: steps. A wiki forgets its recent
 * changes after 30 to 90 days (https://www.mediawiki.org/wiki/Manual:$wgRCMaxAge): what is older is not told.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Logger } from '../../shared/logger.ts';
import type { Cursor } from '../cursor.ts';
import { BACKOFF, type BackoffLimits, insist } from './backoff.ts';
import { parseApiChange } from './change.ts';
import type { RecentChanges, Step } from './feed.ts';

export interface ApiFeedOptions {
  /** The part of `Wiki` that is needed here. */
  wiki: RecentChangesApi;
  log: Logger;
  /** Pause between two questions, milliseconds. */
  intervalMs?: number;
  backoff?: BackoffLimits;
}

export interface RecentChangesApi {
  recentChanges(since: string, next: string | null, signal?: AbortSignal): Promise<RowsPage>;
}

/** Rows as the API gives them, oldest first; `next`: where to go on, null at the end. */
interface RowsPage {
  rows: unknown[];
  next: string | null;
}

export function createApiFeed(options: ApiFeedOptions): RecentChanges {
  return {
    async *follow(from, signal) {
      let cursor = from;
      const isTold = createTold();
      await tellLost(from, options, signal);
      for (;;) {
        for await (const step of changesSince(cursor, options, signal, isTold)) {
          cursor = step.cursor;
          yield step;
        }
        await sleep(options.intervalMs ?? 1000, undefined, { signal });
      }
    },
  };
}

/** What a feed that forgets did not tell: all changes from a cursor on that the wiki still has. The last step leads to now. */
export async function* fillGap(from: Cursor, options: ApiFeedOptions, signal: AbortSignal): AsyncGenerator<Step> {
  const now = Math.max(Date.now() - LAG_MS, Date.parse(from.time));
  await tellLost(from, options, signal);
  yield* changesSince(from, options, signal);
  yield { kind: 'other', cursor: { time: new Date(now).toISOString(), eventId: null } };
}

/** Logs how long the time is of which the wiki knows no changes any more. The first one ever made has number 1. */
async function tellLost({ time }: Cursor, options: ApiFeedOptions, signal: AbortSignal): Promise<void> {
  const { wiki, log, backoff: limits = BACKOFF } = options;
  if (Date.now() - Date.parse(time) < KEPT_BY_ALL_MS) return;
  const { rows } = await insist(() => wiki.recentChanges(LONG_AGO, null, signal), { signal, log, limits });
  const oldest = Oldest.safeParse(rows[0]).data;
  if (oldest === undefined || oldest.rcid === 1 || oldest.timestamp <= time) return;
  const hours = (Date.parse(oldest.timestamp) - Date.parse(time)) / 3_600_000;
  log.warn(
    { from: time, to: oldest.timestamp, hours: Math.ceil(hours) },
    'changes are lost: the wiki keeps none so old',
  );
}

/** All changes from a cursor to now, oldest first; those of the seconds before the cursor come again. */
async function* changesSince(
  from: Cursor,
  options: ApiFeedOptions,
  signal: AbortSignal,
  isTold = createTold(),
): AsyncGenerator<Step> {
  const { wiki, log, backoff: limits = BACKOFF } = options;
  const since = new Date(Date.parse(from.time) - OVERLAP_MS).toISOString();
  let { time } = from;
  let next: string | null = null;
  do {
    const start: string | null = next;
    const ask = () => wiki.recentChanges(since, start, signal);
    const page: RowsPage = await insist(ask, { signal, log, limits });
    for (const row of page.rows) {
      const parsed = parseApiChange(row);
      time = later(time, row);
      if (parsed.kind === 'malformed' && isTold(row)) continue;
      yield { ...parsed, cursor: { time, eventId: null } };
    }
    next = page.next;
  } while (next !== null);
}

function later(time: string, row: unknown): string {
  const { data } = Stamped.safeParse(row);
  return data !== undefined && data.timestamp > time ? data.timestamp : time;
}

/** Was a malformed row told before? It has no identity that could be relied on, so its whole text is remembered. */
function createTold(): (row: unknown) => boolean {
  const told = new Set<string>();
  return (row) => {
    const text = JSON.stringify(row);
    if (told.has(text)) return true;
    told.add(text);
    const [oldest] = told;
    if (told.size > REMEMBERED && oldest !== undefined) told.delete(oldest);
    return false;
  };
}

const Oldest = z.object({ rcid: z.int(), timestamp: z.iso.datetime() });
const LONG_AGO = '2001-01-15T00:00:00Z';
const KEPT_BY_ALL_MS = 24 * 3_600_000;
/** How far what the wiki answers may be behind. */
const LAG_MS = 60_000;

const Stamped = z.object({ timestamp: z.iso.datetime() });
const REMEMBERED = 1000;

/** A change shows when its transaction ends, some seconds after the time it bears, and times have no fractions. */
const OVERLAP_MS = 10_000;
