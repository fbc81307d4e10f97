/**
 * Texts told from pages in processes of their own, bounded in time and memory: a page that was made to harm harms no other. In:
 * bytes and content type. Out: what `extract.ts` gives; a page that takes too long, too much memory or its process along is too large.
 */
import { type Children, GivenUp, openChildren } from '../../../shared/children/children.ts';
import { count } from '../../../shared/metrics.ts';
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
export function openExtractApart(limits: Partial<ExtractLimits> = {}): { extract: Extract; close(): Promise<void> } {
  const { deadlineMs, memoryMb } = { ...LIMITS, ...limits };
  const file = compiled(new URL('./child.ts', import.meta.url));
  const children: Children<ExtractTask, Awaited<ReturnType<Extract>>> = openChildren(file, { deadlineMs, memoryMb });
  return {
    async extract(body, contentType) {
      try {
        return await children.run({ body, contentType });
      } catch (error) {
        const reason = reasonOf(error);
        if (reason === null) throw error;
        count('sidelight_parser_kills_total', { reason });
        return unavailable('too_large', reason === 'time' ? `more than ${deadlineMs / 1000} s to read` : CRASHED);
      }
    },
    close: () => children.close(),
  };
}

/** Null for what is not the page's doing. `memory`: what buffers throw that get none, and a stack that has grown too high. */
function reasonOf(error: unknown): 'time' | 'crash' | 'memory' | null {
  if (error instanceof GivenUp) return error.code;
  return error instanceof Error && error.name === 'RangeError' ? 'memory' : null;
}

/** Reading one takes a tenth of a second; large PDF files take some. */
const LIMITS: ExtractLimits = { deadlineMs: 20_000, memoryMb: 1024 };
const CRASHED = 'more memory than a page may take';
