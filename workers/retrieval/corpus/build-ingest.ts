/**
 * An input → pages and passages in the corpus. Copies are left out, broken entries are named. A batch and the position behind it
 * are one transaction: killed at any moment, it goes on as if it never was. Touches no arm.
 */
import { hashCitation } from '../../../shared/hash.ts';
import { splitPassages } from '../../verification/passages.ts';
import type { Tally } from './build-tally.ts';
import type { CorpusInput, Entry, PageRecord } from './page-record.ts';
import type { CorpusPage, CorpusStore } from './store.ts';

export interface IngestDependencies {
  corpus: CorpusStore;
  tally: Tally;
  /** Takes passages out of the arms: called before the corpus replaces them. */
  remove(ids: number[]): Promise<void>;
  /** What was added since the last call; copies and broken entries count as nothing. */
  onAdded(added: { pages: number; passages: number }): void;
}

/** `fingerprint`: of the input as it is now; another one is read from the beginning. */
export async function ingest(
  input: CorpusInput,
  fingerprint: string,
  dependencies: IngestDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { corpus, tally, remove, onAdded } = dependencies;
  const { after, finished } = tally.begin(input, fingerprint);
  if (finished) return;
  const commit = prepareCommit(input, dependencies);
  for await (const batch of toBatches(input.entries(after, signal))) {
    if (input.kind === 'fetched') await remove(toPages(batch).flatMap((page) => corpus.outdated(withKey(input, page))));
    onAdded(commit(batch));
    signal.throwIfAborted();
  }
  tally.finish(input.name);
}

function prepareCommit(input: CorpusInput, { corpus, tally }: IngestDependencies) {
  const take = ({ page, position }: Extract<Entry, { kind: 'page' }>): number[] => {
    const duplicate = corpus.duplicate(page);
    // a page that was fetched again is the page that is here: what it says now counts
    if (duplicate !== null && !(input.kind === 'fetched' && duplicate.kind === 'url')) {
      tally.duplicate(input.name, duplicate.kind);
      return [];
    }
    const passages = splitPassages(page);
    if (passages.length > 0) return corpus.put(withKey(input, page), passages);
    tally.broken(input.name, { kind: 'broken', position, code: 'no_text', detail: `${page.url}: only white space` });
    return [];
  };
  const commit = corpus.database.transaction((batch: Entry[]) => {
    const added = { pages: 0, passages: 0 };
    for (const entry of batch) {
      if (entry.kind === 'broken') tally.broken(input.name, entry);
      else {
        const ids = take(entry);
        added.pages += ids.length > 0 ? 1 : 0;
        added.passages += ids.length;
      }
    }
    tally.reach(input.name, batch.at(-1)?.position ?? 0);
    return added;
  });
  return (batch: Entry[]) => commit.immediate(batch);
}

/** Of a size that keeps other writers waiting for less than a second. */
async function* toBatches(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let characters = 0;
  for await (const entry of entries) {
    batch.push(entry);
    characters += entry.kind === 'page' ? entry.page.text.length : 0;
    if (batch.length < BATCH_ENTRIES && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

function toPages(batch: Entry[]): PageRecord[] {
  return batch.flatMap((entry) => (entry.kind === 'page' ? entry.page : []));
}

/** A fetched page's key is that of the source store; no other page has one. */
function withKey(input: CorpusInput, page: PageRecord): CorpusPage {
  return { ...page, sourceKey: input.kind === 'fetched' ? hashCitation({ url: page.url, text: '' }) : null };
}

const BATCH_ENTRIES = 128;
const BATCH_CHARACTERS = 500_000;
