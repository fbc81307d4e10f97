/**
 * Claim extraction in threads: large pages neither hold up the reader of the stream nor each other. In: pages, and the wiki's
 * vocabulary, which is asked here. Out: extractions. A page that takes too long is TookTooLong.
 */
import { openThreads, type Threads } from '../../shared/threads.ts';
import type { Known } from '../vocabulary/known.ts';
import type { WikiVocabulary } from '../vocabulary/wiki-vocabulary.ts';
import type { Extraction } from './extraction.ts';
import type { ExtractAnswer, ExtractTask } from './thread.ts';

export interface ThreadedExtract {
  extract(html: string, title: string, signal?: AbortSignal): Promise<Extraction>;
  close(): Promise<void>;
}

/** `thread`: the compiled `thread.ts`. */
export function openThreadedExtract(
  vocabulary: WikiVocabulary,
  thread = new URL('./thread.js', import.meta.url),
): ThreadedExtract {
  const threads: Threads<ExtractTask, ExtractAnswer> = openThreads(thread, { deadlineMs: DEADLINE_MS });
  const versions = createVersions();
  const read = (html: string, title: string, known: Known, signal?: AbortSignal) =>
    threads.run({ html, title, known, version: versions.of(known) }, signal);
  return {
    async extract(html, title, signal) {
      const known = await vocabulary.knownFor([], signal);
      const { extraction, templates } = await read(html, title, known, signal);
      const more = await vocabulary.knownFor(templates, signal);
      return more === known ? extraction : (await read(html, title, more, signal)).extraction;
    },
    close: () => threads.close(),
  };
}

/** A number for each object: what crosses into a thread is a copy, which can't be compared. */
function createVersions() {
  const numbers = new WeakMap<Known, number>();
  let last = 0;
  return {
    of(known: Known): number {
      const number = numbers.get(known) ?? ++last;
      numbers.set(known, number);
      return number;
    },
  };
}

/** The largest articles take a second or two. */
const DEADLINE_MS = 30_000;
