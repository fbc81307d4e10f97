import { createFollow } from '../../bot/follow.ts';
import { parseFeedEvent } from '../../bot/recent-changes/change.ts';
import { createDescribeRevisions } from '../../bot/revisions.ts';
import { DEFAULT_RULES } from '../../bot/rules.ts';
import { createAsk, createWiki } from '../../bot/wiki.ts';
import { describeWith } from '../support/describe-with.ts';
import { startWiki, type TestWiki } from '../support/wiki.ts';
import { feedDeletion, feedEdit } from './examples.ts';
import { configOf, type Editor, signIn } from './wiki-editor.ts';

const signal = () => new AbortController().signal;

describeWith(['wiki'], 'a log entry of a real wiki', () => {
  let server: TestWiki;
  let editor: Editor;

  beforeAll(async () => {
    server = await startWiki();
    editor = await signIn(server);
  });
  afterAll(() => server?.stop());

  /** What the last log entry of a type comes to, as a feed that names no page tells it. */
  async function follow(type: string, action = type) {
    const wiki = createWiki(configOf(server));
    const { rows } = await wiki.recentChanges('2020-01-01T00:00:00Z', null);
    // rows of the API itself, of which only the log's are looked at
    const entry = (rows as { logtype?: string; logid?: number; title: string; ns: number }[]).findLast(
      (row) => row.logtype === type,
    );
    const fields = { title: entry?.title, namespace: entry?.ns, log_type: type, log_action: action };
    const parsed = parseFeedEvent(feedDeletion(entry?.logid ?? 0, fields));
    if (parsed.kind !== 'change') throw new Error(JSON.stringify(parsed));
    const describe = createDescribeRevisions(createAsk(configOf(server)));
    const options = { wikiId: 'wiki.example', wiki, describe, rules: DEFAULT_RULES };
    const [followed] = await createFollow(options)([parsed.change], signal());
    return followed;
  }

  test('of a deletion closes the page', async () => {
    await editor.save('Godwit', 'one');
    const id = (await createWiki(configOf(server)).latestRevision('Godwit'))?.page.id;
    await editor.delete('Godwit');
    const input = {
      kind: 'page_deleted',
      wiki: 'wiki.example',
      page: { id, title: 'Godwit' },
      event: expect.stringMatching(/^log-\d+$/),
    };
    expect(await follow('delete')).toMatchObject({ followed: 'article_gone', next: [{ stage: 'review', input }] });
  });

  test('of a move lets its findings follow, or closes them where it leaves the articles', async () => {
    await editor.save('Redshank', 'one');
    await editor.move('Redshank', 'Common redshank');
    const now = await createWiki(configOf(server)).latestRevision('Common redshank');
    const place = { wiki: 'wiki.example', page: now?.page, revision: now?.revision };
    const input = { ...place, previous: null, scope: 'none' };
    expect(now?.page.title).toBe('Common redshank');
    expect(await follow('move')).toMatchObject({ followed: 'moved', next: [{ stage: 'articles', input }] });
    await editor.move('Common redshank', 'Talk:Redshank');
    expect(await follow('move')).toMatchObject({ followed: 'article_gone', next: [{ stage: 'review' }] });
  });

  test('of a move into the articles has all its claims checked, as a new page’s', async () => {
    await editor.save('User:Admin/Dunlin', 'one');
    await editor.move('User:Admin/Dunlin', 'Dunlin');
    const now = await createWiki(configOf(server)).latestRevision('Dunlin');
    const input = { page: now?.page, revision: now?.revision, previous: null, scope: 'touched' };
    expect(await follow('move')).toMatchObject({ followed: 'moved', next: [{ stage: 'articles', input }] });
  });

  test('of a move between pages that are no articles is nothing', async () => {
    await editor.save('User:Admin/Sanderling', 'one');
    await editor.move('User:Admin/Sanderling', 'User:Admin/Curlew');
    expect(await follow('move')).toMatchObject({ next: [] });
  });

  test('of a restored page lets its findings come back, without an edit', async () => {
    await editor.save('Whimbrel', 'one');
    await editor.delete('Whimbrel');
    await editor.restore('Whimbrel');
    const now = await createWiki(configOf(server)).latestRevision('Whimbrel');
    const restored = expect.stringMatching(/^log-\d+$/);
    const input = { page: now?.page, revision: now?.revision, previous: null, scope: 'none', restored };
    expect(await follow('delete', 'restore')).toMatchObject({
      followed: 'restored',
      next: [{ stage: 'articles', input }],
    });
  });
});

