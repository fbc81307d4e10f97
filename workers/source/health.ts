/**
 * What looks at a link mean over time. In: what is known of it, what a look showed, the time. Out: what is known now, whether it
 * may be asked, and what a finding says of it. Fetches nothing and stores nothing: see `health-store.ts`.
 */
import { z } from 'zod';
import { UnavailableReason } from '../../shared/citation.ts';

/** Times are milliseconds since 1970. */
export const Health = z.object({
  /** `blocked`: the site refused, and says nothing of the page. `dead`: failed often and long enough (`isDead`). */
  state: z.enum(['unknown', 'live', 'failing', 'blocked', 'dead']),
  /** Why the last look gave nothing to read; null if it did. */
  reason: UnavailableReason.nullable(),
  /** Failures in a row, those within an hour of each other counted once; when the first and the last of them was. */
  failures: z.int().nonnegative(),
  failedFrom: z.int().nullable(),
  failedLast: z.int().nullable(),
  /** Refusals in a row. */
  refusals: z.int().nonnegative(),
  lookedAt: z.int().nullable(),
  /** Not asked before. */
  retryAt: z.int().nullable(),
  /** What the page showed: the hash of its text, or why it had none. Null before the first look. */
  seen: z.string().nullable(),
  /** What a person said, until it lapses. */
  correction: z
    .object({
      state: z.enum(['live', 'dead', 'blocked', 'paywall']),
      note: z.string(),
      madeAt: z.int(),
      /** What the page showed then; it lapses when the page shows something else. Null: what it shows at the next look. */
      seen: z.string().nullable(),
    })
    .nullable(),
});
export type Health = z.infer<typeof Health>;
export type Correction = NonNullable<Health['correction']>;

/** What one look at a page's own address showed. `retryAfterMs`: how long the site asked to be left alone. */
export type Look =
  | { kind: 'answered'; reason: UnavailableReason | null; seen: string }
  | { kind: 'failed'; reason: 'not_found' | 'timeout' | 'unreachable'; retryAfterMs: number | null }
  | { kind: 'refused'; retryAfterMs: number | null }
  /** It was not asked, or not to the end: robots.txt, a body that broke off. */
  | { kind: 'unseen' };

export const UNKNOWN: Health = {
  state: 'unknown',
  reason: null,
  failures: 0,
  failedFrom: null,
  failedLast: null,
  refusals: 0,
  lookedAt: null,
  retryAt: null,
  seen: null,
  correction: null,
};

/** A page that answers is alive, whether or not it can be read; a refusal says nothing of it; failures add up. */
export function observe(health: Health, look: Look, now: number): Health {
  switch (look.kind) {
    case 'answered': {
      const { reason, seen } = look;
      return { ...UNKNOWN, state: 'live', reason, lookedAt: now, seen, correction: holding(health, seen, now) };
    }
    case 'refused': {
      const refusals = health.refusals + 1;
      const retryAt = now + (look.retryAfterMs ?? Math.min(HOUR * 8 ** (refusals - 1), WEEK));
      const correction = inForce(health, now);
      return { ...health, state: 'blocked', reason: 'blocked', refusals, lookedAt: now, retryAt, correction };
    }
    case 'failed':
      return fail(health, look, now);
    case 'unseen':
      return { ...health, lookedAt: now };
  }
}

/** What a person says counts until the page changes, or for 90 days; `clear` takes it back. What failed before is forgotten. */
export function correct(health: Health, state: Correction['state'] | 'clear', note: string, now: number): Health {
  const { seen, lookedAt } = health;
  const correction = state === 'clear' ? null : { state, note, madeAt: now, seen };
  return { ...UNKNOWN, lookedAt, seen, correction };
}

/** What a person said that still holds. */
export function inForce({ correction }: Health, now: number): Correction | null {
  return correction !== null && now - correction.madeAt < CORRECTION_MS ? correction : null;
}

/** Why the address is not to be asked now, and when it may be; null if it may be. */
export function whyNotAsked(health: Health, now: number): { reason: 'dead' | 'blocked'; until: number } | null {
  const said = inForce(health, now);
  if (said?.state === 'dead' || said?.state === 'blocked') {
    const until = Math.max(said.madeAt, health.lookedAt ?? 0) + WEEK;
    return now < until ? { reason: said.state, until } : null;
  }
  if (health.retryAt === null || now >= health.retryAt) return null;
  if (health.state === 'blocked' || health.state === 'dead') return { reason: health.state, until: health.retryAt };
  return { reason: 'blocked', until: health.retryAt };
}

/** When it is to be looked at again though no citation asks; null: not at all. */
export function dueAt(health: Health, now: number): number | null {
  const said = inForce(health, now);
  if (said?.state === 'live' || said?.state === 'paywall') return null;
  const last = Math.max(health.lookedAt ?? 0, said?.madeAt ?? 0);
  if (said !== null || health.state === 'dead' || health.state === 'blocked') {
    return Math.max(last + WEEK, health.retryAt ?? 0);
  }
  return health.state === 'failing' ? Math.max(last + FAILING_MS, health.retryAt ?? 0) : null;
}

function fail(health: Health, { reason, retryAfterMs: pause }: Extract<Look, { kind: 'failed' }>, now: number): Health {
  const isNew = health.failedLast === null || now - health.failedLast >= HOUR;
  const correction = reason === 'not_found' ? holding(health, reason, now) : inForce(health, now);
  const failed = {
    ...health,
    reason,
    failures: health.failures + (isNew ? 1 : 0),
    failedFrom: health.failedFrom ?? now,
    failedLast: isNew ? now : health.failedLast,
    refusals: 0,
    lookedAt: now,
    seen: reason === 'not_found' ? reason : health.seen,
    correction,
  };
  const state = correction?.state !== 'live' && isDead(failed) ? 'dead' : 'failing';
  const retryAt = pause !== null ? now + pause : state === 'dead' ? now + WEEK : null;
  return { ...failed, state, retryAt };
}

/** Three failures at least, of which the first and the last are three days apart at least. */
function isDead({ failures, failedFrom, failedLast }: Health): boolean {
  return failures >= 3 && failedFrom !== null && failedLast !== null && failedLast - failedFrom >= 3 * DAY;
}

/** What a person said, unless the page shows something else by now. */
function holding(health: Health, seen: string, now: number): Correction | null {
  const said = inForce(health, now);
  if (said === null || said.seen === null) return said && { ...said, seen };
  return said.seen === seen ? said : null;
}

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** Two looks later the first failure is three days ago. */
const FAILING_MS = 1.5 * DAY;
const CORRECTION_MS = 90 * DAY;
