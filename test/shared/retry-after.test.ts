import { retryAfterMs } from '../../shared/retry-after.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.parse('2026-03-01T00:00:00Z');

test.each([
  ['120', 120_000],
  ['0', 0],
  [' 3 ', 3000],
  ['99999999', 7 * DAY],
  ['Sun, 01 Mar 2026 01:00:00 GMT', HOUR],
  ['Sat, 28 Feb 2026 01:00:00 GMT', 0],
  ['soon', null],
  ['Soon', null],
  ['-5', null],
  ['', null],
  [undefined, null],
])('Retry-After: %s is %s ms', (header, ms) => {
  expect(retryAfterMs(header, start)).toBe(ms);
});
