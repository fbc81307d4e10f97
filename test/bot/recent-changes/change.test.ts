import { changeId, parseApiChange, parseFeedEvent } from '../../../bot/recent-changes/change.ts';
import { parseJson } from '../../../shared/json.ts';
import { apiDeletion, apiEdit, feedDeletion, feedEdit } from '../examples.ts';

test('an edit is the same change whichever feed tells it', () => {
  const heard = parseFeedEvent(feedEdit(12));
  const asked = parseApiChange(apiEdit(12));
  if (heard.kind !== 'change' || asked.kind !== 'change') throw new Error('does not parse');
  expect(heard.change).toMatchObject({ kind: 'edit', revision: 12, previous: 11, title: 'Orrin Bay', pageId: null });
  expect(asked.change).toMatchObject({ kind: 'edit', revision: 12, previous: 11, title: 'Orrin Bay', pageId: 7 });
  expect(changeId(heard.change)).toBe(changeId(asked.change));
});

test('a new page has no revision before it, whether the feed says null or 0', () => {
  const heard = parseFeedEvent(feedEdit(12, { type: 'new', revision: { old: null, new: 12 } }));
  const asked = parseApiChange(apiEdit(12, { type: 'new', old_revid: 0 }));
  expect(heard).toMatchObject({ change: { kind: 'edit', previous: null } });
  expect(asked).toMatchObject({ change: { kind: 'edit', previous: null } });
});

test('a deletion is the same log entry whichever feed tells it', () => {
  const expected = { kind: 'change', change: { kind: 'log', logId: 5, logType: 'delete', logAction: 'delete' } };
  expect(parseFeedEvent(feedDeletion(5))).toMatchObject(expected);
  expect(parseApiChange(apiDeletion(5))).toMatchObject(expected);
});

test('times keep their second', () => {
  expect(parseFeedEvent(feedEdit(1, { timestamp: 1_790_000_000 }))).toMatchObject({
    change: { time: '2026-09-21T14:13:20Z' },
  });
});

test('categorisations and data edits of other wikis are no changes', () => {
  expect(parseFeedEvent(feedEdit(12, { type: 'categorize' }))).toEqual({ kind: 'other' });
  expect(parseFeedEvent(feedEdit(12, { type: 'external' }))).toEqual({ kind: 'other' });
});

test('a log entry that administrators hid has no title, and is nothing of ours', () => {
  const { title: _title, pageid: _page, logid: _log, logtype: _type, ...hidden } = apiDeletion(5);
  expect(parseApiChange({ ...hidden, actionhidden: true })).toEqual({ kind: 'other' });
});

test('an edit comes with its size before and after, where the feed tells it', () => {
  const size = { before: 10, after: 20 };
  expect(parseFeedEvent(feedEdit(12))).toMatchObject({ change: { size, minor: false } });
  expect(parseApiChange(apiEdit(12, { oldlen: 10, newlen: 20, minor: true }))).toMatchObject({
    change: { size, minor: true },
  });
  expect(parseFeedEvent(feedEdit(12, { type: 'new', length: { old: null, new: 20 } }))).toMatchObject({
    change: { size: { before: 0, after: 20 } },
  });
  expect(parseApiChange(apiEdit(12))).toMatchObject({ change: { size: null } });
});

test('what is no JSON object is malformed', () => {
  for (const text of ['', '{"type":', 'null', '[]', '"edit"', '7']) {
    expect(parseFeedEvent(parseJson(text))).toMatchObject({ kind: 'malformed' });
  }
});

const WRONG = [undefined, null, '', 'x', -1, 1.5, 1e300, true, [], {}, [null], { new: 'x', old: [] }];
const samples = [
  {
    name: 'feed edit',
    parse: parseFeedEvent,
    event: feedEdit(12),
    needs: ['type', 'title', 'namespace', 'bot', 'timestamp', 'revision'],
  },
  {
    name: 'feed log entry',
    parse: parseFeedEvent,
    event: feedDeletion(5),
    needs: ['title', 'timestamp', 'log_id', 'log_type', 'log_action'],
  },
  {
    name: 'API edit',
    parse: parseApiChange,
    event: apiEdit(12),
    needs: ['type', 'title', 'ns', 'bot', 'timestamp', 'revid', 'tags', 'redirect'],
  },
  {
    name: 'API log entry',
    parse: parseApiChange,
    event: apiDeletion(5),
    needs: ['title', 'timestamp', 'logid', 'logtype', 'logaction'],
  },
];

test.each(samples)('$name: any field of any other type is harmless, or malformed and named', ({ parse, event }) => {
  for (const field of Object.keys(event)) {
    for (const value of WRONG) {
      const parsed = parse({ ...event, [field]: value });
      if (parsed.kind === 'malformed') expect(parsed.field.split('.')[0]).toBe(field);
    }
  }
});

test.each(samples)('$name: a field that is needed and missing is named', ({ parse, event, needs }) => {
  for (const field of needs) expect(parse({ ...event, [field]: undefined })).toEqual({ kind: 'malformed', field });
});

test('a field inside another is named by its path', () => {
  expect(parseFeedEvent(feedEdit(12, { revision: { old: 11 } }))).toEqual({ kind: 'malformed', field: 'revision.new' });
});
