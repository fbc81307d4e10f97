/** A `Retry-After` header → how long to wait (RFC 9110, section 10.2.3). In: the header, the time. Waits for nothing. */

/** Milliseconds from `now` (ms since 1970) on, a week at most; null if there is none that can be read. */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) - now : NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), WEEK_MS);
}

const WEEK_MS = 7 * 24 * 3600 * 1000;
