/** Recent changes of any wiki by asking its API again and again. In: a cursor's time. Out: steps. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Logger } from '../../shared/logger.ts';
import type { Cursor } from '../cursor.ts';
import { BACKOFF, type BackoffLimits, insist } from './backoff.ts';
import { parseApiChange } from './change.ts';
import type { RecentChanges, Step } from './feed.ts';

export interface ApiFeedOptions {
  /** The part of `Wiki` that is needed here. */
  wiki: { recentChanges(since: string, next: string | null, signal?: AbortSignal): Promise<RowsPage> };
  log: Logger;
  /** Pause between two questions, milliseconds. */
  intervalMs?: number;
  backoff?: BackoffLimits;
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

/** All changes from a cursor to now, oldest first; those of the seconds before the cursor come again. */
export async function* changesSince(
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

const Stamped = z.object({ timestamp: z.iso.datetime() });
const REMEMBERED = 1000;

/** A change shows when its transaction ends, some seconds after the time it bears, and times have no fractions. */
const OVERLAP_MS = 10_000;
