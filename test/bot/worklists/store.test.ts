import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorklists, type WorklistStore } from '../../../bot/worklists/store.ts';
import type { Run } from '../../../bot/worklists/worklist.ts';
import { RefuseToStart } from '../../../shared/errors.ts';
import { Database } from '../../../shared/sql/better-sqlite3.ts';
import { onEachEngine } from '../../support/databases.ts';

const WIKI = 'wiki.example';
const source = { kind: 'file', name: 'titles.txt', titles: 2 } as const;

onEachEngine('the store of worklists', [], (fresh) => {
  let here: WorklistStore;
  let there: WorklistStore;
  beforeEach(async () => {
    const place = await fresh();
    [here, there] = await Promise.all([openWorklists(place), openWorklists(place)]);
  });
  afterEach(() => Promise.all([here.close(), there.close()]));

  const begin = async (name = 'mills'): Promise<Run> =>
    here.runs.begin((await here.lists.add({ wiki: WIKI, name, source })).id, false);
  const titles = async (run: Run) => (await there.members.listed(run, 10)).sort();

  test('has a list of one name once, also where two processes add it at once', async () => {
    const added = await Promise.allSettled(
      [here, there].map(({ lists }) => lists.add({ wiki: WIKI, name: 'mills', source }, ['A', 'B'])),
    );
    expect(added.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(added.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toMatchObject([
      { code: 'name_taken' },
    ]);
    const [list] = await here.lists.all(WIKI);
    expect(await there.lists.titles(list?.id ?? 0, 1, 10)).toEqual(['B']);
  });

  test('tells names and titles apart by every letter, accent and space', async () => {
    await here.lists.add({ wiki: WIKI, name: 'Mühlen 🏭', source });
    await expect(here.lists.find(WIKI, 'mühlen 🏭')).rejects.toMatchObject({ code: 'no_such_worklist' });
    const run = await begin();
    const found = ['Mill', 'mill', 'Mïll', 'Mill ', '水車'];
    await here.runs.advance(run, async ({ members }) => {
      await members.list(
        run,
        [...found, 'Mill'].map((title) => ({ title, importance: 1 })),
      );
      return {};
    });
    expect(await titles(run)).toEqual([...found].sort());
  });

  test('takes a title that is longer than titles are, for a wiki to refuse', async () => {
    const run = await begin();
    await here.members.list(run, [{ title: '水'.repeat(2000), importance: 0 }]);
    const [title = ''] = await there.members.listed(run, 2);
    expect([title.length, /^水+$/.test(title)]).toEqual([512, true]);
  });

  test('begins one run where several processes begin one at once', async () => {
    const { id } = await here.lists.add({ wiki: WIKI, name: 'mills', source });
    const runs = await Promise.all([here, there, here, there].map((store) => store.runs.begin(id, false)));
    expect(new Set(runs.map((run) => run.number))).toEqual(new Set([1]));
    await here.runs.end(runs[0] as Run, 'done'); // there are four
    expect((await there.runs.begin(id, true)).number).toBe(2);
    expect((await here.runs.all(id)).map(({ number }) => number)).toEqual([2, 1]);
  });

  test('does a step once, whoever else does it at once, and all of it or nothing', async () => {
    const run = await begin();
    const step = (store: WorklistStore, title: string) =>
      store.runs.advance(run, async ({ members }) => {
        await members.list(run, [{ title, importance: 0 }]);
        return {};
      });
    const done = await Promise.all([step(here, 'by one'), step(there, 'by the other')]);
    expect(done.sort()).toEqual([false, true]);
    expect(await titles(run)).toHaveLength(1);
    const now = await here.runs.get(run.worklist, run.number);
    const failing = here.runs.advance({ ...run, step: now?.step ?? 0 }, async ({ members }) => {
      await members.list(run, [{ title: 'lost', importance: 0 }]);
      throw new Error('cut short');
    });
    await expect(failing).rejects.toThrow('cut short');
    expect([await titles(run), (await here.runs.get(run.worklist, run.number))?.step]).toEqual([
      expect.not.arrayContaining(['lost']),
      now?.step,
    ]);
  });

  test('keeps the greater importance of what is listed twice, and of what leads to one page', async () => {
    const run = await begin();
    await here.members.list(run, [
      { title: 'A', importance: 2 },
      { title: 'B', importance: 1 },
    ]);
    await here.members.list(run, [
      { title: 'A', importance: 1 },
      { title: 'B', importance: 3 },
    ]);
    const article = { kind: 'article', page: 7, title: 'A', importance: 0, views: 5 } as const;
    await here.members.resolve(
      run,
      ['A', 'B'].map((title) => ({ title, outcome: article })),
    );
    expect(await there.members.ready(run, 5)).toMatchObject([{ title: 'A', page: 7, importance: 3, views: 5 }]);
    expect(await there.members.count(run)).toMatchObject([
      { state: 'left_out', reason: 'duplicate' },
      { state: 'ready', articles: 1 },
    ]);
  });

  test('walks categories breadth first, each once, however they stand in each other', async () => {
    const run = await begin();
    const at = (title: string, depth: number) => ({ title, depth });
    await here.runs.advance(run, async ({ walk }) => {
      expect(await walk(at('Mills', 2), [at('Watermills', 1), at('Windmills', 1)])).toEqual(at('Watermills', 1));
      expect(await walk(at('Watermills', 1), [at('Mills', 0), at('Tide mills', 0)])).toEqual(at('Windmills', 1));
      expect(await walk(at('Windmills', 1), [at('Tide mills', 0)])).toEqual(at('Tide mills', 0));
      expect(await walk(at('Tide mills', 0), [])).toBeNull();
      return {};
    });
    expect((await there.runs.get(run.worklist, run.number))?.step).toBe(1);
  });

  test('forgets a list with all that belongs to it, and never gives its number again', async () => {
    const run = await begin();
    await here.members.list(run, [{ title: 'A', importance: 2 }]);
    await there.lists.drop(run.worklist);
    expect([await here.lists.all(WIKI), await here.members.count(run), await here.runs.get(run.worklist, 1)]).toEqual([
      [],
      [],
      null,
    ]);
    expect((await here.lists.add({ wiki: WIKI, name: 'mills', source })).id).toBeGreaterThan(run.worklist);
  });
});

/** As files were before there were migrations. */
const FIRST = `
  CREATE TABLE worklist (
    id INTEGER PRIMARY KEY AUTOINCREMENT, wiki TEXT NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0, schedule TEXT, created TEXT NOT NULL, UNIQUE (wiki, name)
  );
  CREATE TABLE title (
    worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE, position INTEGER NOT NULL, title TEXT NOT NULL,
    PRIMARY KEY (worklist, position)
  ) WITHOUT ROWID;
  CREATE TABLE run (
    id INTEGER PRIMARY KEY, worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'running', phase TEXT NOT NULL DEFAULT 'collecting', everything INTEGER NOT NULL,
    position TEXT, step INTEGER NOT NULL DEFAULT 0, waiting TEXT, reason TEXT, detail TEXT, started TEXT NOT NULL, ended TEXT,
    UNIQUE (worklist, number)
  );
  CREATE TABLE category (
    run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE, title TEXT NOT NULL, depth INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, UNIQUE (run, title)
  );
  CREATE TABLE member (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE, title TEXT NOT NULL, page INTEGER,
    article TEXT, importance INTEGER NOT NULL, views INTEGER, state TEXT NOT NULL DEFAULT 'listed', reason TEXT,
    revision INTEGER, step INTEGER, claims INTEGER, checking INTEGER, UNIQUE (run, title), UNIQUE (run, page)
  );
  CREATE INDEX member_order ON member (run, state, importance DESC, views DESC, id);
  CREATE TABLE reading (
    worklist INTEGER NOT NULL REFERENCES worklist (id) ON DELETE CASCADE, page INTEGER NOT NULL, revision INTEGER NOT NULL,
    model TEXT NOT NULL, PRIMARY KEY (worklist, page)
  ) WITHOUT ROWID;
  INSERT INTO worklist VALUES (3, '${WIKI}', 'mills', '{"kind":"category","title":"Category:Mills","depth":1}', 0, '{"day":1,"hour":3}', '2026-05-03T08:00:00Z');
  INSERT INTO worklist VALUES (9, '${WIKI}', 'dropped', '{"kind":"search","query":"x"}', 0, NULL, '2026-05-03T08:00:00Z');
  DELETE FROM worklist WHERE id = 9;
  INSERT INTO title VALUES (3, 0, 'Mill 1');
  INSERT INTO run VALUES (4, 3, 2, 'running', 'collecting', 1, '{"category":{"title":"Category:Mills","depth":1}}', 5, NULL, NULL, NULL, '2026-05-03T08:00:00Z', NULL);
  INSERT INTO category VALUES (4, 'Category:Mills', 1, 1), (4, 'Category:Windmills', 0, 0);
  INSERT INTO member VALUES (6, 4, 'Mill 1', 7, 'Mill 1', 3, NULL, 'enqueued', NULL, 1001, 4, NULL, NULL);
  INSERT INTO reading VALUES (3, 7, 1000, 'model-1');
  PRAGMA user_version = 1`;

test('a file of the version without migrations is taken over with its open run, and refused by such a version from then on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelight-worklists-'));
  const path = join(folder, 'worklists.sqlite');
  const old = new Database(path);
  old.exec(FIRST);
  old.close();
  const { lists, runs, members, close } = await openWorklists(path);
  expect(await lists.find(WIKI, 'mills')).toMatchObject({ id: 3, schedule: { day: 1, hour: 3 }, paused: false });
  expect(await lists.titles(3, 0, 5)).toEqual(['Mill 1']);
  const run = (await runs.get(3, 2)) as Run; // or what follows fails
  expect(run).toMatchObject({ step: 5, everything: true, position: { category: { depth: 1 } } });
  expect(await members.enqueuedBy(run, 4)).toMatchObject([{ id: 6, title: 'Mill 1', revision: 1001 }]);
  expect(await members.lastRead(3, [7], 'model-1')).toEqual(new Map([[7, 1000]]));
  await runs.advance(run, async ({ walk }) => {
    expect(await walk({ title: 'Category:Mills', depth: 1 }, [])).toEqual({ title: 'Category:Windmills', depth: 0 });
    return {};
  });
  await members.read(run, 7, 3, 2, 'model-1');
  expect(await members.count(run)).toEqual([{ state: 'read', reason: null, articles: 1, claims: 3, checking: 2 }]);
  expect((await lists.add({ wiki: WIKI, name: 'rivers', source })).id).toBe(10);
  await lists.drop(3);
  expect(await members.count(run)).toEqual([]);
  await close();
  const later = new Database(path);
  expect(Number(later.pragma('user_version', { simple: true }))).toBe(2);
  later.pragma('user_version = 3');
  later.close();
  await expect(openWorklists(path)).rejects.toThrow(RefuseToStart);
  rmSync(folder, { recursive: true });
});
