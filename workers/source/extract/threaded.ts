/**
 * Texts told from pages in threads, bounded in time and memory: a page that was made to be slow keeps no other page from being
 * read. In: bytes and content type. Out: what `extract.ts` gives; a page that takes too long is too large.
 */
import { openThreads, type Threads, TookTooLong } from '../../../shared/threads.ts';
import { unavailable } from '../failure.ts';
import type { Extract } from './extract.ts';
import type { ExtractTask } from './thread.ts';

/** `thread`: the compiled `thread.ts`. */
export function openThreadedExtract(
  thread = new URL('./thread.js', import.meta.url),
  deadlineMs = DEADLINE_MS,
): { extract: Extract; close(): Promise<void> } {
  const threads: Threads<ExtractTask, Awaited<ReturnType<Extract>>> = openThreads(thread, { deadlineMs });
  return {
    async extract(body, contentType) {
      try {
        return await threads.run({ body, contentType });
      } catch (error) {
        if (error instanceof TookTooLong) return unavailable('too_large', `more than ${deadlineMs / 1000} s to read`);
        throw error;
      }
    },
    close: () => threads.close(),
  };
}

/** Reading one takes a tenth of a second; large PDF files take some. */
const DEADLINE_MS = 20_000;
