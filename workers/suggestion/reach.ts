/**
 * A page → what a reader finds at its address now: from the store, if it was fetched within a day, else fetched. In: a URL. Out: a
 * source, which is kept in the store as the stage `sources` keeps it. Judges nothing.
 */
import { bareCitation } from '../../shared/bare-citation.ts';
import type { Source } from '../../shared/citation.ts';
import type { SourceReader } from '../source/read.ts';
import { MAX_AGE_MS } from '../source/sources.ts';
import type { SourceStore } from '../source/store.ts';

export interface ReachDependencies {
  reader: SourceReader;
  store: Pick<SourceStore, 'fresh' | 'put'>;
}

/** Whatever the remote does is an outcome. Throws TransientError if `signal` aborts. */
export async function readNow(url: string, { reader, store }: ReachDependencies, signal: AbortSignal): Promise<Source> {
  const known = await store.fresh(url, MAX_AGE_MS.readable);
  if (known !== null && isStillTrue(known.source)) return known.source;
  const source = await reader.read(bareCitation(url, url), signal);
  await store.put(source);
  return source;
}

/** What could not be read may be there again soon; so may a page of which an archive's copy was read. */
function isStillTrue(source: Source): boolean {
  const isLive = source.kind === 'readable' && source.archivedAt === null;
  return Date.now() - Date.parse(source.fetchedAt) <= MAX_AGE_MS[isLive ? 'readable' : 'unavailable'];
}
