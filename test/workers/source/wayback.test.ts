import { originalOfArchived } from '../../../shared/url.ts';
import { archivedAt, originalOfArchiveToday, parseSnapshot } from '../../../workers/source/wayback.ts';

const page = 'http://ferry.example/a?b=1';

test.each(['https://web.archive.org/web/20120304050607/', 'http://archive.org/web/20120304050607id_/'])(
  '%s names a snapshot',
  (prefix) => {
    expect(parseSnapshot(prefix + page)).toEqual({ timestamp: '20120304050607', url: page });
  },
);

test.each([
  ['https://web.archive.org/web/2020/ferry.example/a', '2020', 'http://ferry.example/a'],
  ['https://web.archive.org/web/2020/ferry.example:8080/a', '2020', 'http://ferry.example:8080/a'],
  ['https://web.archive.org/web/20200102/http:/ferry.example/a', '20200102', 'http://ferry.example/a'],
  ['//web.archive.org/web/2020if_/https://ferry.example/a', '2020', 'https://ferry.example/a'],
  ['https://web.archive.org:443/web/2020/https://ferry.example/', '2020', 'https://ferry.example/'],
  ['http://www.archive.org/web/2020/ferry.example', '2020', 'http://ferry.example'],
])('%s is a snapshot too', (address, timestamp, url) => {
  expect(parseSnapshot(address)).toEqual({ timestamp, url });
  expect(originalOfArchived(address)).toBe(url);
});

test.each([
  page,
  'https://web.archive.org/web/ferry.example/a',
  `https://web.archive.org/web/*/${page}`,
  'https://web.archive.org/web/2012/http://[bad',
  `https://archive.ph/2012/${page}`,
  '',
])('%s does not', (address) => {
  expect(parseSnapshot(address)).toBeNull();
});

test.each([
  ['20120304050607', '2012-03-04T05:06:07.000Z'],
  ['2012', '2012-01-01T00:00:00.000Z'],
  ['20121399', '2012-01-01T00:00:00.000Z'],
])('the timestamp %s is the time %s', (timestamp, time) => {
  expect(archivedAt({ timestamp, url: page })).toBe(time);
});

test('an archive.today address gives its page where it names it', () => {
  expect(originalOfArchiveToday(`https://archive.is/20120304/${page}`)).toBe(page);
  expect(originalOfArchiveToday('https://archive.ph/AbCdE')).toBeNull();
  expect(originalOfArchiveToday('https://archive.ph/2012/http://[bad')).toBeNull();
  expect(originalOfArchiveToday(page)).toBeUndefined();
});