describeWith(['wiki'], 'an edit of a real wiki', () => {
  let server: TestWiki;
  let editor: Editor;

  beforeAll(async () => {
    server = await startWiki();
    editor = await signIn(server);
  });
  afterAll(() => server?.stop());

  /** What edits come to that a feed tells no more of than it must. */
  async function follow(...revisions: number[]) {
    const parsed = revisions.map((revision) => parseFeedEvent(feedEdit(revision, { title: 'as it was called' })));
    const changes = parsed.flatMap((each) => (each.kind === 'change' ? [each.change] : []));
    const wiki = createWiki(configOf(server));
    const describe = createDescribeRevisions(createAsk(configOf(server)));
    return createFollow({ wikiId: 'wiki.example', wiki, describe, rules: DEFAULT_RULES })(changes, signal());
  }

  test('is asked for with all others at once, in their order, whatever its title', async () => {
    const titles = [
      'C++',
      '100% & more?',
      "O'Hara",
      'AC/DC',
      '"Quoted" \\ back',
      'Ünï çødé',
      '東京',
      'نهر',
      '🐟',
      '-',
      '=;*!@$^~',
      'x'.repeat(255),
    ];
    const saved = [];
    for (const title of titles) saved.push({ title, revision: await editor.save(title, 'one') });
    const followed = await follow(...saved.map(({ revision }) => revision), 999_999);
    const inputs = followed.flatMap(({ next }) => next.map(({ input }) => input));
    const expected = saved.map(({ title, revision }) => ({
      page: { title: title.replace(/^x/, 'X') },
      revision,
      previous: null,
    }));
    expect(inputs).toMatchObject(expected);
    expect(followed.at(-1)?.followed).toBe('revision_gone');
  }, 60_000);

  test('whose text was hidden is counted and left alone', async () => {
    const first = await editor.save('Knot', 'one');
    const second = await editor.save('Knot', 'two');
    await editor.hide(first);
    expect(await follow(first, second)).toMatchObject([
      { followed: 'hidden', next: [] },
      { followed: 'taken', next: [{ input: { revision: second, previous: first } }] },
    ]);
  });

  test('of a page that was deleted meanwhile is gone', async () => {
    const revision = await editor.save('Ruff', 'one');
    await editor.delete('Ruff');
    expect(await follow(revision)).toMatchObject([{ followed: 'revision_gone', next: [] }]);
  });

  test('of a page that only administrators edit leaves its findings to follow', async () => {
    const revision = await editor.save('Snipe', 'one');
    await editor.protect('Snipe');
    expect(await follow(revision)).toMatchObject([{ followed: 'protected', next: [{ input: { scope: 'none' } }] }]);
  });
});

test('a revision that is only just made may not be there yet; an older one is gone', async () => {
  const wiki = { currentPage: async () => null, pageOfLog: async () => null };
  const follow = createFollow({ wikiId: 'w', wiki, describe: async () => new Map(), rules: DEFAULT_RULES });
  const edits = [feedEdit(5, { timestamp: Math.floor(Date.now() / 1000) }), feedEdit(6)].map(parseFeedEvent);
  const changes = edits.flatMap((parsed) => (parsed.kind === 'change' ? [parsed.change] : []));
  const followed = await follow(changes, signal());
  expect(followed.map((each) => each.followed)).toEqual(['not_yet', 'revision_gone']);
});
