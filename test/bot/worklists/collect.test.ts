import { createAsk } from '../../../bot/wiki.ts';
import { type Collected, createCollect } from '../../../bot/worklists/collect.ts';
import { createLatest } from '../../../bot/worklists/latest.ts';
import { createResolve, type Resolve } from '../../../bot/worklists/resolve.ts';
import { ListSource, type Position } from '../../../bot/worklists/worklist.ts';
import { describeWith } from '../../support/describe-with.ts';
import { startWiki, type TestWiki } from '../../support/wiki.ts';
import { configOf, type Editor, signIn } from '../wiki-editor.ts';
import { openWalk } from './walk.ts';

describeWith(['wiki'], 'the articles of a list, on a wiki', () => {
  let server: TestWiki;
  let editor: Editor;
  let collect: (source: ListSource, position?: Position | null) => Promise<Collected>;
  let resolve: Resolve;

  beforeAll(async () => {
    server = await startWiki();
    editor = await signIn(server);
    const ask = createAsk(configOf(server));
    const tools = { pagePileUrl: 'http://127.0.0.1:9', petScanUrl: 'http://127.0.0.1:9', userAgent: 'test' };
    const all = createCollect({ ask, tools, titles: async () => [] });
    collect = (source, position = null) => all({ id: 1, source }, position);
    resolve = createResolve(ask);
    for (const [title, text] of Object.entries(PAGES)) await editor.save(title, text);
  });
  afterAll(() => server?.stop());

  const titles = ({ found }: Collected) => [...new Set(found.map(({ title }) => title))].sort();
  const outcomes = async (...asked: string[]) => (await resolve(asked)).map(({ outcome }) => outcome);

  test('of a category are its articles, and its subcategories as deep as was asked', async () => {
    const flat = await collect({ kind: 'category', title: 'Category:Mills', depth: 0 });
    expect(titles(flat)).toEqual(['Orrin Mill', 'Tarn & Vale Mill']);
    expect(flat.walked?.below).toEqual([]);
    const deep = await collect({ kind: 'category', title: 'Category:Mills', depth: 1 });
    expect(deep.walked?.below).toEqual([{ title: 'Category:Water mills', depth: 1 }]);
  });

  test('of categories that loop are listed once, and one in two of them once', async () => {
    const walk = await openWalk(server);
    const run = await walk.toPublishing({ kind: 'category', title: 'Category:Mills', depth: 20 });
    expect(await walk.ready(run)).toEqual(['Orrin Mill', 'Tarn & Vale Mill']);
    expect(run.step).toBeLessThan(6);
    await walk.close();
  });

  test('of a category without a page and without members are refused', async () => {
    const source = { kind: 'category', title: 'Category:Nowhere', depth: 3 } as const;
    await expect(collect(source)).rejects.toMatchObject({ code: 'no_such_category' });
  });

  test('of what is no category are refused', async () => {
    const source = { kind: 'category', title: 'Orrin Mill', depth: 3 } as const;
    const message = expect.stringContaining('as in "Category:Mills"');
    await expect(collect(source)).rejects.toMatchObject({ code: 'list_refused', message });
  });

  test('of a category may leave its namespace away', () => {
    const parse = (title: string) => ListSource.parse({ kind: 'category', title, depth: 0 });
    expect([parse('Mills'), parse('Kategorie:Mühlen')]).toMatchObject([
      { title: 'Category:Mills' },
      { title: 'Kategorie:Mühlen' },
    ]);
  });

  test('of an assessment category are those of its talk pages, as important as its name says', async () => {
    const all = await collect({ kind: 'assessment', title: 'Category:Mill articles by importance', depth: 1 });
    expect(all.walked?.below).toEqual([{ title: 'Category:High-importance mill articles', depth: 1 }]);
    const category = { title: 'Category:High-importance mill articles', depth: 1 };
    const high = await collect(
      { kind: 'assessment', title: 'Category:Mill articles by importance', depth: 1 },
      { category },
    );
    expect(high.found).toEqual([{ title: 'Orrin Mill', importance: 3 }]);
  });

  test('that a user began, and none by who never was', async () => {
    const began = await collect({ kind: 'creations', user: server.accounts.admin.name });
    expect(titles(began)).toEqual(expect.arrayContaining(['Lower Mill', 'Orrin Mill']));
    expect(titles(began).some((title) => title.includes(':'))).toBe(false);
    expect(titles(await collect({ kind: 'creations', user: 'Nobody Ever' }))).toEqual([]);
    await expect(collect({ kind: 'creations', user: '#|<>' })).rejects.toMatchObject({ code: 'list_refused' });
  });

  test('that link to a page, through a redirect, or transclude a template', async () => {
    expect(titles(await collect({ kind: 'links', title: 'Orrin Bay' }))).toEqual(['Lower Mill', 'Orrin Mill']);
    expect(titles(await collect({ kind: 'links', title: 'Template:Mill' }))).toEqual(['Lower Mill']);
  });

  test('that a search finds', async () => {
    expect(titles(await collect({ kind: 'search', query: 'waterwheel' }))).toEqual(['Orrin Mill']);
  });

  test('are looked up under every title that leads to them', async () => {
    const [plain, redirected, sloppy, section] = await outcomes(
      'Orrin Mill',
      'Old Mill',
      '_orrin  Mill ',
      'Orrin Mill#History',
    );
    expect(plain).toMatchObject({ kind: 'article', title: 'Orrin Mill', importance: 0, views: null });
    expect([redirected, sloppy, section]).toEqual([plain, plain, plain]);
  });

  test('with every odd character that a title may have are found', async () => {
    const odd = ['Tarn & Vale Mill', 'Mill "№ 5" (100% + 3)?', "Müller's Mühle – 水車", 'C*d/e=f;g,h'];
    for (const title of odd) await editor.save(title, 'A mill.');
    expect(await outcomes(...odd)).toEqual(odd.map((title) => expect.objectContaining({ kind: 'article', title })));
  });

  test('that are none are left out, each for its reason', async () => {
    await editor.save('Gone Mill', 'A mill.');
    await editor.delete('Gone Mill');
    await editor.save('Loop One', '#REDIRECT [[Loop Two]]');
    await editor.save('Loop Two', '#REDIRECT [[Loop One]]');
    const reasons: Record<string, string> = {
      'Gone Mill': 'missing',
      'Never Mill': 'missing',
      'Orrin|Mill': 'invalid_title',
      '[[Orrin Mill]]': 'invalid_title',
      'Orrin\u001fMill': 'invalid_title',
      '': 'invalid_title',
      [`Mill ${'x'.repeat(300)}`]: 'invalid_title',
      [`Mill ${'x'.repeat(9000)}`]: 'invalid_title',
      'Talk:Orrin Mill': 'not_article',
      'Special:RecentChanges': 'not_article',
      'Old template': 'not_article',
    };
    expect(await outcomes(...Object.keys(reasons))).toEqual(
      Object.values(reasons).map((reason) => ({ kind: 'left_out', reason })),
    );
    const [loop] = await outcomes('Loop One');
    expect(loop?.kind).toBe('left_out');
  });

  test('are handed on as they stand now', async () => {
    const [mill, lower] = await outcomes('Orrin Mill', 'Lower Mill');
    if (mill?.kind !== 'article' || lower?.kind !== 'article') throw new Error('both are there');
    const revision = await editor.save('Lower Mill', `${PAGES['Lower Mill']} It was moved.`);
    await editor.move('Lower Mill', 'Nether Mill');
    await editor.save('Brief Mill', 'A mill.');
    const [brief] = await outcomes('Brief Mill');
    if (brief?.kind !== 'article') throw new Error('it is there');
    await editor.delete('Brief Mill');
    const now = await createLatest(createAsk(configOf(server)))([mill.page, lower.page, brief.page]);
    expect(now.get(mill.page)).toMatchObject({ title: 'Orrin Mill' });
    expect(now.get(lower.page)).toMatchObject({ title: 'Nether Mill', revision: expect.any(Number) });
    expect(now.get(lower.page)).not.toMatchObject({ revision });
    expect(now.get(brief.page)).toBe('missing');
  });
});

const PAGES: Record<string, string> = {
  'Category:Mills': 'Mills. [[Category:Water mills]]',
  'Category:Water mills': 'Driven by water. [[Category:Mills]]',
  'Orrin Mill': 'It has a waterwheel and stands at [[Orrin Bay]]. [[Category:Mills]] [[Category:Water mills]]',
  'Tarn & Vale Mill': 'A mill. [[Category:Mills]]',
  'Lower Mill': 'It stands at [[the bay]]. {{Mill}}',
  'The bay': '#REDIRECT [[Orrin Bay]]',
  'Old Mill': '#REDIRECT [[Orrin Mill]]',
  'Old template': '#REDIRECT [[Template:Mill]]',
  'Template:Mill': 'A mill.',
  'Category:Mill articles by importance': 'By importance.',
  'Category:High-importance mill articles': '[[Category:Mill articles by importance]]',
  'Talk:Orrin Mill': '[[Category:High-importance mill articles]]',
};
