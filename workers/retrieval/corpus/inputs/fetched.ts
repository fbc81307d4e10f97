/**
 * The pages that this installation has fetched: what its articles cite. In: the source store. Out: entries whose position is
 * that of the store, so that pages fetched meanwhile come last. What could not be read is no entry, nor what a person gave.
 */
import type { Source } from '../../../../shared/citation.ts';
import { originalOfArchived } from '../../../../shared/url.ts';
import type { SourceStore } from '../../../source/store.ts';
import { originalOfArchiveToday } from '../../../source/wayback.ts';
import type { CorpusInput } from '../page-record.ts';
import { fromText, type Made, toEntry } from './make-page.ts';

export function openFetched(store: Pick<SourceStore, 'pages' | 'count'>): CorpusInput {
  let [read, found] = [0, 0];
  return {
    kind: 'fetched',
    name: 'fetched',
    async *entries(after, signal) {
      [read, found] = [0, await store.count()];
      for (let last = after; ; ) {
        const pages = await store.pages(last, BATCH);
        for (const { position, source } of pages) {
          signal.throwIfAborted();
          last = position;
          read += 1;
          const made = toFetchedPage(source);
          if (made !== null) yield toEntry(made, position, `page ${position}`);
        }
        if (pages.length === 0) return;
      }
    },
    progress: () => (found === 0 ? 0 : Math.min(1, read / found)),
  };
}

/** A copy in an archive is a page of the address that was copied: that is what a citation names. */
export function toFetchedPage(source: Source): Made | null {
  if (source.kind !== 'readable' || source.given) return null;
  const { title, text, language, fetchedAt, archivedAt, publishedAt = null } = source;
  const original = originalOfArchiveToday(source.url);
  if (original === null) return null;
  const url = original ?? originalOfArchived(source.url);
  return fromText({ url, title, text, language, crawledAt: archivedAt ?? fetchedAt, publishedAt });
}

const BATCH = 16;
