/**
 * Copies in the Internet Archive's Wayback Machine. In: addresses of pages and of snapshots. Out: where a snapshot lies, and
 * its bytes as they were archived. archive.today is never asked: wikis remove its links.
 */

import { z } from 'zod';
import { parseJson } from '../../shared/json.ts';
import { retryAfterMs } from '../../shared/retry-after.ts';
import { isArchiveToday, parseArchived, parseUrl } from '../../shared/url.ts';
import { type Failure, type Fetch, type FetchResponse, unavailable } from './fetch.ts';

/** One archived copy. */
export interface Snapshot {
  /** `yyyyMMddhhmmss`, or the beginning of one: the copy nearest to it is given. */
  timestamp: string;
  /** The page that was archived. */
  url: string;
}

export interface Wayback {
  /** The copy nearest to an ISO date (to now, if null) that was archived with status 200; null if there is none. */
  closest(url: string, date: string | null, signal: AbortSignal): Promise<Snapshot | null>;
  read(snapshot: Snapshot, signal: AbortSignal): Promise<{ outcome: FetchResponse | Failure; snapshot: Snapshot }>;
}

/** Of a Wayback Machine address; null for any other, and for one without a time. */
export function parseSnapshot(address: string): Snapshot | null {
  const archived = parseArchived(address);
  return archived !== null && /^\d{4,14}$/.test(archived.timestamp) ? archived : null;
}

/**
 * ISO time of a copy in any archive, where the response or its address says it (RFC 7089, and the addresses of archives that run
 * the Wayback Machine's software); null for a page that is no copy, or does not say of when.
 */
export function copiedAt({ finalUrl, headers }: Pick<FetchResponse, 'finalUrl' | 'headers'>): string | null {
  const said = new Date(headers['memento-datetime'] ?? '');
  if (!Number.isNaN(said.getTime())) return said.toISOString();
  const [, timestamp] = /\/(\d{14})(?:[a-z]{2}_)?\/https?:\/\//i.exec(finalUrl) ?? [];
  return timestamp === undefined ? null : archivedAt({ timestamp, url: '' });
}

/** ISO time of a snapshot; a timestamp that is cut short counts from the beginning of its year, month or day. */
export function archivedAt({ timestamp }: Snapshot): string {
  const [year, month, day, hour, minute, second] = [4, 6, 8, 10, 12, 14].map((end, index) =>
    timestamp.slice(index === 0 ? 0 : end - 2, end),
  );
  const iso = `${year}-${month || '01'}-${day || '01'}T${hour || '00'}:${minute || '00'}:${second || '00'}Z`;
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? `${year}-01-01T00:00:00.000Z` : time.toISOString();
}

/** The page behind an archive.today address that names it; null if it does not; undefined for any other address. */
export function originalOfArchiveToday(address: string): string | null | undefined {
  const url = parseUrl(address);
  if (url === null || !isArchiveToday(url.hostname)) return undefined;
  const original = /\/(https?:\/\/.+)$/i.exec(url.href.slice(url.origin.length))?.[1];
  return original !== undefined && parseUrl(original) !== null ? original : null;
}

/** Neither asked, nor followed to, nor read as a copy in another archive: `blocked`. */
export function withoutArchiveToday(fetch: Fetch): Fetch {
  const refuse = (address: string) => (leadsToArchiveToday(address) ? NOT_READ : null);
  return async (url, options) => {
    const admit = async (hop: URL, signal: AbortSignal) =>
      refuse(hop.href) ?? (await options.admit?.(hop, signal)) ?? null;
    const outcome = refuse(url) ?? (await fetch(url, { ...options, admit }));
    return outcome.kind === 'response' ? (refuse(outcome.finalUrl) ?? outcome) : outcome;
  };
}

/** Its own host, or that of the page that the path names. */
function leadsToArchiveToday(address: string): boolean {
  const { origin, pathname } = new URL(address);
  const hosts = [...`${origin}${pathname}`.matchAll(/https?:\/+([^/:]+)/gi)];
  return hosts.some(([, host = '']) => isArchiveToday(host));
}

/** An archive that says it is asked too often is left alone for as long as it says, by this process. */
export function createWayback({ fetch: ask, waybackUrl }: { fetch: Fetch; waybackUrl: string }): Wayback {
  const fetch = sparing(ask);
  const base = waybackUrl.replace(/\/+$/, '');
  return {
    async closest(url, date, signal) {
      const query = new URLSearchParams({ url, ...(date !== null && { timestamp: date.replaceAll('-', '') }) });
      const outcome = await fetch(`${availabilityBase(base)}/wayback/available?${query}`, { signal });
      if (outcome.kind === 'unavailable' || outcome.status !== 200) return null;
      const closest = parseAvailability(outcome.body)?.archived_snapshots.closest;
      if (closest?.available && closest.status === '200') return { timestamp: closest.timestamp, url };
      return closestOf(await fetch(`${base}/cdx/search/cdx?${cdxQuery(url, date)}`, { signal }), url);
    },
    async read(snapshot, signal) {
      // id_: the page as it was archived, without the banner and the rewritten links
      const outcome = await fetch(`${base}/web/${snapshot.timestamp}id_/${snapshot.url}`, { signal });
      if (outcome.kind === 'unavailable') return { outcome, snapshot };
      const found = parseSnapshot(outcome.finalUrl.replace(base, 'https://web.archive.org')) ?? snapshot;
      return { outcome: { ...outcome, finalUrl: `${base}/web/${found.timestamp}/${found.url}` }, snapshot: found };
    },
  };
}

function sparing(fetch: Fetch): Fetch {
  let until = 0;
  return async (url, options) => {
    if (Date.now() < until)
      return unavailable('blocked', `the archive is left alone until ${new Date(until).toISOString()}`);
    const outcome = await fetch(url, options);
    if (outcome.kind === 'response' && outcome.status === 429) {
      until = Date.now() + (retryAfterMs(outcome.headers['retry-after'], Date.now()) ?? PAUSE_MS);
    }
    return outcome;
  };
}

/**
 * The availability API looks at the nearest copy alone, be it of an error, and at times knows none of many; the index does not:
 * https://github.com/internetarchive/wayback/tree/master/wayback-cdx-server
 */
function cdxQuery(url: string, date: string | null): URLSearchParams {
  const closest = date === null ? '99991231' : date.replaceAll('-', '');
  return new URLSearchParams({ url, fl: 'timestamp', filter: 'statuscode:200', sort: 'closest', closest, limit: '1' });
}

function closestOf(outcome: FetchResponse | Failure, url: string): Snapshot | null {
  if (outcome.kind === 'unavailable' || outcome.status !== 200) return null;
  const timestamp = /^\d{14}$/m.exec(outcome.body.toString('utf8', 0, 100))?.[0];
  return timestamp === undefined ? null : { timestamp, url };
}

/** The availability API of the public archive has a host of its own: https://archive.org/help/wayback_api.php */
function availabilityBase(base: string): string {
  return base.replace(/^https?:\/\/web\.archive\.org$/, 'https://archive.org');
}

function parseAvailability(body: Buffer): z.infer<typeof Availability> | null {
  return Availability.safeParse(parseJson(body.toString())).data ?? null;
}

const PAUSE_MS = 60_000;
const NOT_READ = unavailable('blocked', 'archive.today is not read');
const Availability = z.object({
  archived_snapshots: z.object({
    closest: z
      .object({ available: z.boolean(), timestamp: z.string().regex(/^\d{4,14}$/), status: z.string() })
      .optional(),
  }),
});
