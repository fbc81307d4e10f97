import { NO_MARKS } from '../../../workers/source/extract/marks.ts';
import { reasonOfPage, reasonOfStatus, type Shown } from '../../../workers/source/unavailable.ts';

const url = 'https://news.example/2020/ferry';
const short = 'The ferry carried many passengers.';
const long = `${short} `.repeat(200);
const shown = (changes: Partial<Shown>): Shown => ({
  requestedUrl: url,
  finalUrl: url,
  title: 'The ferry',
  text: long,
  marks: NO_MARKS,
  ...changes,
});
const reason = (changes: Partial<Shown>) => reasonOfPage(shown(changes));

test.each([
  [200, null],
  [203, null],
  [204, 'truncated'],
  [206, 'truncated'],
  [304, 'unreachable'],
  [401, 'login'],
  [402, 'paywall'],
  [400, 'not_found'],
  [403, 'blocked'],
  [404, 'not_found'],
  [410, 'not_found'],
  [429, 'blocked'],
  [451, 'blocked'],
  [500, 'unreachable'],
  [406, 'blocked'],
  [503, 'unreachable'],
  [999, 'blocked'],
])('status %s means %s', (status, expected) => {
  expect(reasonOfStatus(status)).toBe(expected);
});

test('an ordinary page is readable, long or short', () => {
  expect(reason({})).toBeNull();
  expect(reason({ text: short })).toBeNull();
});

test('little more than a cookie notice is consent; an article about cookies is not', () => {
  expect(reason({ text: 'We use cookies. Accept all or choose.' })).toBe('consent');
  expect(reason({ text: `We accept cookies. ${long}` })).toBeNull();
  expect(reason({ finalUrl: 'https://consent.news.example/?back=1' })).toBe('consent');
});

test('a redirect to a login page, or a password field and little else, is a login', () => {
  expect(reason({ finalUrl: 'https://news.example/login?back=ferry' })).toBe('login');
  expect(reason({ text: short, marks: { ...NO_MARKS, passwordField: true } })).toBe('login');
  expect(reason({ marks: { ...NO_MARKS, passwordField: true } })).toBeNull();
});

test('a redirect to the front page, or a short page that says so, is not found', () => {
  expect(reason({ finalUrl: 'https://news.example/' })).toBe('not_found');
  expect(reason({ finalUrl: 'https://news.example/index.html' })).toBe('not_found');
  expect(reason({ title: 'Page not found', text: short })).toBe('not_found');
  expect(reason({ title: 'Page not found' })).toBeNull();
  expect(reason({ requestedUrl: 'http://ferry.example/', finalUrl: 'https://www.ferry.example/en/' })).toBeNull();
});

test('a check for robots is blocked', () => {
  expect(reason({ title: 'Just a moment...', text: 'Checking your browser.' })).toBe('blocked');
});

test('text that is marked as not free, or stops at an offer, is a paywall; a full text is not', () => {
  expect(reason({ text: short, marks: { ...NO_MARKS, accessibleForFree: false } })).toBe('paywall');
  expect(reason({ text: short, marks: { ...NO_MARKS, paywall: true } })).toBe('paywall');
  expect(reason({ text: `${short} Subscribe to continue reading.` })).toBe('paywall');
  expect(reason({ marks: { ...NO_MARKS, accessibleForFree: false } })).toBeNull();
});

test('a record of a library catalogue is a catalogue page', () => {
  expect(reason({ finalUrl: 'https://www.worldcat.org/title/123' })).toBe('catalogue');
  expect(reason({ finalUrl: 'https://books.google.co.uk/books?id=1' })).toBe('catalogue');
});

test('scripts without text, or a text that asks for them, are a script shell', () => {
  expect(reason({ text: '', marks: { ...NO_MARKS, scripts: 1 } })).toBe('script_shell');
  const asks = 'You need to enable JavaScript to run this app, which shows all the departures of the ferries here.';
  expect(reason({ text: asks, marks: { ...NO_MARKS, scripts: 3 } })).toBe('script_shell');
  expect(reason({ text: '' })).toBeNull();
});

test.each([
  [503, { 'cf-mitigated': 'challenge' }],
  [401, { 'x-datadome': 'protected' }],
  [202, { 'x-amzn-waf-action': 'challenge' }],
])('status %s with %j is a check for robots', (status, headers) => {
  expect(reasonOfStatus(status, headers)).toBe('blocked');
});

test('a page that is missing behind a check for robots is missing all the same', () => {
  expect(reasonOfStatus(404, { 'x-datadome': 'protected' })).toBe('not_found');
});

test('Chinese counts by its characters: a news item of one paragraph is no shell', () => {
  const text = '星期日凌晨，一艘载有四人的渔船在小科兰岛附近海域搁浅。四人全部被救生艇救起，无人受伤。';
  expect(reason({ text, marks: { ...NO_MARKS, scripts: 9, shown: text } })).toBeNull();
});
