/**
 * The bot's loop: recent change → next job → cursor. In: a feed, a publisher. Out: jobs. The cursor moves only after a change
 * was handed on, so that a crash repeats changes and never loses one; job ids make repeating harmless.
 */
import type { Logger } from '../shared/logger.ts';
import { type Next, type Priority, patrolPriority } from '../shared/pipeline.ts';
import type { Cursor, CursorStore } from './cursor.ts';
import type { Follow, Followed } from './follow.ts';
import { BACKOFF, type BackoffLimits, insist } from './recent-changes/backoff.ts';
import { type Change, changeId } from './recent-changes/change.ts';
import type { RecentChanges, Step } from './recent-changes/feed.ts';

/** What became of what a feed told. `other`: nothing of ours. `failed`: a bug, its log entry says which. */
export type Heard = Followed | 'other' | 'duplicate' | 'malformed' | 'failed';

export interface ListenOptions {
  feed: RecentChanges;
  follow: Follow;
  publisher: { publish(next: readonly Next[], priority: Priority): Promise<void> };
  cursors: CursorStore;
  /** Where to begin if no cursor is stored: ISO time. */
  since: string;
  log: Logger;
  /** How often each came up; counted here. */
  counts: Map<Heard, number>;
  backoff?: BackoffLimits;
}

export interface Listen {
  /** Listens until `signal` is aborted. A wiki or a Redis that is away is waited for. */
  run(signal: AbortSignal): Promise<void>;
}

export function createListen(options: ListenOptions): Listen {
  return {
    async run(signal) {
      try {
        await listen(options, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}

async function listen(options: ListenOptions, signal: AbortSignal): Promise<void> {
  const { feed, cursors, counts, since } = options;
  const recent = createRecent();
  const save = createSave(options, signal);
  for await (const step of feed.follow((await cursors.load()) ?? { time: since, eventId: null }, signal)) {
    const heard = await hear(step, recent, options, signal);
    counts.set(heard, (counts.get(heard) ?? 0) + 1);
    await save(step.cursor, heard);
  }
}

async function hear(step: Step, recent: Recent, options: ListenOptions, signal: AbortSignal): Promise<Heard> {
  if (step.kind === 'other') return 'other';
  if (step.kind === 'malformed') {
    options.log.warn({ field: step.field }, 'malformed event skipped');
    return 'malformed';
  }
  const id = changeId(step.change);
  if (recent.has(id)) return 'duplicate';
  const heard = await handOn(step.change, options, signal);
  recent.add(id);
  return heard;
}

async function handOn(change: Change, options: ListenOptions, signal: AbortSignal): Promise<Heard> {
  const { follow, publisher, log, backoff: limits = BACKOFF } = options;
  try {
    const { followed, next } = await insist(() => follow(change, signal), { signal, log, limits });
    const publish = () => publisher.publish(next, patrolPriority(new Date(change.time)));
    await insist(publish, { signal, log, limits, passes: always });
    return followed;
  } catch (error) {
    signal.throwIfAborted();
    log.error({ err: error, change: changeId(change) }, 'change skipped after an unexpected error');
    return 'failed';
  }
}

/** Saves after each change that was handed on, and now and then while nothing of ours happens. */
function createSave({ cursors, log, backoff: limits = BACKOFF }: ListenOptions, signal: AbortSignal) {
  let savedAt = 0;
  return async (cursor: Cursor, heard: Heard) => {
    const canWait = heard === 'other' || heard === 'duplicate';
    if (canWait && Date.now() - savedAt < SAVE_EVERY_MS) return;
    await insist(() => cursors.save(cursor), { signal, log, limits, passes: always });
    savedAt = Date.now();
  };
}

const always = () => true;

/** The last changes handed on: a feed may tell them again after a reconnection. */
type Recent = ReturnType<typeof createRecent>;

function createRecent() {
  const ids = new Set<string>();
  return {
    has: (id: string) => ids.has(id),
    add(id: string) {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > REMEMBERED && oldest !== undefined) ids.delete(oldest);
    },
  };
}

const REMEMBERED = 10_000;
/** A busy stream tells some 30 changes a second that are not ours. */
const SAVE_EVERY_MS = 10_000;
