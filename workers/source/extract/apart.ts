/**
 * Texts told from pages in processes of their own, bounded in time and memory: a page that was made to harm harms no other. In:
 * bytes and content type. Out: what `extract.ts` gives; a page that takes too long, too much memory or its process along is too large.
 */
import { type Children, GivenUp, openChildren } from '../../../shared/children/children.ts';
import type { Logger } from '../../../shared/logger.ts';
import { compiled } from '../../../shared/root.ts';
import { unavailable } from '../failure.ts';
import type { ExtractTask } from './child.ts';
import type { Extract } from './extract.ts';

export interface ExtractLimits {
  /** Milliseconds. */
  deadlineMs: number;
  /** Of one process. */
  memoryMb: number;
}

/** Throws Broken where no process can be had, and nothing else. */
export function openExtractApart(limits: Partial<ExtractLimits> & { log?: Logger } = {}): {
  extract: Extract;
  close(): Promise<void>;
} {
  const { deadlineMs, memoryMb, log } = { ...LIMITS, ...limits };
  const file = compiled(new URL('./child.ts', import.meta.url));
  const children: Children<ExtractTask, Awaited<ReturnType<Extract>>> = openChildren(file, {
    deadlineMs,
    memoryMb,
    log,
  });
  return {
    async extract(body, contentType) {
      try {
        return await children.run({ body, contentType });
      } catch (error) {
        if (!(error instanceof GivenUp)) throw error;
        return unavailable('too_large', error.code === 'time' ? `more than ${deadlineMs / 1000} s to read` : CRASHED);
      }
    },
    close: () => children.close(),
  };
}

/** Reading one takes a tenth of a second; large PDF files take some. */
const LIMITS: ExtractLimits = { deadlineMs: 20_000, memoryMb: 1024 };
const CRASHED = 'more memory than a page may take';
