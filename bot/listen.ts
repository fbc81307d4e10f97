/**
 * The bot's loop: recent changes → next jobs → cursor. In: a feed, a publisher. Out: jobs. What has arrived is handed on
 * together. The cursor moves only after that, so that a crash repeats changes and never loses one; job ids make repeating
 * harmless.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../shared/logger.ts';
import { count, set } from '../shared/metrics.ts';
import { type Next, type Priority, patrolPriority } from '../shared/pipeline.ts';
import { type Cursor, type CursorStore, REMEMBERED } from './cursor.ts';
import type { Follow, Followed } from './follow.ts';
import { BACKOFF, type BackoffLimits, insist } from './recent-changes/backoff.ts';
import { inBatches } from './recent-changes/batches.ts';
import { type Change, changeId } from './recent-changes/change.ts';
import type { RecentChanges, Step } from './recent-changes/feed.ts';

/** What a change asks for, with the priority of its time. */
export interface Asked {
  next: Next[];
  priority: Priority;
}

export interface ListenOptions {
  feed: RecentChanges;
  follow: Follow;
  /** Hands on what changes ask for, in their order. */
  publish(asked: readonly Asked[]): Promise<void>;
  cursors: CursorStore;
  /** Where to begin if no cursor is stored: ISO time. */
  since: string;
  log: Logger;
  /**
   * How often each came up; counted here. What became of changes is in `Followed`; besides: `other`: nothing of ours.
   * `duplicate`. `malformed:<field>`. `failed`: a bug, its log entry says which.
   */
  counts: Map<string, number>;
  backoff?: BackoffLimits;
  /** How often the counts are logged, milliseconds. */
  tellMs?: number;
}

export interface Listen {
  /** Listens until `signal` is aborted. A wiki or a Redis that is away is waited for. */
  run(signal: AbortSignal): Promise<void>;
}

