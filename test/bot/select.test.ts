import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogEntry } from '../../bot/recent-changes/change.ts';
import { DEFAULT_RULES, type Rule, readRules } from '../../bot/rules.ts';
import { type Facts, select } from '../../bot/select.ts';
import { RefuseToStart } from '../../shared/errors.ts';

const edit: Facts = {
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
  minor: false,
  size: { before: 900, after: 1000 },
  protection: [],
};
const deletion: LogEntry = {
  kind: 'log',
  title: 'Orrin Bay',
  namespace: 0,
  bot: false,
  time: '2026-09-21T14:13:20Z',
  pageId: 7,
  logId: 5,
  logType: 'delete',
  logAction: 'delete',
};
const rules = DEFAULT_RULES;
const checked = { take: true, scope: 'touched', reverts: false, reason: null };
const followed = (reason: string | null, reverts = false) => ({ take: true, scope: 'none', reverts, reason });
const skipped = (reason: string) => ({ take: false, reason });

test('edits of articles and new articles are checked', () => {
  expect(select(edit, rules)).toEqual(checked);
  expect(select({ ...edit, previous: null, size: { before: 0, after: 90 } }, rules)).toEqual(checked);
});

test('pages that are no articles are left alone, drafts by their own name', () => {
  for (const namespace of [-1, 1, 2, 10]) expect(select({ ...edit, namespace }, rules)).toEqual(skipped('namespace'));
  expect(select({ ...edit, namespace: 118 }, rules)).toEqual(skipped('draft'));
});

test('bots are followed only when asked for', async () => {
  expect(select({ ...edit, bot: true }, rules)).toEqual(skipped('bot'));
  expect(select({ ...edit, bot: true }, await readRules(null, { includeBots: true }))).toEqual(checked);
});

test('an edit that undoes another brings nothing to verify, but findings follow it', () => {
  for (const tag of ['mw-rollback', 'mw-undo', 'mw-manual-revert']) {
    expect(select({ ...edit, tags: ['visualeditor', tag] }, rules)).toEqual(followed('revert', true));
  }
  expect(select({ ...edit, tags: ['visualeditor'] }, rules)).toEqual(checked);
});

test('an edit that was undone is left alone', () => {
  expect(select({ ...edit, tags: ['mw-reverted'] }, rules)).toEqual(skipped('reverted'));
});

test('redirects, emptied pages, and pages that only administrators edit have nothing to verify, but their findings follow', () => {
  expect(select({ ...edit, redirect: true }, rules)).toEqual(followed('redirect'));
  expect(select({ ...edit, size: { before: 900, after: 0 } }, rules)).toEqual(followed('emptied'));
  expect(select({ ...edit, protection: ['sysop'] }, rules)).toEqual(followed('protected'));
  expect(select({ ...edit, protection: ['autoconfirmed'] }, rules)).toEqual(checked);
});

test('a minor edit is left to findings where it is small too; a small one alone may change a year', () => {
  expect(select({ ...edit, minor: true, size: { before: 1000, after: 998 } }, rules)).toEqual(followed('minor'));
  expect(select({ ...edit, minor: true }, rules)).toEqual(checked);
  expect(select({ ...edit, size: { before: 1000, after: 1000 } }, rules)).toEqual(checked);
});

test('what nobody tells does not hold', () => {
  const untold = { ...edit, minor: true, tags: null, redirect: null, pageId: null, size: null, protection: null };
  expect(select(untold, rules)).toEqual(checked);
});

test('of log entries only those count that may take an article away or bring one back, by whomever', () => {
  expect(select(deletion, rules)).toEqual(followed(null));
  expect(select({ ...deletion, bot: true }, rules)).toEqual(followed(null));
  expect(select({ ...deletion, logType: 'move', logAction: 'move' }, rules)).toEqual(followed(null));
  expect(select({ ...deletion, logAction: 'restore' }, rules)).toEqual(followed(null));
  expect(select({ ...deletion, namespace: 2, logType: 'move', logAction: 'move' }, rules)).toEqual(followed(null));
  expect(select({ ...deletion, logType: 'protect', logAction: 'protect' }, rules)).toEqual(skipped('log'));
  expect(select({ ...deletion, namespace: 1 }, rules)).toEqual(skipped('namespace'));
});

test('the first rule that holds decides, and all that it names must hold', () => {
  const rule = (reason: string, when: Rule['when']): Rule => ({ reason, outcome: 'skip', when });
  const own = {
    articles: [0, 100],
    rules: [
      rule('new_and_short', { creates: true, size: { to: 500 } }),
      rule('shrunk', { grew: { to: -1 } }),
      rule('portal', { namespaces: [100], minor: false }),
    ],
  };
  expect(select({ ...edit, previous: null, size: { before: 0, after: 500 } }, own)).toEqual(skipped('new_and_short'));
  expect(select({ ...edit, previous: null, size: { before: 0, after: 501 } }, own)).toEqual(checked);
  expect(select({ ...edit, namespace: 100, size: { before: 9, after: 8 } }, own)).toEqual(skipped('shrunk'));
  expect(select({ ...edit, namespace: 100 }, own)).toEqual(skipped('portal'));
  expect(select({ ...edit, namespace: 100, minor: true }, own)).toEqual(checked);
});

describe('a file of rules', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sidelight-rules-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function read(text: string) {
    const file = join(folder, 'rules.json');
    await writeFile(file, text);
    return readRules(file, { includeBots: false });
  }

  test('takes the place of the default ones', async () => {
    expect(await read(JSON.stringify(DEFAULT_RULES))).toEqual(DEFAULT_RULES);
  });

  test('that is none is refused, and what is wrong with it named', async () => {
    const broken = { articles: [0], rules: [{ reason: 'x', outcome: 'skip', when: {} }] };
    await expect(read(JSON.stringify(broken))).rejects.toThrow(/EDIT_RULES: .*rules\.0\.when: names nothing/);
    await expect(read('{')).rejects.toThrow(new RefuseToStart(`EDIT_RULES: ${join(folder, 'rules.json')} is no JSON.`));
    await expect(readRules(join(folder, 'none'), { includeBots: false })).rejects.toThrow(RefuseToStart);
  });
});
