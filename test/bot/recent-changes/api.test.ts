import { createApiFeed } from '../../../bot/recent-changes/api.ts';
import { changeId } from '../../../bot/recent-changes/change.ts';
import { createWiki } from '../../../bot/wiki.ts';
import { TransientError } from '../../../shared/errors.ts';
import { createLogger } from '../../../shared/logger.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { changes, collect, isEdit, isEditOf, revisions } from '../collect.ts';
import { apiEdit, isoTime } from '../examples.ts';
import { configOf, type Editor, signIn } from '../wiki-editor.ts';

const log = createLogger('silent', 'test');
const backoff = { firstMs: 1, maxMs: 4 };
const start = { time: isoTime(-1), eventId: null };

test('one answer after the other is read to its end, and the cursor is the time of the latest change', async () => {
  const asked: (string | null)[] = [];
  const pages: Record<string, { rows: unknown[]; next: string | null }> = {
    first: { rows: [apiEdit(1), apiEdit(2, { timestamp: isoTime(20) })], next: 'second' },
    second: { rows: [apiEdit(3)], next: null },
  };
  const recentChanges = async (_since: string, next: string | null) => {
    asked.push(next);
    return pages[next ?? 'first'] ?? { rows: [], next: null };
  };
  const steps = await collect(createApiFeed({ wiki: { recentChanges }, log }), start, isEdit(3));
  expect(revisions(steps)).toEqual([1, 2, 3]);
  expect(asked).toEqual([null, 'second']);
  expect(steps.at(-1)?.cursor).toEqual({ time: isoTime(20), eventId: null });
});

test('a malformed row is told with its field, and the rest goes on', async () => {
  const rows = [apiEdit(1, { revid: 'x' }), null, apiEdit(2)];
  const wiki = { recentChanges: async () => ({ rows, next: null }) };
  const steps = await collect(createApiFeed({ wiki, log }), start, isEdit(2));
  expect(steps.slice(0, 2)).toMatchObject([
    { kind: 'malformed', field: 'revid' },
    { kind: 'malformed', field: 'event' },
  ]);
});

test('a malformed row is told once, however often the wiki tells it, and the cursor passes it', async () => {
  const broken = apiEdit(1, { revid: 'x', timestamp: isoTime(30) });
  const answers = [
    [broken, null],
    [broken, null, apiEdit(2)],
    [broken, apiEdit(3)],
  ];
  const asked: string[] = [];
  const recentChanges = async (since: string) => {
    asked.push(since);
    return { rows: answers[asked.length - 1] ?? [], next: null };
  };
  const steps = await collect(createApiFeed({ wiki: { recentChanges }, log, intervalMs: 1 }), start, isEdit(3));
  expect(steps.map((step) => step.kind)).toEqual(['malformed', 'malformed', 'change', 'change']);
  expect(steps[0]?.cursor.time).toBe(isoTime(30));
  expect(asked[1]).toBe(new Date(Date.parse(isoTime(30)) - 10_000).toISOString());
});

test('a wiki that is away is asked again, for the same changes', async () => {
  const asked: (string | null)[] = [];
  const recentChanges = async (_since: string, next: string | null) => {
    asked.push(next);
    if (asked.length === 2) throw new TransientError('away');
    return next === null ? { rows: [apiEdit(1)], next: 'more' } : { rows: [apiEdit(2)], next: null };
  };
  const steps = await collect(createApiFeed({ wiki: { recentChanges }, log, backoff }), start, isEdit(2));
  expect(revisions(steps)).toEqual([1, 2]);
  expect(asked).toEqual([null, 'more', 'more']);
});

describe('of a wiki that was not listened to for long', () => {
  const monthsAgo = { time: isoTime(-100 * 24 * 60), eventId: null };

  /** What is logged as lost where this is the oldest change that the wiki has. */
  async function lost(oldest: object): Promise<object[]> {
    const told: object[] = [];
    const warn = (fields: object) => told.push(fields);
    const wiki = { recentChanges: async () => ({ rows: [apiEdit(1, oldest)], next: null }) };
    const listener = { ...log, warn } as unknown as typeof log; // its other methods are pino's
    await collect(createApiFeed({ wiki, log: listener }), monthsAgo, isEdit(1));
    return told;
  }

  test('the changes that it no longer keeps are logged as lost, with the length of the gap', async () => {
    const to = isoTime(-90 * 24 * 60);
    expect(await lost({ timestamp: to })).toEqual([{ from: monthsAgo.time, to, hours: 240 }]);
  });

  test('nothing is lost where it keeps older ones, or all there ever were', async () => {
    expect(await lost({ timestamp: isoTime(-101 * 24 * 60) })).toEqual([]);
    expect(await lost({ timestamp: isoTime(-90 * 24 * 60), rcid: 1 })).toEqual([]);
  });
});

describeWith(['wiki'], 'the API of a real wiki', () => {
  let server: TestWiki;
  let editor: Editor;

  beforeAll(async () => {
    server = await startWiki();
    editor = await signIn(server);
  });
  afterAll(() => server?.stop());

  function feed() {
    return createApiFeed({ wiki: createWiki(configOf(server)), log, intervalMs: 10, backoff });
  }

  test('tells edits, new pages and deletions, also those made while it listens', async () => {
    const from = { time: new Date().toISOString(), eventId: null };
    const first = await editor.save('Curlew', 'one');
    const second = await editor.save('Curlew', 'two');
    const steps = await collect(feed(), from, isEditOf('Whimbrel'), async () => {
      await editor.delete('Curlew');
      await editor.save('Whimbrel', 'three');
    });
    const told = new Map(changes(steps).map((change) => [changeId(change), change]));
    const ours = [...told.values()].filter(({ title }) => ['Curlew', 'Whimbrel'].includes(title));
    expect(ours).toMatchObject([
      { kind: 'edit', revision: first, previous: null, tags: [], redirect: false, namespace: 0 },
      { kind: 'edit', revision: second, previous: first },
      { kind: 'log', logType: 'delete', logAction: 'delete', title: 'Curlew' },
      { kind: 'edit', title: 'Whimbrel' },
    ]);
    expect(ours.every((change) => change.pageId !== null)).toBe(true);
  });

  test('is followed from its first edit on, and nothing is logged as lost', async () => {
    const told: object[] = [];
    const listener = { ...log, warn: (fields: object) => told.push(fields) } as unknown as typeof log; // its other methods are pino's
    const last = await editor.save('Sanderling', 'one');
    const wiki = createWiki(configOf(server));
    const from = { time: '2001-01-15T00:00:00Z', eventId: null };
    const steps = await collect(createApiFeed({ wiki, log: listener, backoff }), from, isEdit(last));
    expect(steps.length).toBeGreaterThan(1);
    expect(told).toEqual([]);
  });

  test('goes on from a cursor: changes of its last seconds come again, none is left out', async () => {
    const old = await editor.save('Dunlin', 'one');
    const steps = await collect(feed(), { time: new Date().toISOString(), eventId: null }, isEdit(old));
    const next = await editor.save('Dunlin', 'two');
    const again = await collect(feed(), steps.at(-1)?.cursor ?? start, isEdit(next));
    expect(revisions(again)).toEqual(expect.arrayContaining([old, next]));
  });
});
