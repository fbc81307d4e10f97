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
    threads.run({ html, title, ...versions.of(known) }, signal);
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

/** A number and shared bytes for each object: copied into a thread with every page, it would cost more than the page. */
function createVersions() {
  const shared = new WeakMap<Known, Pick<ExtractTask, 'known' | 'version'>>();
  let last = 0;
  return {
    of(known: Known): Pick<ExtractTask, 'known' | 'version'> {
      const version = shared.get(known) ?? { known: share(JSON.stringify(known)), version: ++last };
      shared.set(known, version);
      return version;
    },
  };
}

function share(text: string): SharedArrayBuffer {
  const bytes = Buffer.from(text);
  const shared = new SharedArrayBuffer(bytes.length);
  Buffer.from(shared).set(bytes);
  return shared;
}

/** The largest articles take a second or two. */
const DEADLINE_MS = 30_000;
