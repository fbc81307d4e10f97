/**
 * One look at a page's own address, weighed by what is known of the link: whether it is asked at all, what a failure means by now,
 * and what a person said of it. In: an address. Out: a page, or why there is none; the link's health is kept.
 */
import type { ReadableSource } from '../../shared/citation.ts';
import { retryAfterMs } from '../../shared/retry-after.ts';
import type { Extract } from './extract/extract.ts';
import { type Failure, type FetchOptions, type FetchResponse, unavailable } from './fetch.ts';
import { type Health, inForce, type Look, observe, UNKNOWN, whyNotAsked } from './health.ts';
import type { Links } from './health-store.ts';
import { toPage, type Unread } from './page.ts';

export interface LookDependencies {
  fetch(url: string, options: Pick<FetchOptions, 'signal'>): Promise<FetchResponse | Failure>;
  /** Default: nothing is known of any link, and nothing kept. */
  links: Pick<Links, 'get' | 'observe'> | undefined;
  /** Default: in this thread. */
  extract: Extract | undefined;
  now(): number;
}

export type LookAt = (url: string, signal: AbortSignal) => Promise<ReadableSource | Failure>;

export function createLook({ fetch, links = FORGETFUL, extract, now }: LookDependencies): LookAt {
  return async (url, signal) => {
    const wait = whyNotAsked(await links.get(url), now());
    if (wait !== null) return unavailable(wait.reason, `not asked before ${toIso(wait.until)}`);
    const outcome = await fetch(url, { signal });
    const read = await toPage(outcome, url, null, extract);
    const pauseMs = outcome.kind === 'response' ? retryAfterMs(outcome.headers['retry-after'], now()) : null;
    const look = lookOf(read, pauseMs);
    return meaningOf(await links.observe(url, look, now()), read, now());
  };
}

function lookOf(read: ReadableSource | Unread, pauseMs: number | null): Look {
  if (read.kind === 'readable') return { kind: 'answered', reason: null, seen: read.contentHash };
  const { reason, page } = read;
  switch (reason) {
    case 'robots':
    case 'refused_address':
    case 'invalid_url':
    case 'no_url':
    case 'truncated':
    case 'too_many_redirects':
      return { kind: 'unseen' };
    case 'dead':
    case 'not_found':
      return { kind: 'failed', reason: 'not_found', retryAfterMs: pauseMs };
    case 'timeout':
    case 'unreachable':
      return { kind: 'failed', reason, retryAfterMs: pauseMs };
    case 'blocked':
      return { kind: 'refused', retryAfterMs: pauseMs };
    default:
      return { kind: 'answered', reason, seen: page?.contentHash ?? reason };
  }
}

/** What a person said comes first; then, that a link that fails has failed for long. */
function meaningOf(health: Health, read: ReadableSource | Unread, now: number): ReadableSource | Failure {
  const said = inForce(health, now)?.state;
  if (said === 'live') return read.kind === 'unavailable' && read.page !== undefined ? read.page : notDead(read);
  if (said !== undefined) return unavailable(said, 'a person says so');
  if (read.kind === 'readable' || health.state !== 'dead') return notDead(read);
  return unavailable(
    'dead',
    `${read.detail}, and ${health.failures} failures since ${toIso(health.failedFrom ?? now)}`,
  );
}

/** One look never tells. */
function notDead(read: ReadableSource | Unread): ReadableSource | Failure {
  return read.kind === 'unavailable' && read.reason === 'dead' ? unavailable('not_found', read.detail) : read;
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}

const FORGETFUL: Pick<Links, 'get' | 'observe'> = {
  get: async () => UNKNOWN,
  observe: async (_, look, now) => observe(UNKNOWN, look, now),
};
