/**
 * Links that are due (failing, blocked or dead for long enough: `dueAt` of `health.ts`) are looked at again, some at a time and one
 * after the other. Out: their health in the store, a log line each; a page that is there again is stored, and the review service is
 * told of it, which knows whose claims to check again.
 */
import { Busy } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Next } from '../../shared/pipeline.ts';
import type { LinkReader } from './read.ts';
import type { SourceStore } from './store.ts';

export interface RetestDependencies {
  reader: Pick<LinkReader, 'look'>;
  store: Pick<SourceStore, 'links' | 'put'>;
  publish(next: readonly Next[]): Promise<void>;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** In the background, every quarter of an hour, in as many processes as there are: no link is given to two of them. */
export function startRetests(dependencies: RetestDependencies): { stop(): Promise<void> } {
  const abort = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => retestLinks(dependencies, { limit: AT_ONCE, now: Date.now() }, abort.signal))
      .catch((err: unknown) => {
        if (!abort.signal.aborted) dependencies.log.warn({ err }, 'links not looked at again');
      });
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      abort.abort();
      await running;
    },
  };
}

/** Gives how many were looked at. Throws TransientError if `signal` aborts. */
export async function retestLinks(
  { reader, store, publish, log }: RetestDependencies,
  { limit, now }: { limit: number; now: number },
  signal: AbortSignal,
): Promise<number> {
  let looked = 0;
  for (const url of await store.links.takeDue(limit, now)) {
    const before = (await store.links.get(url)).state;
    const source = await reader.look(url, signal).catch(leaveBusy);
    if (source === null) continue;
    looked += 1;
    const { state, reason } = await store.links.get(url);
    if (source.kind === 'readable') {
      const citation = await store.put(source);
      if (before !== 'live') await publish([back(citation, source.contentHash)]);
    }
    log.info({ url, before, state, reason }, 'link looked at again');
  }
  return looked;
}

function back(citation: string, contentHash: string): Next {
  return { stage: 'review', input: { kind: 'source_back', citation, contentHash } };
}

/** Its turn comes with the next round. */
function leaveBusy(error: unknown): null {
  if (error instanceof Busy) return null;
  throw error;
}

const EVERY_MS = 15 * 60 * 1000;
const AT_ONCE = 25;
