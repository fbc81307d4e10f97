/**
 * A burst of edits to a page → one check of its last revision, compared with the one before the burst. In: what changes ask
 * for. Out: `articles` jobs that wait until the page is quiet; all other jobs at once. Survives a restart: what waits is in the
 * queue. The more waits, the shorter the quiet that is waited for: where the oldest are dropped, what waits for quiet would never
 * be done.
 */
import type { Redis } from 'ioredis';
import { type Hold, openHolder } from '../shared/held.ts';
import { jobFields } from '../shared/job-fields.ts';
import type { Input, Next } from '../shared/pipeline.ts';
import type { Pressure } from '../shared/pressure.ts';
import type { Publisher } from '../shared/queue.ts';
import { span } from '../shared/tracing.ts';
import type { Asked } from './listen.ts';

type Check = Input<'articles'>;

export interface Debounce {
  publish(asked: readonly Asked[]): Promise<void>;
  close(): Promise<void>;
}

/** `quietMs`: how long a page must be left alone; 0: every edit is checked at once. */
export function createDebounce(
  redis: Redis,
  publisher: Pick<Publisher, 'publish'>,
  quietMs: number,
  pressure: Pick<Pressure, 'fullness' | 'relieve'> = NONE,
): Debounce {
  let share = 1;
  const holder = openHolder(redis, 'articles', merge, () => {
    return { quietMs: share * quietMs, longestMs: share * quietMs * LONGEST };
  });
  return {
    async publish(asked) {
      share = Math.max(1 - (await pressure.fullness()) / NO_QUIET, 0);
      const holds = new Map<string, Hold<'articles'>>();
      for (const { next, priority } of asked) {
        const rest = next.filter((job) => quietMs === 0 || !gather(job, priority, holds));
        if (rest.length > 0) await asEvent(rest[0], () => publisher.publish(rest, priority));
      }
      await Promise.all([...holds.values()].map((hold) => asEvent(hold, () => holder.hold(hold))));
      await pressure.relieve();
    },
    close: () => holder.close(),
  };
}

/** Where the trace of an edit begins. */
function asEvent(job: { input: unknown } | undefined, work: () => Promise<void>): Promise<void> {
  return span('event', { ...jobFields(job) }, work);
}

function gather(job: Next, priority: number, holds: Map<string, Hold<'articles'>>): boolean {
  if (job.stage !== 'articles') return false;
  const key = `${job.input.wiki}/${job.input.page.id}`;
  const earlier = holds.get(key)?.input;
  holds.set(key, { key, priority, input: earlier === undefined ? job.input : merge(earlier, job.input) });
  return true;
}

/** Of two checks of a page, whichever came first. What one of them would look at is looked at. */
export function merge(one: Check, other: Check): Check {
  const [older, newer] = one.revision <= other.revision ? [one, other] : [other, one];
  const touched = [older, newer].filter(({ scope }) => scope === 'touched');
  const reverts = one.reverts === true || other.reverts === true;
  if (touched.length === 0) return { ...newer, ...(reverts && { reverts }) };
  const before = touched.map(({ previous }) => previous);
  const previous = before.includes(null) ? null : Math.min(...before.map(Number));
  return { ...newer, scope: 'touched', previous, ...(reverts && { reverts }) };
}

const NONE = { fullness: async () => 0, relieve: async () => 0 };
/** From so full on nothing waits for quiet: what is due then is what is done, and not all of it is dropped before. */
const NO_QUIET = 0.5;
/** A page that is edited without pause is checked after as many times the quiet that is waited for. */
const LONGEST = 10;
