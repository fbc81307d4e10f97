/**
 * Stage `sources`: a citation → its source in the store, or a coded reason. A page that was read lately is not fetched again,
 * and citations of one page that come at the same time wait for one fetch. Readable pages go on to the corpus; what a person
 * gave is taken before all else, and goes nowhere.
 */
import type { Source } from '../../shared/citation.ts';
import { count } from '../../shared/metrics.ts';
import type { Handler, Input, Outcome } from '../../shared/pipeline.ts';
import { readAgainSince } from '../../shared/requeue.ts';
import { canonicalUrl } from '../../shared/url.ts';
import { isGone, type SourceReader } from './read.ts';
import type { SourceStore } from './store.ts';

type Store = Pick<SourceStore, 'fresh' | 'put' | 'given'>;
type Stored = { key: string | null; source: Source };

export interface SourcesDependencies {
  reader: SourceReader;
  store: Store;
  /** Whether what was read joins the corpus. */
  growCorpus: boolean;
}

export function createSources({ reader, store, growCorpus }: SourcesDependencies): Handler<'sources'> {
  const running = new Map<string, Promise<Stored>>();
  return async ({ citation, request }, { signal }) => {
    const given = await store.given.of(citation.hash);
    if (given !== null) return toOutcome(citation, given, false);
    const page = canonicalUrl(citation.url ?? '');
    const same = `${page} ${citation.archiveUrl} ${citation.urlStatus}`;
    const waiting = page === null ? undefined : running.get(same);
    const stored = waiting ?? readOnce({ citation, signal, page, since: readAgainSince(request), reader, store });
    if (page !== null && waiting === undefined) {
      running.set(same, stored);
      void stored.finally(() => running.delete(same)).catch(() => undefined); // whoever waits for it has the error
    }
    return toOutcome(citation, await stored, growCorpus);
  };
}

interface Reading {
  citation: Input<'sources'>['citation'];
  signal: AbortSignal;
  /** Canonical URL; null for a citation without one, of which nothing is stored. */
  page: string | null;
  /** What was read before this time (ms) is read again. */
  since: number;
  reader: SourceReader;
  store: Store;
}

async function readOnce({ citation, signal, page, since, reader, store }: Reading): Promise<Stored> {
  if (page === null || citation.url === null) return { key: null, source: await reader.read(citation, signal) };
  const known = await store.fresh(citation.url, MAX_AGE_MS.readable);
  const isKnown = known !== null && isStillTrue(known.source, citation) && Date.parse(known.source.fetchedAt) >= since;
  count('sidelight_cache_lookups_total', { cache: 'sources', outcome: isKnown ? 'hit' : 'miss' });
  if (isKnown) return known;
  const source = await reader.read(citation, signal);
  return { key: await store.put(source), source };
}

/**
 * What could not be read for one citation may be read for another, which names an archived copy; and a page that is read as it is
 * now is not what was cited where a citation says that it is gone.
 */
function isStillTrue(source: Source, citation: Reading['citation']): boolean {
  if (source.kind === 'unavailable' && citation.archiveUrl !== null) return false;
  const isLive = source.kind === 'readable' && source.archivedAt === null;
  if (isLive && isGone(citation) && citation.urlStatus !== 'dead') return false;
  return Date.now() - Date.parse(source.fetchedAt) <= MAX_AGE_MS[source.kind];
}

function toOutcome(
  citation: Input<'sources'>['citation'],
  { key, source }: Stored,
  growCorpus: boolean,
): Outcome<'sources'> {
  const reason = source.kind === 'unavailable' ? source.reason : null;
  const answer = { citationHash: citation.hash, sourceKey: key, reason };
  if (key === null || source.kind === 'unavailable' || !growCorpus) return { answer, next: [] };
  return { answer, next: [{ stage: 'corpus', input: { sourceKey: key, contentHash: source.contentHash } }] };
}

/** What could not be read may be there again soon. */
export const MAX_AGE_MS = { readable: 24 * 3600 * 1000, unavailable: 3600 * 1000 } as const;
