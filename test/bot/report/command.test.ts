import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { BEGIN, END } from '../../../bot/report/block.ts';
import { openWorklists } from '../../../bot/worklists/store.ts';
import { type ReportWish, report } from '../../../deploy/commands/report.ts';
import type { Config } from '../../../shared/config.ts';
import { openReviewDatabase } from '../../../workers/review/database.ts';
import { record } from '../../../workers/review/record.ts';
import { describeWith } from '../../support/describe-with.ts';
import { decideAs } from '../../workers/review/store.ts';
import { botConfig } from '../write/bot.ts';
import { type GuardedWiki, startGuardedWiki } from '../write/guarded-wiki.ts';
import { type Told, tell } from './findings.ts';

const PAGE = 'Project:WikiProject Mills/Sidelight';
const ASKS = '{{Sidelight report}}';

describeWith(['wiki'], 'sidelight report', () => {
  let wiki: GuardedWiki;
  let dataDir: string;
  let config: Config;
  /** Page ids of the articles, by title. */
  const articles = new Map<string, number>();

  beforeAll(async () => {
    wiki = await startGuardedWiki();
    dataDir = await mkdtemp(join(tmpdir(), 'sidelight-report-'));
    const settings = botConfig({ origin: wiki.origin, apiUrl: wiki.apiUrl, dataDir });
    config = { ...settings, reviewUrl: 'https://review.example', logLevel: 'silent' };
    await makeArticles();
    await makeFindings();
  });
  afterAll(async () => {
    await wiki?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  /** Loops, a subcategory, a talk page and a page that is no article among them. */
  async function makeArticles(): Promise<void> {
    const pages = {
      'Orrin Mill': '[[Category:Mills]]',
      'Tide mill': '[[Category:Water mills]]',
      'Orrin Bay': 'No mill.',
      'Talk:Orrin Bay': '[[Category:High-importance bay articles]]',
      'Category:Water mills': '[[Category:Mills]]',
      'Category:Mills': '[[Category:Water mills]]',
      'Category:High-importance bay articles': '[[Category:Bay articles by importance]]',
      'User:Alice/Mill': '[[Category:Mills]]',
    };
    for (const [title, text] of Object.entries(pages)) {
      const { pageid } = await wiki.admin.save(title, text);
      articles.set(title, pageid ?? 0);
    }
  }

  async function makeFindings(): Promise<void> {
    await told('Orrin Mill', {
      claim: 'The mill closed in 1931.',
      quote: 'It closed in 1935.',
      verdict: 'contradicted',
    });
    await told('Orrin Mill', { claim: 'It was built of stone.' });
    await told('Tide mill', { claim: 'It has two wheels.', verdict: 'unsourced' });
    await told('Orrin Bay', { claim: 'The bay is deep.', url: 'http://spam.example/bay' });
    await told('Orrin Bay', { claim: 'The bay is wide.', verdict: 'supported' });
    await told('Tide mill', { claim: 'It was decided on.' });
    const db = await openReviewDatabase(config.databases.review);
    const { id } = await db.selectFrom('findings').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    await decideAs(db, 'Ada', id, { decision: 'reject' });
    await db.destroy();
  }

  async function told(title: string, finding: Partial<Told>): Promise<void> {
    const db = await openReviewDatabase(config.databases.review);
    await record(db, tell(config.wiki.id, { title, pageId: articles.get(title) ?? 0, ...finding }));
    await db.destroy();
  }

  /** What the command printed as JSON. */
  async function run(wish: Partial<ReportWish> = {}, settings: Config = config) {
    const written: string[] = [];
    const stdout = jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    try {
      await report(settings, { target: PAGE, save: false, json: true, ...wish }, new AbortController().signal);
    } catch (error) {
      // a refusal is printed before it is thrown
      if (written.length === 0) throw error;
    } finally {
      stdout.mockRestore();
    }
    return JSON.parse(written.join('')) as Record<string, string>; // objects of texts and numbers
  }

  async function textOf(title: string): Promise<string> {
    return (await wiki.admin.read(title)).revisions?.[0]?.content ?? '';
  }

  /** The claims of the report, in their order. */
  async function claimsOf(title = PAGE): Promise<string[]> {
    return [...(await textOf(title)).matchAll(/\]: <q dir="auto">(.*?)<\/q>\n/g)].flatMap(([, claim]) =>
      CLAIMS.filter((one) => one === claim),
    );
  }

  test('shows what it would change, and changes nothing', async () => {
    await wiki.admin.save(PAGE, ASKS);
    const shown = await run({}, { ...config, bot: { ...config.bot, login: null } });
    expect(shown).toMatchObject({ kind: 'would_save', diff: expect.stringContaining('\n+| Contradicted\n') });
    expect(shown.diff).toContain(` ${ASKS}`);
    expect(await textOf(PAGE)).toBe(ASKS);
  });

  test('writes to the page that asks for it, and the next time only what has changed', async () => {
    await wiki.admin.save(PAGE, `Welcome.\n${ASKS}\n\nTalk.`);
    expect(await run({ save: true })).toMatchObject({
      kind: 'saved',
      summary: '[[User:SidelightBot|Sidelight]] report: 4 of 4 open findings, in 3 articles',
    });
    expect(await claimsOf()).toEqual([
      'The mill closed in 1931.',
      'It was built of stone.',
      'The bay is deep.',
      'It has two wheels.',
    ]);
    const text = await textOf(PAGE);
    expect(text.startsWith(`Welcome.\n${ASKS}\n\nTalk.\n\n${BEGIN}\n{|`)).toBe(true);
    expect(text.endsWith(`|}\n4 of 4 open findings\n${END}`)).toBe(true);
    expect(await run({ save: true })).toMatchObject({ kind: 'unchanged' });
    expect(await run()).toMatchObject({ kind: 'unchanged', diff: '' });
  });

  test('keeps what stands around its part', async () => {
    await wiki.admin.save(PAGE, `${ASKS}\nAbove.\n${BEGIN}\nold\n${END}\nBelow. ~~${'~'}~ | {{x}}`);
    const [before, after] = (await textOf(PAGE)).split('old');
    await run({ save: true, category: 'Category:Mills' });
    expect((await textOf(PAGE)).startsWith(before ?? '?')).toBe(true);
    expect((await textOf(PAGE)).endsWith(after ?? '?')).toBe(true);
    expect(await claimsOf()).toEqual(['The mill closed in 1931.', 'It was built of stone.']);
  });

  test.each([
    ['a category', { category: 'Category:Mills' }, ['The mill closed in 1931.', 'It was built of stone.']],
    [
      'a category with those in it, which stand in it and it in them',
      { category: 'Category:Mills', depth: 5 },
      ['The mill closed in 1931.', 'It was built of stone.', 'It has two wheels.'],
    ],
    ['a WikiProject', { wikiproject: 'Category:Bay articles by importance' }, ['The bay is deep.']],
    ['one article', { page: 'orrin Bay' }, ['The bay is deep.']],
    ['a worklist', { worklist: 'tides' }, ['It has two wheels.']],
  ])('takes the articles of %s', async (_, wish, claims) => {
    if ('worklist' in wish) await keepList('tides', 'Tide mill');
    await wiki.admin.save(PAGE, ASKS);
    await run({ save: true, ...wish });
    expect(await claimsOf()).toEqual(claims);
  });

  test.each([
    [{ category: 'Category:None' }, 'no_such_category'],
    [{ page: 'No such article' }, 'no_such_article'],
    [{ worklist: 'none' }, 'no_such_worklist'],
    [{ depth: 2 }, 'no_depth'],
  ])('refuses %j: %s', async (wish, code) => {
    await expect(run(wish)).rejects.toMatchObject({ code });
  });

  test.each([
    ['Project:None', /no such page: make it/],
    ['Orrin Bay', /reports go to pages of the project/],
  ])('says of %s what to do', async (target, advice) => {
    await expect(run({ target, json: false })).rejects.toMatchObject({ message: expect.stringMatching(advice) });
  });

  test.each([
    ['{{Sidelight report|max=1}}', ['The mill closed in 1931.']],
    [
      '{{sidelight_report|verdicts=unsourced, not supported}}',
      ['It was built of stone.', 'The bay is deep.', 'It has two wheels.'],
    ],
    ['{{Sidelight report|verdicts=supported|max=}}', ['The bay is wide.']],
    [
      '{{Queue of doubts}}',
      ['The mill closed in 1931.', 'It was built of stone.', 'The bay is deep.', 'It has two wheels.'],
    ],
  ])('gives a page what it asks for: %s', async (asks, claims) => {
    await wiki.admin.save('Template:Sidelight report', 'A report follows.');
    await wiki.admin.save('Template:Queue of doubts', '#REDIRECT [[Template:Sidelight report]]');
    await wiki.admin.save(PAGE, asks);
    await run({ save: true });
    expect(await claimsOf()).toEqual(claims);
  });

  test.each([
    ['', 'not_opted_in'],
    ['<nowiki>{{Sidelight report}}</nowiki> <!-- {{Sidelight report}} -->', 'not_opted_in'],
    ['{{Sidelight}} {{Sidelight reports}}', 'not_opted_in'],
    ['{{Sidelight report|max=all}}', 'bad_parameter'],
    ['{{Sidelight report|max=0}}', 'bad_parameter'],
    ['{{Sidelight report|verdicts=doubtful}}', 'bad_parameter'],
    ['{{Sidelight report}} {{nobots}}', 'excluded'],
    [`{{Sidelight report}} ${BEGIN}`, 'markers_broken'],
    [`{{Sidelight report}} ${END} ${BEGIN}`, 'markers_broken'],
    [`{{Sidelight report}} ${BEGIN} ${BEGIN} ${END}`, 'markers_broken'],
    [`{{Sidelight report}} <nowiki>${BEGIN} ${END}</nowiki>`, 'markers_broken'],
  ])('would not write on a page with %j: %s', async (text, code) => {
    await wiki.admin.save(PAGE, text || 'Words.');
    expect(await run()).toMatchObject({ kind: 'refused', code });
  });

  test('never writes on an article, whatever stands on it', async () => {
    for (const title of ['Orrin Bay', 'Talk:Orrin Bay', 'Category:Mills', 'Atlas:Bay', 'User:Alice/Mill']) {
      await wiki.admin.save(title, `${ASKS} ${BEGIN} ${END} [[Category:Mills]]`);
      const { code } = await run({ target: title, save: true });
      expect(['namespace', 'not_own_user_space']).toContain(code);
    }
  });

  test('shows an address as text where the wiki lets nobody link it', async () => {
    const target = 'Project:Bays'; // where the link has not stood before
    await wiki.admin.save('MediaWiki:Spam-blacklist', 'spam\\.example\n');
    await wiki.admin.save(target, ASKS);
    expect(await run({ target, save: true, page: 'Orrin Bay' })).toMatchObject({ kind: 'saved' });
    expect(await textOf(target)).toContain('\n| The mill\n');
    expect(await textOf(target)).not.toContain('http://spam.example');
  });

  test('leaves out what finds no room on the page, and says so', async () => {
    const limit = (await wiki.admin.query({ meta: 'siteinfo' })).query?.general.maxarticlesize;
    await wiki.admin.save(PAGE, `${ASKS}${'x'.repeat(limit - 1000)}`);
    expect(await run({ save: true })).toMatchObject({ kind: 'saved' });
    expect(await textOf(PAGE)).toMatch(/\n[12] of 4 open findings: \[https:\/\/review\.example\/ all of them\]/);
    await wiki.admin.save(PAGE, `${ASKS}${'x'.repeat(limit - 300)}`);
    expect(await run({ save: true })).toMatchObject({ kind: 'refused', code: 'too_large' });
  });

  async function keepList(name: string, title: string): Promise<void> {
    const store = await openWorklists(config.databases.worklists);
    const list = await store.lists.add({ wiki: config.wiki.id, name, source: { kind: 'file', name: 'x', titles: 1 } }, [
      title,
    ]);
    const begun = await store.runs.begin(list.id, true);
    const page = articles.get(title) ?? 0;
    await store.members.list(begun, [{ title, importance: 0 }]);
    await store.members.resolve(begun, [
      { title, outcome: { kind: 'article', page, title, importance: 0, views: null } },
    ]);
    await store.close();
  }
});

const CLAIMS = [
  'The mill closed in 1931.',
  'It was built of stone.',
  'It has two wheels.',
  'The bay is deep.',
  'The bay is wide.',
  'It was decided on.',
];
