/** What a feed of recent changes is, whichever it is: EventStreams, the wiki's own Redis feed, or its API. No code runs here. */
import type { Cursor } from '../cursor.ts';
import type { ParsedChange } from './change.ts';

/** What a feed told, and the cursor from which it goes on after this. `other`: only the cursor has moved. */
export type Step = ParsedChange & { cursor: Cursor };

export interface RecentChanges {
  /**
   * Changes after `from`, oldest first as far as the feed keeps order, for ever: a feed that is away is tried again with
   * back-off. None is left out; one may come twice. Ends when `signal` is aborted.
   */
  follow(from: Cursor, signal: AbortSignal): AsyncIterable<Step>;
}