export function createListen(options: ListenOptions): Listen {
  return {
    async run(signal) {
      const { log, counts, tellMs = 600_000 } = options;
      const tell = () => log.info({ heard: Object.fromEntries(counts) }, 'recent changes');
      const telling = setInterval(tell, tellMs);
      try {
        await listen(options, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        clearInterval(telling);
        tell();
      }
    },
  };
}

async function listen(options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { cursors, log, backoff: limits = BACKOFF } = options;
  const stored = await insist(() => cursors.load(), { signal, log, limits, passes: always });
  let cursor = stored.cursor ?? { time: options.since, eventId: null };
  const position = createPosition(stored.handedOn, options, signal);
  try {
    for await (const steps of inBatches(options.feed.follow(cursor, signal), TOGETHER)) {
      const changes = steps.flatMap((step) => hear(step, position, options));
      const late = await handOn(changes, position, options, signal);
      if (late.length > 0) position.wait(cursor, settle(late, position, options, signal));
      cursor = steps.at(-1)?.cursor ?? cursor;
      await position.move(cursor);
      set('sidelight_event_lag_seconds', {}, Math.max(Date.now() - Date.parse(cursor.time), 0) / 1000);
    }
  } finally {
    await position.leave(cursor);
  }
}

/** The change of a step, if there is one that was not heard before. */
function hear(step: Step, position: Position, { counts, log }: ListenOptions): Change[] {
  if (step.kind === 'other') return heard(counts, 'other');
  if (step.kind === 'malformed') {
    log.warn({ field: step.field }, 'malformed event skipped');
    return heard(counts, `malformed:${step.field}`);
  }
  return position.isNew(changeId(step.change)) ? [step.change] : heard(counts, 'duplicate');
}

/** Returns the changes that the wiki does not know yet. */
async function handOn(
  changes: readonly Change[],
  position: Position,
  options: ListenOptions,
  signal: AbortSignal,
): Promise<Change[]> {
  if (changes.length === 0) return [];
  const { publish, counts, log, backoff: limits = BACKOFF } = options;
  const followed = await followAll(changes, options, signal);
  const asked = followed.filter(({ next }) => next.length > 0).map(ask);
  if (asked.length > 0) await insist(() => publish(asked), { signal, log, limits, passes: always });
  const done = followed.filter((each) => each.followed !== 'not_yet');
  for (const each of done) heard(counts, each.followed);
  position.handedOn(done.map(({ change }) => changeId(change)));
  return followed.flatMap((each) => (each.followed === 'not_yet' ? [each.change] : []));
}

function ask({ change, next }: Followed): Asked {
  return { next, priority: patrolPriority(new Date(change.time)) };
}

/** One that nobody can follow is left out, and none of the others with it. */
async function followAll(changes: readonly Change[], options: ListenOptions, signal: AbortSignal): Promise<Followed[]> {
  const { follow, log, backoff: limits = BACKOFF } = options;
  try {
    return await insist(() => follow(changes, signal), { signal, log, limits });
  } catch (error) {
    signal.throwIfAborted();
    if (changes.length > 1) {
      return (await Promise.all(changes.map((change) => followAll([change], options, signal)))).flat();
    }
    const failed = changes.map((change): Followed => ({ change, followed: 'failed', next: [] }));
    log.error({ err: error, change: changes.map(changeId) }, 'change skipped after an unexpected error');
    return failed;
  }
}

/** Asks again for what the wiki's replicas did not know, beside all that comes meanwhile. */
async function settle(late: readonly Change[], position: Position, options: ListenOptions, signal: AbortSignal) {
  for (let left = late; left.length > 0; ) {
    await sleep(options.backoff?.firstMs ?? BACKOFF.firstMs, undefined, { signal });
    left = await handOn(left, position, options, signal);
  }
}

type Position = ReturnType<typeof createPosition>;

/** Where the bot stands: the cursor, short of what is still waited for, and the last changes that were handed on. */
function createPosition(known: readonly string[], options: ListenOptions, signal: AbortSignal) {
  const { cursors, log, backoff: limits = BACKOFF } = options;
  let heard = new Set(known);
  const waiting = new Map<Promise<void>, Cursor>();
  let unsaved: string[] = [];
  let savedAt = 0;
  return {
    isNew(id: string): boolean {
      if (heard.has(id)) return false;
      heard.add(id);
      if (heard.size > 2 * REMEMBERED) heard = new Set([...heard].slice(-REMEMBERED));
      return true;
    },
    handedOn(ids: readonly string[]): void {
      unsaved.push(...ids);
    },
    /** The cursor stays at `before` until `work` is done. */
    wait(before: Cursor, work: Promise<void>): void {
      const done = work
        .catch((error) => signal.aborted || log.error({ err: error }, 'late changes given up'))
        .then(() => void (signal.aborted || waiting.delete(done)));
      waiting.set(done, before);
    },
    /** Saves after changes that were handed on, and now and then while nothing of ours happens. */
    async move(cursor: Cursor): Promise<void> {
      if (unsaved.length === 0 && Date.now() - savedAt < SAVE_EVERY_MS) return;
      const [first = cursor] = waiting.values();
      const ids = unsaved;
      unsaved = [];
      await insist(() => cursors.save(first, ids), { signal, log, limits, passes: always });
      savedAt = Date.now();
    },
    /** What was handed on while it was told to stop is known after the next start. */
    async leave(cursor: Cursor): Promise<void> {
      await Promise.all(waiting.keys());
      if (unsaved.length > 0) await this.move(cursor);
    },
  };
}

/** Nothing is left to do with it. */
function heard(counts: Map<string, number>, what: string): [] {
  counts.set(what, (counts.get(what) ?? 0) + 1);
  count('sidelight_events_total', { followed: what.replace(/:.*/, '') });
  return [];
}

const always = () => true;

/** Several questions to the wiki. */
const TOGETHER = 200;
/** A busy stream tells some 30 changes a second that are not ours. */
const SAVE_EVERY_MS = 10_000;
