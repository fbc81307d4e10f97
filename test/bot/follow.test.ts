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
  async function follow(type: string) {
    const wiki = createWiki(configOf(server));
    const { rows } = await wiki.recentChanges('2020-01-01T00:00:00Z', null);
    // rows of the API itself, of which only the log's are looked at
    const entry = (rows as { logtype?: string; logid?: number; title: string }[]).findLast(
      (row) => row.logtype === type,
    );
    const fields = { title: entry?.title, log_type: type, log_action: type };
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
});

test('a revision that is only just made may not be there yet; an older one is gone', async () => {
  const wiki = { currentPage: async () => null, pageOfLog: async () => null };
  const follow = createFollow({ wikiId: 'w', wiki, describe: async () => new Map(), rules: DEFAULT_RULES });
  const edits = [feedEdit(5, { timestamp: Math.floor(Date.now() / 1000) }), feedEdit(6)].map(parseFeedEvent);
  const changes = edits.flatMap((parsed) => (parsed.kind === 'change' ? [parsed.change] : []));
  const followed = await follow(changes, signal());
  expect(followed.map((each) => each.followed)).toEqual(['not_yet', 'revision_gone']);
});
