import type { Edit, LogEntry } from '../../bot/recent-changes/change.ts';
import { select } from '../../bot/select.ts';

const edit: Edit = {
  kind: 'edit',
  title: 'Orrin Bay',
  namespace: 0,
  bot: false,
  time: '2026-09-21T14:13:20Z',
  pageId: 7,
  revision: 12,
  previous: 11,
  tags: [],
  redirect: false,
};
const { revision: _revision, previous: _previous, tags: _tags, redirect: _redirect, ...base } = edit;
const deletion: LogEntry = { ...base, kind: 'log', logId: 5, logType: 'delete', logAction: 'delete' };
const rules = { includeBots: false };
const taken = { take: true, scope: 'touched' };
const followed = { take: true, scope: 'none' };
const skipped = (reason: string) => ({ take: false, reason });

test('edits of articles and new articles are taken', () => {
  expect(select(edit, rules)).toEqual(taken);
  expect(select({ ...edit, previous: null }, rules)).toEqual(taken);
});

test('pages that are no articles are left alone', () => {
  for (const namespace of [-1, 1, 2, 10, 118])
    expect(select({ ...edit, namespace }, rules)).toEqual(skipped('namespace'));
});

test('bots are followed only when asked for', () => {
  expect(select({ ...edit, bot: true }, rules)).toEqual(skipped('bot'));
  expect(select({ ...edit, bot: true }, { includeBots: true })).toEqual(taken);
});

test('an edit that undoes another brings nothing to verify, but findings follow it', () => {
  for (const tag of ['mw-rollback', 'mw-undo', 'mw-manual-revert']) {
    expect(select({ ...edit, tags: ['visualeditor', tag] }, rules)).toEqual(followed);
  }
  expect(select({ ...edit, tags: ['visualeditor'] }, rules)).toEqual(taken);
});

test('an edit that was undone is left alone', () => {
  expect(select({ ...edit, tags: ['mw-reverted'] }, rules)).toEqual(skipped('reverted'));
});

test('an article that becomes a redirect has nothing to verify, but its findings end', () => {
  expect(select({ ...edit, redirect: true }, rules)).toEqual(followed);
});

test('what the feed does not tell counts as harmless', () => {
  expect(select({ ...edit, tags: null, redirect: null, pageId: null }, rules)).toEqual(taken);
});

test('of log entries only those count that may take an article away, by whomever', () => {
  expect(select(deletion, rules)).toEqual(taken);
  expect(select({ ...deletion, bot: true }, rules)).toEqual(taken);
  expect(select({ ...deletion, logType: 'move', logAction: 'move' }, rules)).toEqual(taken);
  expect(select({ ...deletion, logAction: 'restore' }, rules)).toEqual(skipped('log'));
  expect(select({ ...deletion, logType: 'protect', logAction: 'protect' }, rules)).toEqual(skipped('log'));
  expect(select({ ...deletion, namespace: 1 }, rules)).toEqual(skipped('namespace'));
});
