import {
  correct,
  dueAt,
  type Health,
  Health as HealthSchema,
  inForce,
  type Look,
  observe,
  UNKNOWN,
  whyNotAsked,
} from '../../../workers/source/health.ts';

const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const start = Date.parse('2026-03-01T00:00:00Z');
const at = (days: number) => start + days * DAY;

const gone: Look = { kind: 'failed', reason: 'not_found', retryAfterMs: null };
const away: Look = { kind: 'failed', reason: 'unreachable', retryAfterMs: null };
const refused: Look = { kind: 'refused', retryAfterMs: null };
const shown = (seen: string): Look => ({ kind: 'answered', reason: null, seen });

/** Looks by the day on which each was taken. */
function after(...looks: [days: number, look: Look][]): Health {
  const health = looks.reduce((known, [days, look]) => observe(known, look, at(days)), UNKNOWN);
  return HealthSchema.parse(health);
}

test('a link is dead after three failures, the first and the last three days apart', () => {
  expect(after([0, gone])).toMatchObject({ state: 'failing', reason: 'not_found', failures: 1 });
  expect(after([0, gone], [1.5, gone]).state).toBe('failing');
  expect(after([0, gone], [1.5, away], [3, gone])).toMatchObject({ state: 'dead', failures: 3 });
});

test.each<[string, ...[number, Look][]]>([
  ['one look', [0, gone]],
  ['two failures, however far apart', [0, gone], [30, gone]],
  ['many failures in less than three days', [0, gone], [0.5, gone], [1, gone], [2, gone], [2.99, gone]],
  ['failures of one outage, which count once', [0, away], [0.01, away], [0.02, away], [3, away]],
  ['refusals', [0, refused], [2, refused], [4, refused], [6, refused]],
  ['failures with a success among them', [0, gone], [2, gone], [3, shown('a')], [5, gone], [7, gone]],
])('%s: not dead', (_name, ...looks) => {
  expect(after(...looks).state).not.toBe('dead');
});

test('a refusal neither counts nor makes forget what failed', () => {
  expect(after([0, gone], [1, refused], [2, gone])).toMatchObject({ state: 'failing', failures: 2 });
  expect(after([0, gone], [1, refused], [2, gone], [3, gone]).state).toBe('dead');
});

test('a page that answers is alive, though it can not be read, and what failed before is forgotten', () => {
  const paywall: Look = { kind: 'answered', reason: 'paywall', seen: 'a' };
  const health = after([0, gone], [2, gone], [4, gone], [11, paywall]);
  expect(health).toMatchObject({ state: 'live', reason: 'paywall', failures: 0, failedFrom: null, retryAt: null });
});

test('a dead link is not asked for a week, then it is, and one more failure keeps it dead', () => {
  const health = after([0, gone], [2, gone], [3, gone]);
  expect(whyNotAsked(health, at(9.9))).toEqual({ reason: 'dead', until: at(10) });
  expect(dueAt(health, at(4))).toBe(at(10));
  expect(whyNotAsked(health, at(10))).toBeNull();
  expect(observe(health, gone, at(10))).toMatchObject({ state: 'dead', retryAt: at(17) });
});

test('a site that refuses is left alone for as long as it says', () => {
  const health = after([0, { kind: 'refused', retryAfterMs: 2 * HOUR }]);
  expect(health).toMatchObject({ state: 'blocked', retryAt: start + 2 * HOUR, failures: 0 });
  expect(whyNotAsked(health, start + HOUR)).toEqual({ reason: 'blocked', until: start + 2 * HOUR });
  expect(whyNotAsked(health, start + 2 * HOUR)).toBeNull();
});

test('a site that goes on refusing and names no time is left alone for longer, a week at most', () => {
  let health = UNKNOWN;
  const pauses = [0, 1, 2, 3, 4].map(() => {
    const now = health.retryAt ?? start;
    health = observe(health, refused, now);
    return ((health.retryAt ?? 0) - now) / HOUR;
  });
  expect(pauses).toEqual([1, 8, 64, 168, 168]);
  expect(dueAt(health, start)).toBe((health.lookedAt ?? 0) + 7 * DAY);
});

test('a failing link is due again in time to be known as dead, and one that is live never', () => {
  const first = after([0, gone]);
  const second = observe(first, gone, dueAt(first, start) ?? 0);
  const third = observe(second, gone, dueAt(second, start) ?? 0);
  expect(third.state).toBe('dead');
  expect(dueAt(after([0, shown('a')]), start)).toBeNull();
});

test('a site that is down and says until when is not asked before, and its failure counts', () => {
  const health = after([0, { ...away, retryAfterMs: HOUR }]);
  expect(health).toMatchObject({ state: 'failing', failures: 1 });
  expect(whyNotAsked(health, start)).toEqual({ reason: 'blocked', until: start + HOUR });
});

test('what a person says holds until the page changes', () => {
  const corrected = correct(after([0, shown('parked')]), 'dead', 'a shop now', at(1));
  expect(inForce(corrected, at(2))).toMatchObject({ state: 'dead', note: 'a shop now' });
  expect(whyNotAsked(corrected, at(2))).toEqual({ reason: 'dead', until: at(8) });
  expect(inForce(observe(corrected, shown('parked'), at(8)), at(8))).not.toBeNull();
  expect(inForce(observe(corrected, shown('an article'), at(8)), at(8))).toBeNull();
  expect(inForce(observe(corrected, gone, at(8)), at(8))).toBeNull();
});

test('a network that fails or a site that refuses is no change of the page', () => {
  const corrected = correct(after([0, shown('teaser')]), 'paywall', '', at(1));
  const later = observe(observe(corrected, away, at(2)), refused, at(3));
  expect(inForce(later, at(4))?.state).toBe('paywall');
});

test('what a person says of a page that was never looked at is about what the next look shows', () => {
  const corrected = observe(correct(UNKNOWN, 'paywall', '', at(0)), shown('teaser'), at(1));
  expect(inForce(corrected, at(2))?.seen).toBe('teaser');
  expect(inForce(observe(corrected, shown('all of it'), at(3)), at(3))).toBeNull();
});

test('what a person says lapses after 90 days, and can be taken back', () => {
  const corrected = correct(after([0, shown('a')]), 'blocked', '', at(0));
  expect(inForce(corrected, at(89.9))).not.toBeNull();
  expect(inForce(corrected, at(90))).toBeNull();
  expect(whyNotAsked(corrected, at(90))).toBeNull();
  expect(correct(corrected, 'clear', '', at(1))).toEqual({ ...UNKNOWN, lookedAt: start, seen: 'a' });
});

test('a link that a person calls live is never called dead, however often it fails for us', () => {
  const corrected = correct(after([0, gone], [2, gone], [3, gone]), 'live', '', at(4));
  expect(whyNotAsked(corrected, at(4))).toBeNull();
  const later = [5, 8, 11, 14].reduce((health, days) => observe(health, gone, at(days)), corrected);
  expect(later).toMatchObject({ state: 'failing', failures: 4 });
});
